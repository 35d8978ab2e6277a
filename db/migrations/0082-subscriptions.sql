-- The time that an order of a subscription pays for.
ALTER TABLE orders ADD COLUMN period_start timestamptz;
ALTER TABLE orders ADD COLUMN period_end timestamptz;

-- A new price, and since when it may be charged: 30 days after its email. And the offer that takes over with the next period.
ALTER TABLE subscriptions ADD COLUMN next_amount bigint CHECK (next_amount >= 0);
ALTER TABLE subscriptions ADD COLUMN next_amount_from timestamptz;
ALTER TABLE subscriptions ADD COLUMN next_offer_id uuid REFERENCES product_offers (id);
ALTER TABLE subscriptions ADD CONSTRAINT subscriptions_next_amount CHECK ((next_amount IS NULL) = (next_amount_from IS NULL));
CREATE INDEX subscriptions_next_offer ON subscriptions (next_offer_id);

-- Decisions of staff: a difference to the provider, a refund that failed, money that nothing takes.
CREATE TABLE billing_tasks (
  id uuid PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('difference', 'refund_failed', 'late_payment', 'double_subscription', 'dispute')),
  -- One task for one thing.
  about text NOT NULL UNIQUE,
  title text NOT NULL,
  -- Both sides, in words.
  ours text NOT NULL DEFAULT '',
  theirs text NOT NULL DEFAULT '',
  order_id uuid REFERENCES orders (id),
  payment_id uuid REFERENCES payments (id),
  subscription_id uuid REFERENCES subscriptions (id),
  is_test boolean NOT NULL DEFAULT false,
  done_at timestamptz,
  done_by uuid,
  note text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX billing_tasks_open ON billing_tasks (created_at) WHERE done_at IS NULL;
CREATE INDEX billing_tasks_order ON billing_tasks (order_id);
CREATE INDEX billing_tasks_payment ON billing_tasks (payment_id);
CREATE INDEX billing_tasks_subscription ON billing_tasks (subscription_id);

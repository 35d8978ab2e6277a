-- Orders, payments and the ledger. An amount is an integer of the smallest unit of its currency.

-- Prices beside the one-time price of a product in the currency of the site, which is the product's own.
CREATE TABLE product_offers (
  id uuid PRIMARY KEY,
  product_id uuid NOT NULL REFERENCES data_products (id) ON DELETE CASCADE,
  charged text NOT NULL CHECK (charged IN ('once', 'month', 'quarter', 'year')),
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  amount bigint NOT NULL CHECK (amount > 0),
  -- The version of the day, the versions of 12 months, or all for as long as it is paid.
  includes text NOT NULL CHECK (includes IN ('version', 'year', 'feed')),
  -- Announced to subscribers 30 days before.
  next_amount bigint CHECK (next_amount > 0),
  next_amount_from timestamptz,
  archived_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((next_amount IS NULL) = (next_amount_from IS NULL))
);
CREATE UNIQUE INDEX product_offers_one_current ON product_offers (product_id, charged, currency) WHERE archived_at IS NULL;
-- The versions that the one-time price of the product includes.
ALTER TABLE data_products ADD COLUMN price_includes text NOT NULL DEFAULT 'year' CHECK (price_includes IN ('version', 'year'));
-- Shown as a sample of an installation on one's own machine.
ALTER TABLE data_products ADD COLUMN is_sample boolean NOT NULL DEFAULT false;

CREATE TABLE discount_codes (
  id uuid PRIMARY KEY,
  code text NOT NULL CHECK (code = upper(code)),
  -- Of 10,000: 1250 is 12.5 %. Or an amount in its currency.
  share integer CHECK (share BETWEEN 1 AND 10000),
  amount bigint CHECK (amount > 0),
  currency text CHECK (currency ~ '^[A-Z]{3}$'),
  product_id uuid REFERENCES data_products (id) ON DELETE CASCADE,
  -- Null: without a limit.
  most_uses integer CHECK (most_uses > 0),
  expires_at timestamptz,
  archived_at timestamptz,
  created_by uuid,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((share IS NULL) <> (amount IS NULL)),
  CHECK ((amount IS NULL) = (currency IS NULL))
);
CREATE UNIQUE INDEX discount_codes_code ON discount_codes (code) WHERE archived_at IS NULL;
CREATE INDEX discount_codes_product ON discount_codes (product_id);

CREATE TABLE subscriptions (
  id uuid PRIMARY KEY,
  reference text NOT NULL UNIQUE,
  organization_id uuid NOT NULL REFERENCES organizations (id),
  -- The person who bought it.
  user_id uuid,
  product_id uuid NOT NULL REFERENCES data_products (id),
  offer_id uuid NOT NULL REFERENCES product_offers (id),
  -- A renewal that failed keeps its access in the grace period.
  state text NOT NULL CHECK (state IN ('incomplete', 'active', 'grace', 'ended')),
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  -- Of one period, before tax.
  amount bigint NOT NULL CHECK (amount >= 0),
  provider text NOT NULL CHECK (provider IN ('test', 'stripe', 'transfer')),
  provider_id text,
  period_start timestamptz,
  period_end timestamptz,
  ends_at_period_end boolean NOT NULL DEFAULT false,
  grace_until timestamptz,
  ended_at timestamptz,
  end_reason text NOT NULL DEFAULT '',
  -- The period end of which the reminder was sent.
  reminded_for timestamptz,
  is_test boolean NOT NULL DEFAULT false,
  version integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX subscriptions_provider ON subscriptions (provider, provider_id) WHERE provider_id IS NOT NULL;
CREATE UNIQUE INDEX subscriptions_one_running ON subscriptions (organization_id, product_id) WHERE state IN ('active', 'grace');
CREATE INDEX subscriptions_organization ON subscriptions (organization_id, created_at DESC);
CREATE INDEX subscriptions_product ON subscriptions (product_id);
CREATE INDEX subscriptions_offer ON subscriptions (offer_id);
CREATE INDEX subscriptions_period ON subscriptions (period_end) WHERE state IN ('active', 'grace');

-- Everything that is paid once: a dataset, a period of a subscription, a deposit, a final payment.
CREATE TABLE orders (
  id uuid PRIMARY KEY,
  reference text NOT NULL UNIQUE,
  kind text NOT NULL CHECK (kind IN ('dataset', 'renewal', 'deposit', 'final', 'fee')),
  organization_id uuid NOT NULL REFERENCES organizations (id),
  -- The person who ordered, null once the account is gone and where nobody did.
  user_id uuid,
  product_id uuid REFERENCES data_products (id),
  offer_id uuid REFERENCES product_offers (id),
  subscription_id uuid REFERENCES subscriptions (id),
  -- The proposal of a deposit or final payment. No reference: proposals come after orders.
  proposal_id uuid,
  title text NOT NULL,
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  -- The lines with their discounts, and the tax by category and rate.
  lines jsonb NOT NULL,
  tax_parts jsonb NOT NULL DEFAULT '[]',
  net bigint NOT NULL,
  tax bigint NOT NULL,
  gross bigint NOT NULL CHECK (gross >= 0),
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'processing', 'paid', 'failed', 'expired', 'cancelled')),
  -- Paid at a provider's checkout, or by an invoice.
  method text NOT NULL DEFAULT 'checkout' CHECK (method IN ('checkout', 'invoice')),
  discount_code_id uuid REFERENCES discount_codes (id),
  purchase_order text NOT NULL DEFAULT '',
  includes text CHECK (includes IN ('version', 'year', 'feed')),
  -- Text, version and hash of the accepted licence, when, and by whom.
  licence jsonb,
  is_business boolean NOT NULL DEFAULT false,
  is_test boolean NOT NULL DEFAULT false,
  -- Null: it does not expire.
  expires_at timestamptz,
  due_at timestamptz,
  paid_at timestamptz,
  -- Access of unpaid orders by invoice began then.
  granted_at timestamptz,
  failure text NOT NULL DEFAULT '',
  -- No reminders while it is disputed or an arrangement holds.
  reminders_paused boolean NOT NULL DEFAULT false,
  version integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CHECK (net + tax = gross)
);
CREATE INDEX orders_newest ON orders (created_at DESC, id DESC);
CREATE INDEX orders_organization ON orders (organization_id, created_at DESC);
CREATE INDEX orders_product ON orders (product_id);
CREATE INDEX orders_offer ON orders (offer_id);
CREATE INDEX orders_discount_code ON orders (discount_code_id);
CREATE INDEX orders_subscription ON orders (subscription_id);
CREATE INDEX orders_proposal ON orders (proposal_id);
CREATE INDEX orders_waiting ON orders (expires_at) WHERE state IN ('open', 'processing');

-- Once per organization.
CREATE TABLE discount_uses (
  code_id uuid NOT NULL REFERENCES discount_codes (id) ON DELETE CASCADE,
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  order_id uuid NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (code_id, organization_id)
);
CREATE INDEX discount_uses_order ON discount_uses (order_id);
CREATE INDEX discount_uses_organization ON discount_uses (organization_id);

-- One attempt to pay an order at a provider.
CREATE TABLE checkouts (
  id uuid PRIMARY KEY,
  order_id uuid NOT NULL REFERENCES orders (id),
  provider text NOT NULL CHECK (provider IN ('test', 'stripe')),
  -- Null until the provider has confirmed it.
  provider_id text,
  url text NOT NULL DEFAULT '',
  state text NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'processing', 'complete', 'failed', 'expired')),
  amount bigint NOT NULL,
  currency text NOT NULL,
  expires_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX checkouts_provider ON checkouts (provider, provider_id) WHERE provider_id IS NOT NULL;
CREATE INDEX checkouts_order ON checkouts (order_id);

CREATE TABLE payments (
  id uuid PRIMARY KEY,
  organization_id uuid REFERENCES organizations (id),
  provider text NOT NULL CHECK (provider IN ('test', 'stripe', 'transfer')),
  provider_id text NOT NULL,
  checkout_id uuid REFERENCES checkouts (id),
  amount bigint NOT NULL CHECK (amount > 0),
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  -- Of the provider, null while unknown.
  fee bigint,
  -- Set for what staff have entered.
  entered_by uuid,
  note text NOT NULL DEFAULT '',
  is_test boolean NOT NULL DEFAULT false,
  paid_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX payments_provider ON payments (provider, provider_id);
CREATE INDEX payments_organization ON payments (organization_id, paid_at DESC);
CREATE INDEX payments_checkout ON payments (checkout_id);
CREATE INDEX payments_newest ON payments (paid_at DESC, id DESC);

-- The shares of payments for orders. The rest of a payment is not allocated yet.
CREATE TABLE payment_allocations (
  id uuid PRIMARY KEY,
  payment_id uuid NOT NULL REFERENCES payments (id),
  order_id uuid NOT NULL REFERENCES orders (id),
  amount bigint NOT NULL,
  actor_id uuid,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX payment_allocations_payment ON payment_allocations (payment_id);
CREATE INDEX payment_allocations_order ON payment_allocations (order_id);

CREATE TABLE refunds (
  id uuid PRIMARY KEY,
  order_id uuid REFERENCES orders (id),
  payment_id uuid NOT NULL REFERENCES payments (id),
  provider_id text,
  amount bigint NOT NULL CHECK (amount > 0),
  currency text NOT NULL,
  reason text NOT NULL DEFAULT '',
  -- Asked: it waits for a second person.
  state text NOT NULL CHECK (state IN ('asked', 'pending', 'succeeded', 'failed', 'declined')),
  asked_by uuid,
  approved_by uuid,
  failure text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX refunds_provider ON refunds (provider_id) WHERE provider_id IS NOT NULL;
CREATE INDEX refunds_order ON refunds (order_id);
CREATE INDEX refunds_payment ON refunds (payment_id);

CREATE TABLE disputes (
  id uuid PRIMARY KEY,
  order_id uuid REFERENCES orders (id),
  payment_id uuid NOT NULL REFERENCES payments (id),
  provider_id text NOT NULL UNIQUE,
  amount bigint NOT NULL CHECK (amount > 0),
  currency text NOT NULL,
  fee bigint NOT NULL DEFAULT 0,
  reason text NOT NULL DEFAULT '',
  state text NOT NULL CHECK (state IN ('inquiry', 'open', 'won', 'lost')),
  evidence_due_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX disputes_order ON disputes (order_id);
CREATE INDEX disputes_payment ON disputes (payment_id);

-- Verified events as they came. A job applies the current state of their object.
CREATE TABLE payment_events (
  id uuid PRIMARY KEY,
  provider text NOT NULL CHECK (provider IN ('test', 'stripe')),
  event_id text NOT NULL,
  kind text NOT NULL,
  object_kind text NOT NULL,
  object_id text NOT NULL,
  body text NOT NULL,
  occurred_at timestamptz NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now(),
  applied_at timestamptz,
  -- For staff, in words, when it could not be applied.
  refusal text NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX payment_events_once ON payment_events (provider, event_id);
CREATE INDEX payment_events_object ON payment_events (object_id);
CREATE INDEX payment_events_waiting ON payment_events (received_at) WHERE applied_at IS NULL;

-- Double entry: the entries of one cause sum to zero, and so do those of each order and currency.
CREATE TABLE ledger_entries (
  id uuid PRIMARY KEY,
  order_id uuid REFERENCES orders (id),
  payment_id uuid REFERENCES payments (id),
  -- Its cause, such as 'payment:' and an id. The entries of a cause are written once.
  cause text NOT NULL,
  account text NOT NULL CHECK (account IN (
    'receivable', 'revenue', 'prepayments', 'tax', 'cash', 'fees', 'disputed', 'losses', 'unallocated', 'reminder_fees', 'rounding')),
  -- Debits are positive.
  amount bigint NOT NULL CHECK (amount <> 0),
  currency text NOT NULL,
  is_test boolean NOT NULL DEFAULT false,
  occurred_at timestamptz NOT NULL DEFAULT now(),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX ledger_entries_once ON ledger_entries (cause, account, order_id) NULLS NOT DISTINCT;
CREATE INDEX ledger_entries_order ON ledger_entries (order_id);
CREATE INDEX ledger_entries_payment ON ledger_entries (payment_id);
CREATE INDEX ledger_entries_occurred ON ledger_entries (occurred_at, id);

CREATE OR REPLACE FUNCTION keep_ledger() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'DELETE' AND OLD.is_test THEN RETURN OLD; END IF; RAISE EXCEPTION 'The ledger is only added to.'; END $$;
CREATE TRIGGER ledger_entries_kept BEFORE UPDATE OR DELETE ON ledger_entries FOR EACH ROW EXECUTE FUNCTION keep_ledger();

CREATE OR REPLACE FUNCTION balance_ledger() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF EXISTS (SELECT FROM ledger_entries WHERE cause = NEW.cause GROUP BY order_id, currency HAVING sum(amount) <> 0)
  THEN RAISE EXCEPTION 'The entries of % do not sum to zero.', NEW.cause; END IF; RETURN NULL; END $$;
CREATE CONSTRAINT TRIGGER ledger_entries_balanced AFTER INSERT ON ledger_entries DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION balance_ledger();

-- The objects of the provider of tests, which a real one would keep.
CREATE TABLE test_payment_objects (
  id text PRIMARY KEY,
  kind text NOT NULL,
  body jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);

-- A grant of an order ends with its payment, whatever else gives access.
ALTER TABLE entitlements ADD COLUMN order_id uuid REFERENCES orders (id);
ALTER TABLE entitlements ADD COLUMN subscription_id uuid REFERENCES subscriptions (id);
-- Versions published later are not included. Null: all.
ALTER TABLE entitlements ADD COLUMN versions_until timestamptz;
-- While a payment is disputed.
ALTER TABLE entitlements ADD COLUMN suspended_at timestamptz;
-- Null: by a payment.
ALTER TABLE entitlements ALTER COLUMN granted_by DROP NOT NULL;
DROP INDEX entitlements_one_live;
CREATE UNIQUE INDEX entitlements_one_live ON entitlements (product_id, organization_id) WHERE revoked_at IS NULL AND order_id IS NULL;
CREATE UNIQUE INDEX entitlements_one_of_order ON entitlements (order_id) WHERE revoked_at IS NULL AND order_id IS NOT NULL;
CREATE UNIQUE INDEX entitlements_one_of_subscription ON entitlements (subscription_id) WHERE revoked_at IS NULL AND subscription_id IS NOT NULL;
CREATE INDEX entitlements_live ON entitlements (product_id, organization_id) WHERE revoked_at IS NULL;

-- How much of unpaid orders by invoice an organization may have open. Null: it cannot buy by invoice.
ALTER TABLE organizations ADD COLUMN invoice_limit bigint CHECK (invoice_limit >= 0);
-- For the provider of payments.
ALTER TABLE organizations ADD COLUMN stripe_customer text;

-- Sales have to be kept, so an organization with orders outlives its account, closed.
CREATE OR REPLACE FUNCTION take_personal_organization() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  DELETE FROM organization_members WHERE user_id = OLD.id; UPDATE organizations SET state = 'closed' WHERE id = OLD.id
    AND is_personal; DELETE FROM organizations WHERE id = OLD.id AND is_personal AND NOT EXISTS (SELECT FROM orders WHERE organization_id = OLD.id)
    AND NOT EXISTS (SELECT FROM payments WHERE organization_id = OLD.id); RETURN NULL; END $$;

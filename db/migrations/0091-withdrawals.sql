-- The consent of a private person to begin before the withdrawal period ends: its text, version, when, and by whom.
ALTER TABLE orders ADD COLUMN supply_consent jsonb;

-- Withdrawals from contracts as they arrived, one for an order.
CREATE TABLE order_withdrawals (
  id uuid PRIMARY KEY,
  order_id uuid NOT NULL UNIQUE REFERENCES orders (id) ON DELETE CASCADE,
  name text NOT NULL,
  -- The receipt went there.
  email text NOT NULL,
  statement text NOT NULL,
  -- Refunded: the refund is on its way. Staff: they decide. Cancelled: nothing was paid.
  state text NOT NULL DEFAULT 'received' CHECK (state IN ('received', 'refunded', 'staff', 'cancelled')),
  -- Why staff decide.
  reason text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);

ALTER TABLE billing_tasks DROP CONSTRAINT billing_tasks_kind_check;
ALTER TABLE billing_tasks ADD CONSTRAINT billing_tasks_kind_check
  CHECK (kind IN ('difference', 'refund_failed', 'late_payment', 'double_subscription', 'dispute', 'withdrawal'));

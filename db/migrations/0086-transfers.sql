-- Bank statements that staff import, and what was decided about each incoming payment. Other outgoing payments are not stored.
CREATE TABLE bank_files (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  format text NOT NULL CHECK (format IN ('camt', 'csv')),
  imported_by uuid,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE bank_lines (
  id uuid PRIMARY KEY,
  file_id uuid NOT NULL REFERENCES bank_files (id),
  -- A hash of everything that the bank says about it, and of its place among equal lines: statements overlap, and each line counts once.
  identity text NOT NULL UNIQUE,
  account text NOT NULL,
  booked_on date NOT NULL,
  -- Negative: it left the account.
  amount bigint NOT NULL CHECK (amount <> 0),
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  payer text NOT NULL DEFAULT '',
  payer_account text NOT NULL DEFAULT '',
  purpose text NOT NULL DEFAULT '',
  bank_reference text NOT NULL DEFAULT '',
  is_return boolean NOT NULL DEFAULT false,
  -- The amount that the payer ordered, where it is another one or in another currency.
  instructed_amount bigint,
  instructed_currency text,
  fee bigint NOT NULL DEFAULT 0,
  state text NOT NULL CHECK (state IN ('open', 'booked', 'ignored')),
  payment_id uuid REFERENCES payments (id) ON DELETE CASCADE,
  -- Null: it was booked by its reference and amount.
  decided_by uuid,
  decided_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK ((instructed_amount IS NULL) = (instructed_currency IS NULL))
);
CREATE INDEX bank_lines_newest ON bank_lines (booked_on DESC, id DESC);
CREATE INDEX bank_lines_open ON bank_lines (booked_on) WHERE state = 'open';
CREATE INDEX bank_lines_payer ON bank_lines (payer_account) WHERE payment_id IS NOT NULL;
CREATE INDEX bank_lines_file ON bank_lines (file_id);
CREATE INDEX bank_lines_payment ON bank_lines (payment_id);
CREATE INDEX bank_lines_same_day ON bank_lines (booked_on, amount);

-- The reminders of each unpaid invoice. A step is sent once.
CREATE TABLE order_reminders (
  order_id uuid NOT NULL REFERENCES orders (id) ON DELETE CASCADE,
  step integer NOT NULL CHECK (step BETWEEN 1 AND 3),
  -- Interest and fee that it asks for, in the smallest unit of the currency of the order.
  interest bigint NOT NULL DEFAULT 0,
  fee bigint NOT NULL DEFAULT 0,
  sent_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (order_id, step)
);

-- Nothing is booked or dated into a closed month.
CREATE TABLE closed_months (
  -- Its first day, in the zone of the business.
  month date PRIMARY KEY CHECK (extract(day FROM month) = 1),
  ends_at timestamptz NOT NULL,
  closed_by uuid,
  closed_at timestamptz NOT NULL DEFAULT now()
);

-- A late event of a closed month is booked into the open one. Closing waits for bookings on their way.
CREATE OR REPLACE FUNCTION book_into_open_month() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtextextended('billing.month-end', 0)); IF NEW.occurred_at < (SELECT max(ends_at) FROM closed_months)
  THEN NEW.occurred_at := now(); END IF; RETURN NEW; END $$;
CREATE TRIGGER ledger_entries_open_month BEFORE INSERT ON ledger_entries FOR EACH ROW EXECUTE FUNCTION book_into_open_month();

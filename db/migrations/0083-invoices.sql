-- Invoices: numbered without gaps, and never changed once issued. Amounts are integers of the smallest unit of their currency.

-- The last number of each series and year. Its row is locked by whoever takes the next one, until that invoice is committed.
CREATE TABLE invoice_counters (
  series text NOT NULL,
  year integer NOT NULL,
  last integer NOT NULL,
  -- Numbers rise with their dates.
  last_on date NOT NULL,
  PRIMARY KEY (series, year)
);

CREATE TABLE invoices (
  id uuid PRIMARY KEY,
  number text NOT NULL UNIQUE,
  series text NOT NULL,
  year integer NOT NULL,
  serial integer NOT NULL CHECK (serial > 0),
  kind text NOT NULL CHECK (kind IN ('invoice', 'prepayment', 'credit_note', 'corrected')),
  order_id uuid NOT NULL REFERENCES orders (id),
  organization_id uuid NOT NULL REFERENCES organizations (id),
  -- The invoice that a credit note or a corrected invoice is about.
  corrects_id uuid REFERENCES invoices (id),
  currency text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
  -- A credit note has positive amounts.
  net bigint NOT NULL,
  tax bigint NOT NULL,
  gross bigint NOT NULL,
  -- In the time zone of the business.
  issued_on date NOT NULL,
  due_on date,
  -- Everything that it says.
  document jsonb NOT NULL,
  is_test boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  CHECK (net + tax = gross),
  CHECK ((kind IN ('credit_note', 'corrected')) = (corrects_id IS NOT NULL)),
  UNIQUE (series, year, serial)
);
-- One supply has one document.
CREATE UNIQUE INDEX invoices_one_of_order ON invoices (order_id) WHERE kind IN ('invoice', 'prepayment');
CREATE INDEX invoices_order ON invoices (order_id);
CREATE INDEX invoices_organization ON invoices (organization_id, issued_on DESC);
CREATE INDEX invoices_corrects ON invoices (corrects_id);
CREATE INDEX invoices_newest ON invoices (issued_on DESC, id DESC);

-- No country asks for fewer than six years. The settings say how many it is here.
CREATE OR REPLACE FUNCTION keep_invoices() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  IF TG_OP = 'DELETE' AND (OLD.is_test OR OLD.year < extract(year FROM now()) - 6) THEN RETURN OLD; END IF; RAISE EXCEPTION 'An invoice that was issued is never changed.'; END $$;
CREATE TRIGGER invoices_kept BEFORE UPDATE OR DELETE ON invoices FOR EACH ROW EXECUTE FUNCTION keep_invoices();

-- The files of an invoice are made after it was issued, and may be made again.
CREATE TABLE invoice_files (
  invoice_id uuid PRIMARY KEY REFERENCES invoices (id) ON DELETE CASCADE,
  -- Its number is in the file storage. Nothing leaves before.
  number_stored_at timestamptz,
  pdf_bytes integer,
  pdf_hash text,
  -- An XML file of its own, beside the one inside the PDF.
  xml_format text NOT NULL DEFAULT '' CHECK (xml_format IN ('', 'factur-x', 'xrechnung', 'peppol')),
  xml_bytes integer,
  xml_hash text,
  -- In words, for staff.
  failure text NOT NULL DEFAULT '',
  made_at timestamptz,
  sent_at timestamptz
);
CREATE INDEX invoice_files_waiting ON invoice_files (invoice_id) WHERE made_at IS NULL;

-- Every answer about a VAT number.
CREATE TABLE vat_checks (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  invoice_id uuid REFERENCES invoices (id) ON DELETE CASCADE,
  vat_number text NOT NULL,
  state text NOT NULL CHECK (state IN ('valid', 'invalid', 'not_checked')),
  consultation text NOT NULL DEFAULT '',
  -- Why there was no answer.
  failure text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX vat_checks_organization ON vat_checks (organization_id, created_at DESC);
CREATE INDEX vat_checks_invoice ON vat_checks (invoice_id);

-- A state or province, where tax depends on it.
ALTER TABLE organizations ADD COLUMN region text NOT NULL DEFAULT '';
-- The reference of the buyer on each invoice, such as a routing number of a public authority.
ALTER TABLE organizations ADD COLUMN buyer_reference text NOT NULL DEFAULT '';
-- Where electronic invoices arrive, with its scheme, such as 0204:991-12345-06.
ALTER TABLE organizations ADD COLUMN electronic_address text NOT NULL DEFAULT '';
ALTER TABLE organizations ADD COLUMN invoice_format text NOT NULL DEFAULT '' CHECK (invoice_format IN ('', 'xrechnung', 'peppol'));
-- Why staff accept the VAT number while the register of the EU does not answer.
ALTER TABLE organizations ADD COLUMN vat_evidence text NOT NULL DEFAULT '';

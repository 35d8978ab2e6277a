-- Whom an email asks to answer, beside its sender: web forms write from an address that nobody reads.
ALTER TABLE lead_messages
  ADD COLUMN reply_to_name text NOT NULL DEFAULT '',
  ADD COLUMN reply_to_address text NOT NULL DEFAULT '';

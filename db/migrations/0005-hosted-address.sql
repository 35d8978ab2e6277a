-- Whether an address belongs to the person who uses the account, as the hosted service has told us itself. Some services never ask.
ALTER TABLE hosted_accounts ADD COLUMN email_confirmed_at timestamptz;
-- Whether this person has a second factor there: a session without it is not worth much then.
ALTER TABLE hosted_accounts ADD COLUMN has_factor boolean NOT NULL DEFAULT false;

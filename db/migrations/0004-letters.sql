-- Letters and codes that prove an address.

-- Whoever asked for this one need not be who made the account: what was set before its address was proven goes with it.
ALTER TABLE one_time_tokens ADD COLUMN drops_unproven boolean NOT NULL DEFAULT false;

-- A typed code is looked for by the address that it was sent to.
CREATE INDEX one_time_tokens_sent_to ON one_time_tokens (sent_to);

-- The first of the two letters of a new address has been followed: kept until the other one has been, too.
ALTER TABLE one_time_tokens ADD COLUMN followed_at timestamptz;

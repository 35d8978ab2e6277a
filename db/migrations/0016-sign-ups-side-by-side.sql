-- Each sign-up of an address has its own email, and all of them work until one is followed. Of other emails, the latest of each kind works.
ALTER TABLE one_time_tokens ADD COLUMN sign_up text NOT NULL DEFAULT '';
ALTER TABLE one_time_tokens DROP CONSTRAINT one_time_tokens_user_id_kind_key;
ALTER TABLE one_time_tokens ADD CONSTRAINT one_time_tokens_one UNIQUE (user_id, kind, sign_up);

-- Linked before any address of the account was confirmed: a recovery by email removes it.
ALTER TABLE identities ADD COLUMN joined_unproven boolean NOT NULL DEFAULT false;

-- The hosted service auto-confirmed the address when this account was first seen. A later change of its settings does not confirm it.
ALTER TABLE hosted_accounts ADD COLUMN email_assumed boolean NOT NULL DEFAULT false;

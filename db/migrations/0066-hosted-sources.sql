-- Where an account of a hosted auth service came from, as of `users`.
ALTER TABLE hosted_accounts ADD COLUMN came_from jsonb;
-- The same until the account's first session, by the id that the service gave it. The service makes up an id for an address that has an account.
CREATE TABLE hosted_sign_ups (
  id uuid PRIMARY KEY,
  came_from jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX hosted_sign_ups_oldest ON hosted_sign_ups (created_at);

-- The rest of the auth service, and what people do with their own accounts.

-- What the holder of a proof key began and has not finished: by a letter or at another provider. `id` is the `state` sent to a provider.
CREATE TABLE flow_states (
  id uuid PRIMARY KEY,
  -- Nobody yet while a provider is being asked.
  user_id uuid REFERENCES users (id) ON DELETE CASCADE,
  -- How the session came about, as `amr` names it after the exchange.
  method text NOT NULL,
  code_challenge text,
  code_challenge_method text CHECK (code_challenge_method IN ('s256', 'plain')),
  -- Given out once the person is known; only its hash is kept.
  code_hash bytea UNIQUE,
  provider text,
  redirect_to text,
  -- The user who adds a provider to their account, while they are signed in.
  linking_user_id uuid REFERENCES users (id) ON DELETE CASCADE,
  -- What our own request to the provider has to be finished with, and what the provider gave: sealed.
  secrets_sealed bytea,
  created_at timestamptz NOT NULL DEFAULT now(),
  used_at timestamptz,
  code_issued_at timestamptz
);
CREATE INDEX flow_states_user ON flow_states (user_id, method, created_at DESC);
CREATE INDEX flow_states_old ON flow_states (created_at);

-- A letter of a flow leads to a code instead of a session.
ALTER TABLE one_time_tokens ADD COLUMN flow_id uuid REFERENCES flow_states (id) ON DELETE SET NULL;

CREATE TABLE mfa_factors (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  factor_type text NOT NULL CHECK (factor_type IN ('totp', 'phone')),
  status text NOT NULL DEFAULT 'unverified' CHECK (status IN ('unverified', 'verified')),
  friendly_name text,
  phone text,
  -- The secret of a time-based code, sealed for this row.
  secret_sealed bytea,
  -- The last step of time whose code was accepted: no code counts twice.
  last_step bigint,
  last_challenged_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT mfa_factors_kind CHECK ((factor_type = 'totp') = (secret_sealed IS NOT NULL) AND (factor_type = 'phone') = (phone IS NOT NULL))
);
CREATE INDEX mfa_factors_user ON mfa_factors (user_id, created_at);
CREATE UNIQUE INDEX mfa_factors_name ON mfa_factors (user_id, friendly_name) WHERE friendly_name <> '';
CREATE UNIQUE INDEX mfa_factors_phone ON mfa_factors (user_id, phone) WHERE phone IS NOT NULL;

CREATE TABLE mfa_challenges (
  id uuid PRIMARY KEY,
  factor_id uuid NOT NULL REFERENCES mfa_factors (id) ON DELETE CASCADE,
  session_id uuid NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  address text NOT NULL,
  -- Of a code that was sent; a time-based one is known by its factor.
  code_hmac bytea,
  tries smallint NOT NULL DEFAULT 0,
  verified_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX mfa_challenges_factor ON mfa_challenges (factor_id);
CREATE INDEX mfa_challenges_old ON mfa_challenges (created_at);

-- Which factor raised a session: it falls back when that factor goes.
ALTER TABLE sessions ADD COLUMN factor_id uuid REFERENCES mfa_factors (id) ON DELETE SET NULL;

-- For who has lost their second factor. Each works once; only hashes are kept.
CREATE TABLE recovery_codes (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  code_hash bytea NOT NULL,
  used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (user_id, code_hash)
);

-- Signed messages that have opened a session, until they would no longer be accepted anyway.
CREATE TABLE spent_signatures (
  signature_hash bytea PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
CREATE INDEX spent_signatures_expiry ON spent_signatures (expires_at);

-- Pictures that people have given of themselves, made small. `id` is part of the address, so a new picture has a new one.
CREATE TABLE avatars (
  user_id uuid PRIMARY KEY,
  id uuid NOT NULL UNIQUE,
  picture bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- People who asked to be deleted, and when that will be done. Until then signing in and saying so takes it back.
CREATE TABLE account_deletions (
  user_id uuid PRIMARY KEY,
  due_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX account_deletions_due ON account_deletions (due_at);

-- While a hosted service keeps the accounts: what it does not keep for us, by the `sub` and `session_id` of its tokens.
CREATE TABLE hosted_accounts (
  id uuid PRIMARY KEY,
  email citext,
  role text NOT NULL DEFAULT 'customer' CHECK (role IN ('customer', 'staff', 'owner')),
  user_metadata jsonb NOT NULL DEFAULT '{}',
  banned_until timestamptz,
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX hosted_accounts_email ON hosted_accounts (email);
CREATE TABLE hosted_sessions (
  id uuid PRIMARY KEY,
  account_id uuid NOT NULL REFERENCES hosted_accounts (id) ON DELETE CASCADE,
  user_agent text,
  address text,
  ended_at timestamptz,
  last_seen_at timestamptz NOT NULL DEFAULT now(),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX hosted_sessions_account ON hosted_sessions (account_id);

-- Staff look for an account by a part of its address or name.
CREATE INDEX users_newest ON users (created_at DESC, id DESC);
CREATE INDEX audit_events_action ON audit_events (action, created_at DESC, id DESC);

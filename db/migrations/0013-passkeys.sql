-- Passkeys, and keys that serve as a second factor (WebAuthn).

ALTER TABLE mfa_factors DROP CONSTRAINT mfa_factors_factor_type_check;
ALTER TABLE mfa_factors ADD CONSTRAINT mfa_factors_factor_type_check CHECK (factor_type IN ('totp', 'phone', 'webauthn'));

CREATE TABLE webauthn_credentials (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- The second factor that uses this credential. Without one it is a passkey, which signs in.
  factor_id uuid UNIQUE REFERENCES mfa_factors (id) ON DELETE CASCADE,
  credential_id bytea NOT NULL CONSTRAINT webauthn_credentials_credential_id UNIQUE,
  -- In COSE encoding.
  public_key bytea NOT NULL,
  sign_count bigint NOT NULL DEFAULT 0,
  -- The model of the authenticator; null if unknown.
  aaguid uuid,
  transports jsonb NOT NULL DEFAULT '[]',
  backup_eligible boolean NOT NULL DEFAULT false,
  backed_up boolean NOT NULL DEFAULT false,
  friendly_name text NOT NULL DEFAULT '',
  last_used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX webauthn_credentials_user ON webauthn_credentials (user_id, created_at);

-- Each works once. A challenge for a registration belongs to the session that requested it.
CREATE TABLE passkey_challenges (
  id uuid PRIMARY KEY,
  session_id uuid REFERENCES sessions (id) ON DELETE CASCADE,
  challenge bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX passkey_challenges_old ON passkey_challenges (created_at);
CREATE INDEX passkey_challenges_session ON passkey_challenges (session_id);

-- The challenge that an authenticator signs to pass a second factor.
ALTER TABLE mfa_challenges ADD COLUMN webauthn_challenge bytea;

-- Rights that the owner gives to an account beside its role, such as 'billing.write'.
ALTER TABLE users ADD COLUMN rights jsonb NOT NULL DEFAULT '[]';
ALTER TABLE hosted_accounts ADD COLUMN rights jsonb NOT NULL DEFAULT '[]';

CREATE OR REPLACE VIEW accounts AS
  SELECT id, false AS is_hosted, email, email_confirmed_at,
    -- Auto-confirm is no proof.
    email_confirmed_at IS NOT NULL AND NOT email_assumed AS email_proven,
    coalesce(email_confirmed_at, phone_confirmed_at) IS NOT NULL AS is_confirmed,
    app_metadata->>'role' AS role,
    id = (SELECT owner_id FROM installation) AS owns_installation,
    staff_since,
    EXISTS (SELECT FROM mfa_factors WHERE user_id = users.id AND status = 'verified') AS has_factor,
    user_metadata, banned_until, created_at, deleted_at, rights
  FROM users
UNION ALL
  SELECT id, true, email::citext, email_confirmed_at,
    email_confirmed_at IS NOT NULL,
    email_confirmed_at IS NOT NULL,
    role,
    role = 'owner',
    staff_since,
    has_factor,
    user_metadata, banned_until, created_at, deleted_at, rights
  FROM hosted_accounts;

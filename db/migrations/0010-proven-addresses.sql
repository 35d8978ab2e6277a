-- A sign-up belongs to its own email: password and profile are sealed with its one-time token, and only that token installs them.

ALTER TABLE one_time_tokens ADD COLUMN brought_sealed bytea;
ALTER TABLE one_time_tokens DROP COLUMN drops_unproven;
-- `address` confirms an address and installs no values of another person.
ALTER TABLE one_time_tokens DROP CONSTRAINT one_time_tokens_kind_check;
ALTER TABLE one_time_tokens ADD CONSTRAINT one_time_tokens_kind_check
  CHECK (kind IN ('confirmation', 'address', 'recovery', 'email_change_current', 'email_change_new', 'phone_change', 'reauthentication'));

-- Confirmed by a setting, without a proof: such an address owns nothing and holds no role.
ALTER TABLE users ADD COLUMN email_assumed boolean NOT NULL DEFAULT false;
ALTER TABLE users ADD COLUMN phone_assumed boolean NOT NULL DEFAULT false;
-- The role of an invitation, granted when the address is confirmed.
ALTER TABLE users ADD COLUMN invited_role text CHECK (invited_role IN ('staff', 'owner'));
ALTER TABLE hosted_accounts ADD COLUMN invited_role text CHECK (invited_role IN ('staff', 'owner'));

-- An anonymous account with a confirmed address or another sign-in method is permanent.
UPDATE users SET is_anonymous = false
WHERE is_anonymous
  AND (email_confirmed_at IS NOT NULL OR phone_confirmed_at IS NOT NULL OR EXISTS (SELECT FROM identities WHERE identities.user_id = users.id));

-- Unconfirmed accounts lose everything here, because their passwords, profiles, roles and grants may be a stranger's.
CREATE TEMPORARY TABLE unproven AS
  SELECT id FROM users
  WHERE email_confirmed_at IS NULL AND phone_confirmed_at IS NULL AND (email IS NOT NULL OR phone IS NOT NULL) AND deleted_at IS NULL;
DELETE FROM sessions WHERE user_id IN (SELECT id FROM unproven);
DELETE FROM identities WHERE user_id IN (SELECT id FROM unproven) AND provider NOT IN ('email', 'phone');
DELETE FROM mfa_factors WHERE user_id IN (SELECT id FROM unproven);
DELETE FROM recovery_codes WHERE user_id IN (SELECT id FROM unproven);
DELETE FROM api_keys WHERE user_id IN (SELECT id FROM unproven);
DELETE FROM avatars WHERE user_id IN (SELECT id FROM unproven);
UPDATE entitlements SET revoked_at = now() WHERE revoked_at IS NULL AND user_id IN (SELECT id FROM unproven);
UPDATE users SET
  password_hash = NULL,
  password_short = false,
  new_email = NULL,
  new_phone = NULL,
  invited_role = CASE WHEN invited_at IS NOT NULL AND app_metadata->>'role' IN ('staff', 'owner') THEN app_metadata->>'role' END,
  app_metadata = app_metadata - 'role',
  user_metadata = coalesce(
    (SELECT jsonb_object_agg(key, value) FROM jsonb_each(user_metadata) WHERE key IN ('sub', 'email', 'phone', 'email_verified', 'phone_verified')),
    '{}')
WHERE id IN (SELECT id FROM unproven);
UPDATE identities SET identity_data = coalesce(
    (SELECT jsonb_object_agg(key, value) FROM jsonb_each(identity_data) WHERE key IN ('sub', 'email', 'phone', 'email_verified', 'phone_verified')),
    '{}')
WHERE user_id IN (SELECT id FROM unproven);
DROP TABLE unproven;

-- The hosted service reports confirmed addresses at the next sign-in. Until then the role is pending.
UPDATE hosted_accounts SET invited_role = 'staff', role = 'customer' WHERE role = 'staff' AND email_confirmed_at IS NULL AND deleted_at IS NULL;

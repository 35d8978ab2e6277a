-- Customers are companies. Every account has an organization of one with the id of the account, which is shown as "Personal".
CREATE TABLE organizations (
  id uuid PRIMARY KEY,
  -- Only companies have one.
  reference text UNIQUE CHECK ((reference IS NULL) = is_personal),
  is_personal boolean NOT NULL DEFAULT false,
  -- Empty for a personal one.
  name text NOT NULL DEFAULT '',
  legal_name text NOT NULL DEFAULT '',
  address text NOT NULL DEFAULT '',
  country_code text NOT NULL DEFAULT '' CHECK (country_code ~ '^([A-Z]{2})?$'),
  -- Empty, as the texts around it: not asked yet.
  kind text NOT NULL DEFAULT '' CHECK (kind IN ('', 'business', 'consumer')),
  vat_number text NOT NULL DEFAULT '',
  vat_state text NOT NULL DEFAULT 'not_checked' CHECK (vat_state IN ('valid', 'invalid', 'not_checked')),
  vat_checked_at timestamptz,
  vat_consultation text,
  -- Empty: the setting of the installation.
  currency text NOT NULL DEFAULT '' CHECK (currency ~ '^([A-Z]{3})?$'),
  language text NOT NULL DEFAULT '' CHECK (language ~ '^([a-z]{2})?$'),
  needs_purchase_order boolean NOT NULL DEFAULT false,
  -- Missing: the usual one.
  payment_days integer CHECK (payment_days BETWEEN 0 AND 180),
  -- Separated by commas.
  billing_emails text NOT NULL DEFAULT '',
  -- For staff alone.
  notes text NOT NULL DEFAULT '',
  state text NOT NULL DEFAULT 'active' CHECK (state IN ('active', 'suspended', 'closed')),
  -- Requests to the Data API a month, by all keys together.
  monthly_quota integer NOT NULL CHECK (monthly_quota >= 0),
  -- The only sign-in provider that its members may use here.
  sign_in_provider text NOT NULL DEFAULT '',
  -- Since when staff know that nobody can manage it.
  without_admin_since timestamptz,
  -- No reference: it can be a later row, and rows are copied in their order.
  merged_into uuid,
  version integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX organizations_newest ON organizations (created_at DESC, id DESC) WHERE NOT is_personal;
CREATE INDEX organizations_vat ON organizations (vat_number) WHERE vat_number <> '';

CREATE TABLE organization_members (
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  -- An account, here or at a hosted service.
  user_id uuid NOT NULL,
  role text NOT NULL CHECK (role IN ('reader', 'member', 'buyer', 'admin')),
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (organization_id, user_id)
);
CREATE INDEX organization_members_user ON organization_members (user_id);

CREATE TABLE organization_invitations (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  email text NOT NULL,
  role text NOT NULL CHECK (role IN ('reader', 'member', 'buyer', 'admin')),
  -- The link of the email proves the address where accounts are confirmed without one.
  token_hash bytea NOT NULL UNIQUE,
  invited_by uuid NOT NULL,
  expires_at timestamptz NOT NULL,
  settled_at timestamptz,
  outcome text CHECK (outcome IN ('accepted', 'declined', 'revoked')),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX organization_invitations_one_open ON organization_invitations (organization_id, lower(email)) WHERE settled_at IS NULL;
CREATE INDEX organization_invitations_email ON organization_invitations (lower(email)) WHERE settled_at IS NULL;

-- Addresses of a proven domain may ask to join.
CREATE TABLE organization_domains (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  domain text NOT NULL,
  -- The value of the TXT record.
  challenge text NOT NULL,
  proven_at timestamptz,
  proven_by text CHECK (proven_by IN ('dns', 'staff')),
  -- Kept for a while, for an undo, and with its record for good: whoever adds it again need not set another one.
  removed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX organization_domains_key ON organization_domains (organization_id, lower(domain));
-- Of two organizations that prove one domain, the second is refused.
CREATE UNIQUE INDEX organization_domains_one_proven ON organization_domains (lower(domain)) WHERE proven_at IS NOT NULL AND removed_at IS NULL;

CREATE TABLE organization_join_requests (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  user_id uuid NOT NULL,
  settled_at timestamptz,
  outcome text CHECK (outcome IN ('accepted', 'declined')),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX organization_join_requests_one_open ON organization_join_requests (organization_id, user_id) WHERE settled_at IS NULL;
CREATE INDEX organization_join_requests_user ON organization_join_requests (user_id);

-- What a merge moved, for an undo.
CREATE TABLE organization_merges (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  into_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  moved jsonb NOT NULL,
  actor_id uuid,
  undone_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX organization_merges_organization ON organization_merges (organization_id);
CREATE INDEX organization_merges_into ON organization_merges (into_id, created_at DESC);

-- Whoever inserts an account, by whichever way, gives it its organization.
CREATE OR REPLACE FUNCTION give_personal_organization() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  INSERT INTO organizations (id, is_personal, monthly_quota) VALUES (NEW.id, true, 200000) ON CONFLICT (id) DO NOTHING; INSERT INTO
    organization_members (organization_id, user_id, role) VALUES (NEW.id, NEW.id, 'admin') ON CONFLICT DO NOTHING; RETURN NULL; END $$;
CREATE TRIGGER users_personal_organization AFTER INSERT ON users FOR EACH ROW EXECUTE FUNCTION give_personal_organization();
CREATE TRIGGER hosted_accounts_personal_organization AFTER INSERT ON hosted_accounts FOR EACH ROW EXECUTE FUNCTION give_personal_organization();

-- Accounts of today, and those that are gone but whose grants or keys are still told of.
INSERT INTO organizations (id, is_personal, monthly_quota)
  SELECT id, true, 200000 FROM (
    SELECT id FROM users UNION SELECT id FROM hosted_accounts UNION SELECT user_id FROM entitlements UNION SELECT user_id FROM product_requests
    UNION SELECT user_id FROM downloads UNION SELECT user_id FROM api_keys) AS account;
INSERT INTO organization_members (organization_id, user_id, role)
  SELECT id, id, 'admin' FROM users UNION SELECT id, id, 'admin' FROM hosted_accounts;

-- A person alone can have 20 keys of 10,000 requests. Where staff gave a key more, the organization has it too.
UPDATE organizations SET monthly_quota = 200000 + given.more FROM (
  SELECT user_id, sum(greatest(monthly_quota - 10000, 0))::integer AS more FROM (
    SELECT DISTINCT user_id, counted_as, monthly_quota FROM api_keys) AS key GROUP BY user_id) AS given
  WHERE organizations.id = given.user_id AND given.more > 0;

ALTER TABLE entitlements ADD COLUMN organization_id uuid REFERENCES organizations (id) ON DELETE CASCADE;
UPDATE entitlements SET organization_id = user_id;
ALTER TABLE entitlements ALTER COLUMN organization_id SET NOT NULL;
-- Missing: granted to the organization as a whole.
ALTER TABLE entitlements ALTER COLUMN user_id DROP NOT NULL;
DROP INDEX entitlements_one_live;
CREATE UNIQUE INDEX entitlements_one_live ON entitlements (product_id, organization_id) WHERE revoked_at IS NULL;
CREATE INDEX entitlements_organization ON entitlements (organization_id);

ALTER TABLE product_requests ADD COLUMN organization_id uuid REFERENCES organizations (id) ON DELETE CASCADE;
UPDATE product_requests SET organization_id = user_id;
ALTER TABLE product_requests ALTER COLUMN organization_id SET NOT NULL;
DROP INDEX product_requests_one_open;
CREATE UNIQUE INDEX product_requests_one_open ON product_requests (product_id, organization_id) WHERE settled_at IS NULL;
CREATE INDEX product_requests_organization ON product_requests (organization_id);

ALTER TABLE downloads ADD COLUMN organization_id uuid REFERENCES organizations (id) ON DELETE SET NULL;
UPDATE downloads SET organization_id = user_id;
CREATE INDEX downloads_organization ON downloads (organization_id, created_at DESC);

ALTER TABLE api_keys ADD COLUMN organization_id uuid REFERENCES organizations (id) ON DELETE CASCADE;
UPDATE api_keys SET organization_id = user_id;
ALTER TABLE api_keys ALTER COLUMN organization_id SET NOT NULL;
-- A service key belongs to no person: it stays when its maker, `user_id`, leaves.
ALTER TABLE api_keys ADD COLUMN is_service boolean NOT NULL DEFAULT false;
CREATE INDEX api_keys_organization ON api_keys (organization_id, created_at DESC);

CREATE TABLE organization_quotas (
  organization_id uuid NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  month date NOT NULL,
  used integer NOT NULL DEFAULT 0,
  told integer NOT NULL DEFAULT 0,
  PRIMARY KEY (organization_id, month)
);
INSERT INTO organization_quotas (organization_id, month, used)
  SELECT key.organization_id, quota.month, sum(quota.used)::integer FROM api_quotas AS quota JOIN api_keys AS key ON key.id = quota.key_id
  GROUP BY key.organization_id, quota.month;

-- Joins leads and clients: by an invitation, an order, a proposal or by hand, never by the domain of an address.
ALTER TABLE people ADD COLUMN organization_id uuid REFERENCES organizations (id) ON DELETE SET NULL;
CREATE INDEX people_organization ON people (organization_id) WHERE organization_id IS NOT NULL;

-- What people did for an organization names it.
CREATE INDEX audit_events_organization ON audit_events ((detail->>'organization')) WHERE detail->>'organization' IS NOT NULL;

-- Whichever way an account goes, nothing of it stays in an organization.
CREATE OR REPLACE FUNCTION take_personal_organization() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  DELETE FROM organization_members WHERE user_id = OLD.id; DELETE FROM organizations WHERE id = OLD.id AND is_personal; RETURN NULL; END $$;
CREATE TRIGGER users_organization_taken AFTER DELETE ON users FOR EACH ROW EXECUTE FUNCTION take_personal_organization();
CREATE TRIGGER hosted_accounts_organization_taken AFTER DELETE ON hosted_accounts FOR EACH ROW EXECUTE FUNCTION take_personal_organization();

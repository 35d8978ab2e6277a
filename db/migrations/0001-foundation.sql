-- Every table of the first release. PostgreSQL 15 and newer; one statement ends where a line ends with a semicolon.
CREATE EXTENSION IF NOT EXISTS citext;
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- People who wrote to us. One row an address; enquiries and consultations hang on it.
CREATE TABLE people (
  id uuid PRIMARY KEY,
  email citext NOT NULL UNIQUE,
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE contacts (
  id uuid PRIMARY KEY,
  reference text NOT NULL,
  person_id uuid NOT NULL REFERENCES people (id),
  form text NOT NULL CHECK (form IN ('home', 'contact', 'landing', 'hire')),
  name text NOT NULL,
  email citext NOT NULL,
  company text,
  service_type text,
  country text NOT NULL,
  country_code char(2),
  problem text NOT NULL,
  message text NOT NULL,
  budget text,
  timeframe text,
  idempotency_key text,
  spam_score smallint NOT NULL DEFAULT 0,
  spam_reasons text[] NOT NULL DEFAULT '{}',
  quarantined_at timestamptz,
  released_at timestamptz,
  -- A person of ours has written or called back: ends the clocks of acknowledgement and response. An automatic letter does not.
  answered_at timestamptz,
  -- Ends the clock of the proposal, and since when: it is out, or none is owed.
  proposal text CHECK (proposal IN ('sent', 'not_needed')),
  proposal_settled_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Since when the hours that we promise run: our letter names them, and for an enquiry kept aside it leaves with the release.
  promised_from timestamptz NOT NULL GENERATED ALWAYS AS (coalesce(released_at, created_at)) STORED,
  -- What staff search in. The space before it lets a short term match the beginnings of words.
  search text NOT NULL GENERATED ALWAYS AS (lower(' ' || name || ' ' || email::text || ' ' || coalesce(company, '') || ' ' || coalesce(service_type, '')
    || ' ' || country || ' ' || reference || ' ' || problem || ' ' || message)) STORED,
  CONSTRAINT contacts_proposal_settled CHECK ((proposal IS NULL) = (proposal_settled_at IS NULL)),
  CONSTRAINT contacts_reference_key UNIQUE (reference),
  CONSTRAINT contacts_idempotency_key UNIQUE (idempotency_key)
);
CREATE INDEX contacts_newest ON contacts (created_at DESC, id DESC) WHERE quarantined_at IS NULL;
CREATE INDEX contacts_quarantine ON contacts (id DESC) WHERE quarantined_at IS NOT NULL;
CREATE INDEX contacts_person ON contacts (person_id, created_at DESC);
-- Who is waited for: in the order of the list, and in that of the clocks, which begin later for what was released.
CREATE INDEX contacts_waiting ON contacts (created_at) WHERE quarantined_at IS NULL AND answered_at IS NULL;
CREATE INDEX contacts_without_proposal ON contacts (created_at) WHERE quarantined_at IS NULL AND proposal IS NULL;
CREATE INDEX contacts_clock_of_answer ON contacts (promised_from) WHERE quarantined_at IS NULL AND answered_at IS NULL;
CREATE INDEX contacts_clock_of_proposal ON contacts (promised_from) WHERE quarantined_at IS NULL AND proposal IS NULL;
-- One index for each column that the list can be sorted by; in byte order, so that both engines and the cursors agree.
CREATE INDEX contacts_by_name ON contacts ((lower(name) COLLATE "C"), id) WHERE quarantined_at IS NULL;
CREATE INDEX contacts_by_email ON contacts ((lower(email::text) COLLATE "C"), id) WHERE quarantined_at IS NULL;
CREATE INDEX contacts_by_company ON contacts ((lower(coalesce(company, '')) COLLATE "C"), id) WHERE quarantined_at IS NULL;
CREATE INDEX contacts_by_service ON contacts ((lower(coalesce(service_type, '')) COLLATE "C"), id) WHERE quarantined_at IS NULL;
-- The short list of what is not yet sorted in keeps an enquiry cheap to store and a search quick.
CREATE INDEX contacts_search ON contacts USING gin (search gin_trgm_ops) WITH (gin_pending_list_limit = 512);

CREATE TABLE consultations (
  id uuid PRIMARY KEY,
  person_id uuid NOT NULL REFERENCES people (id),
  contact_id uuid REFERENCES contacts (id),
  source text NOT NULL CHECK (source IN ('contact', 'staff')),
  name text NOT NULL,
  email citext NOT NULL,
  company text,
  phone text,
  project_description text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  search text NOT NULL GENERATED ALWAYS AS (lower(' ' || name || ' ' || email::text || ' ' || coalesce(company, '') || ' ' || coalesce(phone, '')
    || ' ' || project_description)) STORED,
  CONSTRAINT consultations_contact_key UNIQUE (contact_id)
);
CREATE INDEX consultations_newest ON consultations (created_at DESC, id DESC);
CREATE INDEX consultations_person ON consultations (person_id, created_at DESC);
CREATE INDEX consultations_by_name ON consultations ((lower(name) COLLATE "C"), id);
CREATE INDEX consultations_by_email ON consultations ((lower(email::text) COLLATE "C"), id);
CREATE INDEX consultations_by_company ON consultations ((lower(coalesce(company, '')) COLLATE "C"), id);
CREATE INDEX consultations_search ON consultations USING gin (search gin_trgm_ops) WITH (gin_pending_list_limit = 512);

-- Work to be done outside of the request that asked for it, letters among it; written in the same transaction as what it serves.
CREATE TABLE jobs (
  id uuid PRIMARY KEY,
  kind text NOT NULL,
  payload jsonb NOT NULL,
  dedupe_key text,
  run_at timestamptz NOT NULL DEFAULT now(),
  attempts integer NOT NULL DEFAULT 0,
  max_attempts integer NOT NULL DEFAULT 12,
  locked_until timestamptz,
  done_at timestamptz,
  failed_at timestamptz,
  last_error text,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX jobs_due ON jobs (kind, run_at, id) WHERE done_at IS NULL AND failed_at IS NULL;
CREATE INDEX jobs_failed ON jobs (kind, id DESC) WHERE failed_at IS NOT NULL;
CREATE UNIQUE INDEX jobs_dedupe ON jobs (dedupe_key) WHERE dedupe_key IS NOT NULL;

-- The auth service. `id` is the `sub` of its tokens.
CREATE TABLE users (
  id uuid PRIMARY KEY,
  email citext UNIQUE,
  phone text UNIQUE,
  password_hash text,
  -- Too short for staff: known only while the password is at hand.
  password_short boolean NOT NULL DEFAULT false,
  email_confirmed_at timestamptz,
  phone_confirmed_at timestamptz,
  invited_at timestamptz,
  confirmation_sent_at timestamptz,
  recovery_sent_at timestamptz,
  reauthentication_sent_at timestamptz,
  new_email citext,
  email_change_sent_at timestamptz,
  new_phone text,
  phone_change_sent_at timestamptz,
  last_sign_in_at timestamptz,
  app_metadata jsonb NOT NULL DEFAULT '{}',
  user_metadata jsonb NOT NULL DEFAULT '{}',
  is_anonymous boolean NOT NULL DEFAULT false,
  banned_until timestamptz,
  deleted_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
-- At most one owner is made by being first: two confirmations at the same moment cannot both win.
CREATE TABLE installation (
  singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
  owner_id uuid REFERENCES users (id) ON DELETE SET NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
INSERT INTO installation DEFAULT VALUES;

CREATE TABLE identities (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  provider text NOT NULL,
  provider_id text NOT NULL,
  identity_data jsonb NOT NULL DEFAULT '{}',
  email citext,
  last_sign_in_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (provider, provider_id)
);
CREATE INDEX identities_user ON identities (user_id);

CREATE TABLE sessions (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  aal text NOT NULL DEFAULT 'aal1' CHECK (aal IN ('aal1', 'aal2')),
  amr jsonb NOT NULL DEFAULT '[]',
  user_agent text,
  address text,
  created_at timestamptz NOT NULL DEFAULT now(),
  refreshed_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX sessions_user ON sessions (user_id);

-- Hashes only. A used token keeps its successor sealed under a key that only the token itself gives:
-- who presents it again by right gets the successor back, who reads the database gets nothing.
CREATE TABLE refresh_tokens (
  token_hash bytea PRIMARY KEY,
  session_id uuid NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  parent_hash bytea,
  successor_sealed bytea,
  used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX refresh_tokens_session ON refresh_tokens (session_id, created_at DESC);
CREATE INDEX refresh_tokens_active_parent ON refresh_tokens (parent_hash) WHERE used_at IS NULL;
CREATE INDEX refresh_tokens_used ON refresh_tokens (used_at) WHERE used_at IS NOT NULL;

-- One live link and code for a user and a kind; both only as hashes.
CREATE TABLE one_time_tokens (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('confirmation', 'recovery', 'email_change_current', 'email_change_new', 'phone_change', 'reauthentication')),
  link_hash bytea NOT NULL UNIQUE,
  code_hmac bytea NOT NULL,
  sent_to text NOT NULL,
  tries smallint NOT NULL DEFAULT 0,
  issued_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (user_id, kind)
);

-- What happened to accounts and by whose hand. No secrets.
CREATE TABLE audit_events (
  id uuid PRIMARY KEY,
  action text NOT NULL,
  actor_id uuid,
  subject_id uuid,
  address text,
  detail jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX audit_events_newest ON audit_events (created_at DESC, id DESC);
CREATE INDEX audit_events_actor ON audit_events (actor_id, action, created_at DESC);
CREATE INDEX audit_events_subject ON audit_events (subject_id, created_at DESC);

-- Counters of rate limits when several processes share them; the shape is that of the library that keeps them.
CREATE TABLE rate_limits (
  key varchar(255) PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
);

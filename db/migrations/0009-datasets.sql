-- The data marketplace. A product is what stands on the shelf; its data are versions, each with files in the file storage and a profile made of them.
CREATE TABLE data_products (
  id uuid PRIMARY KEY,
  slug text NOT NULL,
  position integer NOT NULL,
  name text NOT NULL,
  description text NOT NULL,
  -- What the data are, at length: paragraphs of plain text.
  about text NOT NULL DEFAULT '',
  category text NOT NULL,
  price_cents integer NOT NULL CHECK (price_cents >= 0),
  is_free boolean NOT NULL,
  has_file boolean NOT NULL DEFAULT true,
  has_api boolean NOT NULL DEFAULT true,
  source text NOT NULL DEFAULT '',
  licence text NOT NULL DEFAULT '',
  licence_url text,
  lawful_basis text NOT NULL DEFAULT '',
  update_frequency text NOT NULL DEFAULT '',
  -- What its columns mean, by their names.
  column_descriptions jsonb NOT NULL DEFAULT '{}',
  -- Columns that say something of persons: their values are not shown in the sample.
  masked_columns text[] NOT NULL DEFAULT '{}',
  -- What a version has to fulfil before it can be published.
  gate jsonb NOT NULL DEFAULT '{}',
  hidden boolean NOT NULL DEFAULT true,
  -- No reference, because its version refers to it, and rows are copied table by table.
  current_version_id uuid,
  -- The first rows of the current version as JSON text, made from the data.
  sample_data text,
  version integer NOT NULL DEFAULT 1,
  removed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT data_products_free CHECK (is_free = (price_cents = 0)),
  CONSTRAINT data_products_given CHECK (has_file OR has_api)
);
-- A slug is free again once its product has been removed.
CREATE UNIQUE INDEX data_products_slug ON data_products (slug) WHERE removed_at IS NULL;
CREATE INDEX data_products_order ON data_products (position, id);

CREATE TABLE dataset_versions (
  id uuid PRIMARY KEY,
  product_id uuid NOT NULL REFERENCES data_products (id) ON DELETE CASCADE,
  number integer NOT NULL,
  -- processing: being read; refused: cannot be read; ready: read, not yet published; published: was current at some time.
  state text NOT NULL DEFAULT 'processing' CHECK (state IN ('processing', 'refused', 'ready', 'published')),
  -- What changed, in words for customers.
  changes text NOT NULL DEFAULT '',
  original_name text NOT NULL,
  original_format text NOT NULL CHECK (original_format IN ('csv', 'json', 'jsonl', 'parquet')),
  -- Of the file as it was given.
  original_bytes bigint NOT NULL,
  original_sha256 text NOT NULL,
  rows bigint NOT NULL DEFAULT 0,
  refused_rows bigint NOT NULL DEFAULT 0,
  -- The first rows that were refused: line, reason.
  refusals jsonb NOT NULL DEFAULT '[]',
  -- The profile: each column with its type, fill rate, distinct values, range and histogram.
  columns jsonb NOT NULL DEFAULT '[]',
  -- Each rule of the gate with what was found.
  findings jsonb NOT NULL DEFAULT '[]',
  -- While it is processed: which step, and how far of all, from 0 to 1.
  step text NOT NULL DEFAULT 'waiting',
  progress double precision NOT NULL DEFAULT 0,
  -- Why it was refused, in a sentence for staff.
  failure text,
  -- How the rows differ from those of the version before: added, removed, changed columns.
  difference jsonb,
  -- The first rows, by column, with nothing masked, in their order: what samples are made of.
  first_rows json NOT NULL DEFAULT '[]',
  -- Rows that stand more than once, by each rule of the gate that says what is unique.
  duplicates jsonb NOT NULL DEFAULT '{}',
  -- What staff should know of the file: its encoding, cells like formulas.
  notes text[] NOT NULL DEFAULT '{}',
  created_by uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  published_at timestamptz,
  CONSTRAINT dataset_versions_number UNIQUE (product_id, number)
);
-- What can be taken of a version: the file as it was given, Parquet, and the formats made of it at their first use.
CREATE TABLE dataset_files (
  version_id uuid NOT NULL REFERENCES dataset_versions (id) ON DELETE CASCADE,
  format text NOT NULL CHECK (format IN ('original', 'csv', 'json', 'jsonl', 'parquet')),
  -- Its name in the file storage.
  storage_key text NOT NULL,
  bytes bigint NOT NULL,
  sha256 text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (version_id, format)
);

-- A file on its way in, piece by piece. What has arrived lies aside until it is whole.
CREATE TABLE dataset_uploads (
  id uuid PRIMARY KEY,
  product_id uuid NOT NULL REFERENCES data_products (id) ON DELETE CASCADE,
  file_name text NOT NULL,
  format text NOT NULL CHECK (format IN ('csv', 'json', 'jsonl', 'parquet')),
  bytes bigint NOT NULL,
  -- Of the whole file, when the sender knows it beforehand.
  sha256 text,
  -- On the disk for good.
  received bigint NOT NULL DEFAULT 0,
  -- Who writes a piece of it just now, and until when nobody else may.
  claimed_by uuid,
  claimed_until timestamptz,
  changes text NOT NULL DEFAULT '',
  version_id uuid REFERENCES dataset_versions (id) ON DELETE SET NULL,
  created_by uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX dataset_uploads_stale ON dataset_uploads (updated_at);
CREATE INDEX dataset_uploads_product ON dataset_uploads (product_id);
CREATE INDEX dataset_uploads_version ON dataset_uploads (version_id);

-- Who may take a product that is paid for.
CREATE TABLE entitlements (
  id uuid PRIMARY KEY,
  product_id uuid NOT NULL REFERENCES data_products (id) ON DELETE CASCADE,
  -- An account, here or at a hosted service.
  user_id uuid NOT NULL,
  granted_by uuid NOT NULL,
  note text NOT NULL DEFAULT '',
  -- What the bank calls the transfer.
  payment_reference text NOT NULL DEFAULT '',
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX entitlements_one_live ON entitlements (product_id, user_id) WHERE revoked_at IS NULL;
CREATE INDEX entitlements_user ON entitlements (user_id);

-- Customers who asked for a paid product. The lead is the contact.
CREATE TABLE product_requests (
  id uuid PRIMARY KEY,
  product_id uuid NOT NULL REFERENCES data_products (id) ON DELETE CASCADE,
  user_id uuid NOT NULL,
  contact_id uuid REFERENCES contacts (id) ON DELETE SET NULL,
  message text NOT NULL DEFAULT '',
  settled_at timestamptz,
  outcome text CHECK (outcome IN ('granted', 'declined')),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX product_requests_one_open ON product_requests (product_id, user_id) WHERE settled_at IS NULL;
CREATE INDEX product_requests_product ON product_requests (product_id);
CREATE INDEX product_requests_contact ON product_requests (contact_id);
CREATE INDEX product_requests_open ON product_requests (created_at) WHERE settled_at IS NULL;

-- Every download, of a file or of what leads to the API.
CREATE TABLE downloads (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL,
  product_id uuid NOT NULL REFERENCES data_products (id) ON DELETE CASCADE,
  version_id uuid REFERENCES dataset_versions (id) ON DELETE SET NULL,
  type text NOT NULL CHECK (type IN ('file', 'api')),
  format text,
  -- Which columns and rows, when not all of them.
  choice jsonb,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX downloads_user ON downloads (user_id, created_at DESC);
CREATE INDEX downloads_version ON downloads (version_id);
CREATE INDEX downloads_product ON downloads (product_id, created_at DESC);

-- Keys of the Data API. Only the hash of a key is kept; its first letters tell it from others.
CREATE TABLE api_keys (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL,
  name text NOT NULL,
  prefix text NOT NULL,
  key_hash text NOT NULL UNIQUE,
  -- The products it may read; all that its owner may when null.
  product_ids uuid[],
  monthly_quota integer NOT NULL,
  -- The first of the keys that took each other's place: all of them are counted as that one, so that no new quota comes with a new key.
  counted_as uuid NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
  -- The key that took its place; both work until `expires_at`. No reference: it is a later row, and rows are copied in their order.
  replaced_by uuid,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX api_keys_user ON api_keys (user_id, created_at DESC);
CREATE INDEX api_keys_counted_as ON api_keys (counted_as);

-- What a key, and those that took its place, have used in a month (UTC), counted by the one statement that also refuses.
CREATE TABLE api_quotas (
  key_id uuid NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
  month date NOT NULL,
  used integer NOT NULL DEFAULT 0,
  -- The highest share of the quota that its owner has had a letter about, in percent.
  told integer NOT NULL DEFAULT 0,
  PRIMARY KEY (key_id, month)
);

CREATE TABLE api_usage (
  key_id uuid NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
  day date NOT NULL,
  requests integer NOT NULL DEFAULT 0,
  refused integer NOT NULL DEFAULT 0,
  rows bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (key_id, day)
);

-- When the first products were put on the shelf: what is removed of them does not come back.
ALTER TABLE installation ADD COLUMN shelf_begun_at timestamptz;

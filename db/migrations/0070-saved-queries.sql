-- Queries that people save for a dataset. Staff may share theirs with everyone who may query it.
CREATE TABLE saved_queries (
  id uuid PRIMARY KEY,
  product_id uuid NOT NULL REFERENCES data_products (id) ON DELETE CASCADE,
  -- An account, here or at a hosted service.
  user_id uuid NOT NULL,
  name text NOT NULL,
  sql text NOT NULL,
  is_shared boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX saved_queries_name_key ON saved_queries (user_id, product_id, lower(name));
CREATE INDEX saved_queries_shared ON saved_queries (product_id) WHERE is_shared;

-- What a person asked last, on whichever device.
CREATE TABLE past_queries (
  id uuid PRIMARY KEY,
  product_id uuid NOT NULL REFERENCES data_products (id) ON DELETE CASCADE,
  user_id uuid NOT NULL,
  sql text NOT NULL,
  asked_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX past_queries_newest ON past_queries (user_id, asked_at DESC, id DESC);
CREATE INDEX past_queries_product ON past_queries (product_id);

-- Which key has read which dataset, and when last: its owner hears of new versions for thirty days.
CREATE TABLE api_key_reads (
  key_id uuid NOT NULL REFERENCES api_keys (id) ON DELETE CASCADE,
  product_id uuid NOT NULL REFERENCES data_products (id) ON DELETE CASCADE,
  read_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (key_id, product_id)
);
CREATE INDEX api_key_reads_product ON api_key_reads (product_id, read_at);
-- Why staff published a version that the quality checks held.
ALTER TABLE dataset_versions ADD COLUMN forced_reason text NOT NULL DEFAULT '';

-- Customers hear of new versions of paid datasets by email by default. Their choice of the digest and of push stays.
UPDATE notification_preferences SET channels = channels || jsonb_build_object('paid_dataset_version', jsonb_build_object(
    'email', CASE channels -> 'dataset_version' ->> 'email' WHEN 'digest' THEN 'digest' ELSE 'now' END, 'push', channels -> 'dataset_version' -> 'push'))
  WHERE channels -> 'dataset_version' IS NOT NULL;

-- The public sample of a paid dataset is at most a tenth of its rows, and at least one row.
UPDATE data_products SET sample_data = (
    SELECT '[' || string_agg(each.value::text, ',' ORDER BY each.at) || ']'
    FROM json_array_elements(sample_data::json) WITH ORDINALITY AS each (value, at)
    WHERE each.at <= greatest(1, version.rows / 10))
  FROM dataset_versions AS version
  WHERE version.id = current_version_id AND NOT is_free AND sample_data IS NOT NULL AND json_array_length(sample_data::json) > greatest(1, version.rows / 10);

-- The person who revoked a key can undo it for a moment. Null: the account revoked it, which cannot be undone.
ALTER TABLE api_keys ADD COLUMN revoked_by uuid;
-- A removed product can be restored until its data are erased. Those removed before this migration have no files any more.
ALTER TABLE data_products ADD COLUMN erased_at timestamptz;
UPDATE data_products SET erased_at = removed_at WHERE removed_at IS NOT NULL;

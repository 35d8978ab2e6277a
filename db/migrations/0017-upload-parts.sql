-- As the sender gave it: the tus protocol returns it unchanged.
ALTER TABLE dataset_uploads ADD COLUMN metadata jsonb NOT NULL DEFAULT '{}';
-- What a bucket has of it: the id of its multipart upload, the tags of whole parts, and the bytes after them. NULL on disk.
ALTER TABLE dataset_uploads ADD COLUMN parts jsonb;

-- The one import of posts that runs in all processes, and until when it holds its turn without renewing it.
ALTER TABLE installation ADD COLUMN import_holder uuid, ADD COLUMN import_until timestamptz;

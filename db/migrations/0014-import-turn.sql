-- The only running import of posts across all processes, and the time at which its lock expires without renewal.
ALTER TABLE installation ADD COLUMN import_holder uuid, ADD COLUMN import_until timestamptz;

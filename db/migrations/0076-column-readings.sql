-- How staff have columns of a file read, by their names, and how each text column can be read.
ALTER TABLE dataset_versions ADD COLUMN column_readings jsonb NOT NULL DEFAULT '{}';
ALTER TABLE dataset_versions ADD COLUMN column_offers jsonb NOT NULL DEFAULT '[]';

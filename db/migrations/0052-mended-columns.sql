-- What is wrong with the names of a file's columns, and the names that staff gave them instead, by their place from 1.
ALTER TABLE dataset_versions ADD COLUMN head_faults jsonb NOT NULL DEFAULT '[]';
ALTER TABLE dataset_versions ADD COLUMN column_names jsonb NOT NULL DEFAULT '{}';

-- Existing CSV files have unchanged values; new ones are guarded against formulas.
ALTER TABLE dataset_files DROP CONSTRAINT dataset_files_format_check;
UPDATE dataset_files SET format = 'csv-raw' WHERE format = 'csv';
ALTER TABLE dataset_files ADD CONSTRAINT dataset_files_format_check CHECK (format IN ('original', 'csv', 'csv-raw', 'json', 'jsonl', 'parquet'));

-- Excel workbooks, made of a version at their first use.
ALTER TABLE dataset_files DROP CONSTRAINT dataset_files_format_check;
ALTER TABLE dataset_files ADD CONSTRAINT dataset_files_format_check CHECK (format IN ('original', 'csv', 'csv-raw', 'json', 'jsonl', 'parquet', 'xlsx'));

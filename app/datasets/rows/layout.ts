/**
 * The Parquet settings of every dataset. The engine looks at the statistics of every row group before a query begins, so smaller ones slow
 * down large files: 8,192 rows cost a page of 10 million rows three times as much. Larger ones are read for a hundred rows.
 */
export const PARQUET = '(FORMAT parquet, COMPRESSION snappy, ROW_GROUP_SIZE 32768)'

/**
 * The position of a row in its file, from 0, which also identifies it. DuckDB derives this column for every Parquet file, unless the file
 * has one with this name.
 */
export const PLACE = 'file_row_number'

/**
 * The Parquet settings of every dataset. A sorted page takes its hundred rows from all over the file, and row groups are read whole. So
 * they are small, with a compression that every reader unpacks quickly. Row groups of 122,880 rows take twice as long.
 */
export const PARQUET = '(FORMAT parquet, COMPRESSION snappy, ROW_GROUP_SIZE 8192)'

/**
 * The position of a row in its file, from 0, which also identifies it. DuckDB derives this column for every Parquet file, unless the file
 * has one with this name.
 */
export const PLACE = 'file_row_number'

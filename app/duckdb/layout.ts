/**
 * How every Parquet file of a dataset is written. A page in some order takes its hundred rows from all over the file, and a block of rows is read as a
 * whole: these are small, and packed in what every reader knows and unpacks quickly. Blocks of 122,880 rows take twice as long.
 */
export const PARQUET = '(FORMAT parquet, COMPRESSION snappy, ROW_GROUP_SIZE 8192)'

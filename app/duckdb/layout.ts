/**
 * How every Parquet file of a dataset is written. A page in some order takes its hundred rows from all over the file, and a block of rows is read as a
 * whole: these are small, and packed in what every reader knows and unpacks quickly. Blocks of 122,880 rows take twice as long.
 */
export const PARQUET = '(FORMAT parquet, COMPRESSION snappy, ROW_GROUP_SIZE 8192)'

/** The place of a row in its file, from 0, which also tells rows apart. Every Parquet file has this column without keeping it, unless one of its own is called so. */
export const PLACE = 'file_row_number'

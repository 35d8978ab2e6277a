import type { ColumnType } from 'kysely'

/** Written as JSON text, read as the parsed value. */
export type Json<T> = ColumnType<T, string, string>
export type JsonWithDefault<T> = ColumnType<T, string | undefined, string>
/** Set by the database at insert, never changed. */
export type CreatedAt = ColumnType<Date, Date | undefined, never>

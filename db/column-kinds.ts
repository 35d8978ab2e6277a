import type { ColumnType } from 'kysely'

/** Written as JSON text, read as what it holds. */
export type Json<T> = ColumnType<T, string, string>
export type JsonWithDefault<T> = ColumnType<T, string | undefined, string>
/** Set by the database when the row is made, never changed. */
export type CreatedAt = ColumnType<Date, Date | undefined, never>

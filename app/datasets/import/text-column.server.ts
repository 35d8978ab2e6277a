import type { Column, ColumnType } from '#app/datasets/catalog/column.ts'
import { named } from './import-database.server.ts'

/** A column of the version before, and the engine's type of its values: `DECIMAL(9,2)`. */
export type EarlierColumn = Pick<Column, 'name' | 'type' | 'fillRate'> & { kept: string }

/** A text column: its candidate types in order; text if none fits. `earlier`: its type in the version before. */
export type TextColumn = {
  name: string
  maybe: readonly ColumnType[]
  earlier?: EarlierColumn | undefined
  /** In JSON, an exponent makes no code, and zeros at the end mean nothing. */
  isJsonNumber?: boolean
}

/** The type and the SQL of a column's values, and a note on them for staff, which the names of the columns follow. */
export type ColumnValues = { type: ColumnType; sql: string; note?: string | undefined }

/** `hasMisfits`: some values cannot be read as the type. */
export type TypedColumn = ColumnValues & { name: string; hasMisfits: boolean }

/** Counts something in the table of a column, by the SQL that counts it. */
export type Look = (select: (from: string) => string) => Promise<number>

/** An empty text in quotation marks is a missing value wherever a column is not text. */
export function valueOf(name: string): string {
  return `nullif(${named(name)}, '')`
}

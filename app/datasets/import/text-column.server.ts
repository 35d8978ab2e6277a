import type { Column, ColumnType } from '#app/datasets/catalog/column.ts'
import type { ColumnReading } from '#app/datasets/catalog/version.ts'
import { readAs } from './column-reading.server.ts'
import { isExact } from './exact-number.ts'
import { named } from './import-database.server.ts'

/** A column of the version before, and the engine's type of its values: `DECIMAL(9,2)`. */
export type EarlierColumn = Pick<Column, 'name' | 'type' | 'fillRate'> & { kept: string }

/** A text column: its candidate types in order; text if none fits. `earlier`: its type in the version before. */
export type TextColumn = {
  name: string
  maybe: readonly ColumnType[]
  earlier?: EarlierColumn | undefined
  /** How its values are read. `isForced`: also where some of them cannot. */
  reading?: Exclude<ColumnReading, 'text'> | undefined
  isForced?: boolean
  /** A person has decided on it, for this version or for the one before. */
  isChosen?: boolean
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

/** The same, as the reading of the column has it. */
export function readValueOf({ name, reading }: Pick<TextColumn, 'name' | 'reading'>): string {
  return reading ? named(readName(name)) : valueOf(name)
}

/** No column of a file has a control character in its name. */
export const readName = (name: string) => `\u0001${name}`

/** The table with the read values of columns beside their texts, so that each is computed once. */
export function withReadValues(from: string, columns: readonly TextColumn[], extra = ''): string {
  const reads = columns.flatMap(({ name, reading, isForced }) => {
    if (!reading) return []
    const value = readAs(reading, valueOf(name))
    // A code among forced numbers does not fit.
    const isCode =
      isForced && reading.startsWith('decimal_') ? `list_transform([${value}], lambda v: CASE WHEN ${isExact('v')} THEN v END)[1]` : value
    return [`${isCode} AS ${named(readName(name))}`]
  })
  if (reads.length === 0 && !extra) return from
  return `(SELECT *${extra}${reads.map((read) => `, ${read}`).join('')} FROM ${from})`
}

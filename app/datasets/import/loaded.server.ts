import type { ColumnType } from '#app/datasets/catalog/column.ts'
import type { ColumnOffer, ColumnReadings, VersionRefusal } from '#app/datasets/catalog/version.ts'
import type { ChosenNames } from './column-names.ts'
import type { EarlierColumn } from './text-column.server.ts'
import { Unreadable } from './unreadable.ts'

/** A file to convert to Parquet, the names that staff gave to its columns, and the columns of the version before, by name. */
export type LoadOrder = {
  source: string
  target: string
  names: ChosenNames
  earlier: ReadonlyMap<string, EarlierColumn>
  /** The choices of staff for columns of this file, and of the version before. */
  readings: { chosen?: ColumnReadings | undefined; before?: ColumnReadings | undefined }
}

/** A file that was converted to Parquet. */
export type Loaded = {
  columns: { name: string; type: ColumnType }[]
  refusedRows: number
  /** The first of them. */
  refusals: VersionRefusal[]
  /** Notes for staff. */
  notes: string[]
  /** The choices that are in use. */
  readings: ColumnReadings
  offers: ColumnOffer[]
}

/** The maximum number of rejected rows that are listed. */
export const TOLD_REFUSALS = 100

/** Throws if every row of a file was rejected, with the first reason. */
export function checkSomeRows(rows: number, { refusedRows, refusals: [first] }: Pick<Loaded, 'refusedRows' | 'refusals'>): void {
  if (rows > 0 || refusedRows === 0 || !first) return
  const place = first.line === null ? '' : ` The first is line ${first.line}.`
  throw new Unreadable(`No row of this file can be read. ${first.reason}.${place}`)
}

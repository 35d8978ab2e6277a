import type { ColumnType } from '#app/datasets/catalog/column.ts'
import type { VersionRefusal } from '#app/datasets/catalog/version.ts'

/** A file that was converted to Parquet. */
export type Loaded = {
  columns: { name: string; type: ColumnType }[]
  refusedRows: number
  /** The first of them. */
  refusals: VersionRefusal[]
  /** Notes for staff. */
  notes: string[]
}

/** The maximum number of rejected rows that are listed. */
export const TOLD_REFUSALS = 100

import type { ColumnType } from '#app/datasets/column.ts'
import type { Refusal } from '#app/datasets/version.ts'

/** A file that has become Parquet. */
export type Loaded = {
  columns: { name: string; type: ColumnType }[]
  refusedRows: number
  /** The first of them. */
  refusals: Refusal[]
  /** What staff should know of it. */
  notes: string[]
}

/** So many refused rows are told one by one. */
export const TOLD_REFUSALS = 100

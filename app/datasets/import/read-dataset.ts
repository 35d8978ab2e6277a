import { z } from 'zod/mini'
import { column } from '#app/datasets/catalog/column.ts'
import { columnOffer, columnReading, difference, refusal } from '#app/datasets/catalog/version.ts'

/** The result; the Parquet file is in the folder as `file`. */
export const readDatasetResult = z.object({
  file: z.string(),
  bytes: z.number(),
  sha256: z.string(),
  rows: z.number(),
  refusedRows: z.number(),
  refusals: z.array(refusal),
  columns: z.array(column),
  firstRows: z.array(z.record(z.string(), z.unknown())),
  /** Duplicate rows by uniqueness check. */
  duplicates: z.record(z.string(), z.number()),
  difference: z.nullable(difference),
  notes: z.array(z.string()),
  readings: z.record(z.string(), columnReading),
  offers: z.array(columnOffer),
})

export type ReadDataset = z.infer<typeof readDatasetResult>

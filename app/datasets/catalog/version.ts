import { z } from 'zod/mini'
import { COLUMN, column } from './column.ts'

export const versionStates = ['processing', 'refused', 'ready', 'published'] as const

export type VersionState = (typeof versionStates)[number]

const columnName = z.string().check(z.regex(COLUMN, 'A column name must be text without control characters'))

/** The quality checks of a version; shares are from 0 to 1. */
export const gate = z.object({
  leastRows: z.optional(z.number()),
  /** The maximum share of rejected rows. */
  mostRefused: z.optional(z.number()),
  /** The minimum fill rate by column. */
  leastFill: z.optional(z.record(columnName, z.number())),
  /** Columns with unique values; comma-separated names are unique together. */
  unique: z.optional(z.array(columnName)),
  /** The maximum drop of the row count since the previous version, as a share. */
  mostLoss: z.optional(z.number()),
})

export type Gate = z.infer<typeof gate>

/** A quality check in words, and its result. */
export const finding = z.object({ rule: z.string(), found: z.string(), ok: z.boolean() })

export type Finding = z.infer<typeof finding>

/** A rejected row: its line in the file, from 1, and the reason. */
export const refusal = z.object({ line: z.nullable(z.number()), reason: z.string() })

export type VersionRefusal = z.infer<typeof refusal>

/** What is wrong with the name of a column, by its place from 1, and a name that it could have. */
export const headFault = z.object({ column: z.number(), name: z.string(), fault: z.string(), suggestion: z.string() })

export type HeadFault = z.infer<typeof headFault>

/** The changes since the previous version. Rows are compared as a whole: a changed row is one removed and one added. */
export const difference = z.object({
  previous: z.number(),
  addedRows: z.number(),
  removedRows: z.number(),
  addedColumns: z.array(z.string()),
  removedColumns: z.array(z.string()),
  changedTypes: z.array(z.string()),
})

export type VersionDifference = z.infer<typeof difference>

/** A published version, as customers see it. Times are ISO 8601. */
export const publicVersion = z.object({
  number: z.number(),
  changes: z.string(),
  rows: z.number(),
  /** Of the Parquet file. */
  bytes: z.number(),
  publishedAt: z.string(),
  isCurrent: z.boolean(),
  difference: z.nullable(difference),
})

export type PublicVersion = z.infer<typeof publicVersion>

/** Any version, as staff see it. `progress` is from 0 to 1 while `state` is processing. */
export const staffVersion = z.object({
  id: z.string(),
  number: z.number(),
  state: z.enum(versionStates),
  changes: z.string(),
  originalName: z.string(),
  originalBytes: z.number(),
  originalSha256: z.string(),
  rows: z.number(),
  refusedRows: z.number(),
  refusals: z.array(refusal),
  columns: z.array(column),
  findings: z.array(finding),
  step: z.string(),
  progress: z.number(),
  /** Notes on the file for staff: its encoding, cells that look like formulas. */
  notes: z.array(z.string()),
  /** What staff should know before they publish it. */
  warnings: z.array(z.string()),
  /** Why staff published it although it did not pass the quality checks; empty otherwise. */
  forcedReason: z.string(),
  failure: z.nullable(z.string()),
  /** The columns that need another name before the file can be imported. */
  headFaults: z.array(headFault),
  difference: z.nullable(difference),
  isCurrent: z.boolean(),
  createdAt: z.string(),
  publishedAt: z.nullable(z.string()),
})

export type StaffVersion = z.infer<typeof staffVersion>

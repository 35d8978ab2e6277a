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

/**
 * How the values of a column are read. Without a choice, only forms that mean one thing have a type: `1234.56`, `2026-11-05`, `true`. `text` keeps
 * the values as they are; the other choices also read `1.234,56`, `05/11/2026`, `5 Nov 2026` or `ja`.
 */
export const columnReading = z.enum(
  ['text', 'decimal_point', 'decimal_comma', 'day_first', 'month_first', 'year_first', 'yes_no'],
  'A reading is text, decimal_point, decimal_comma, day_first, month_first, year_first or yes_no',
)

export type ColumnReading = z.infer<typeof columnReading>

/** By the name of the column. */
export type ColumnReadings = Record<string, ColumnReading>

/**
 * The readings of a column: `proposed` where its values decide on the first of them, `open` where they fit several, `possible` where a person has
 * to want it. `text` is a value of the file, and `reads` what a reading makes of it. `misfits` of `values` cannot be read.
 */
export const columnOffer = z.object({
  column: z.string(),
  state: z.enum(['proposed', 'open', 'possible']),
  text: z.string(),
  readings: z.array(
    z.object({
      reading: columnReading,
      reads: z.nullable(z.string()),
      values: z.number(),
      misfits: z.number(),
      examples: z.array(z.string()),
    }),
  ),
})

export type ColumnOffer = z.infer<typeof columnOffer>

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
  /** The choices of staff, or of the version before where they fit. */
  columnReadings: z.record(z.string(), columnReading),
  /** Columns that can be read in another way. */
  columnOffers: z.array(columnOffer),
  /** The first rows. */
  preview: z.array(z.record(z.string(), z.unknown())),
  difference: z.nullable(difference),
  isCurrent: z.boolean(),
  createdAt: z.string(),
  publishedAt: z.nullable(z.string()),
})

export type StaffVersion = z.infer<typeof staffVersion>

import { z } from 'zod/mini'
import { COLUMN, column } from './column.ts'

export const versionStates = ['processing', 'refused', 'ready', 'published'] as const

export type VersionState = (typeof versionStates)[number]

const columnName = z.string().check(z.regex(COLUMN, 'A column is named by text without control characters'))

/** What a version has to fulfil before it can be published; shares are from 0 to 1. */
export const gate = z.object({
  leastRows: z.optional(z.number()),
  /** The most rows that may be refused, as a share of all. */
  mostRefused: z.optional(z.number()),
  /** The least fill rate of columns, by name. */
  leastFill: z.optional(z.record(columnName, z.number())),
  /** Columns of which each row has a value of its own; several names with commas between them together. */
  unique: z.optional(z.array(columnName)),
  /** The most by which the count of rows may fall below that of the version before, as a share of it. */
  mostLoss: z.optional(z.number()),
})

export type Gate = z.infer<typeof gate>

/** A rule of the gate, in words, and what was found. */
export const finding = z.object({ rule: z.string(), found: z.string(), ok: z.boolean() })

export type Finding = z.infer<typeof finding>

/** A row that could not be read: its line in the file, from 1, and why. */
export const refusal = z.object({ line: z.nullable(z.number()), reason: z.string() })

export type Refusal = z.infer<typeof refusal>

/** How a version differs from the one before it. Rows are counted as whole rows: one that changed is one removed and one added. */
export const difference = z.object({
  previous: z.number(),
  addedRows: z.number(),
  removedRows: z.number(),
  addedColumns: z.array(z.string()),
  removedColumns: z.array(z.string()),
  changedTypes: z.array(z.string()),
})

export type Difference = z.infer<typeof difference>

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
  /** What staff should know of the file: its encoding, cells like formulas. */
  notes: z.array(z.string()),
  failure: z.nullable(z.string()),
  difference: z.nullable(difference),
  isCurrent: z.boolean(),
  createdAt: z.string(),
  publishedAt: z.nullable(z.string()),
})

export type StaffVersion = z.infer<typeof staffVersion>

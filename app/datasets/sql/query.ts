import { z } from 'zod/mini'
import { atMost } from '#app/platform/text/clean-text.ts'
import { columnTypes } from '#app/datasets/catalog/column.ts'
import { numberText } from '#app/platform/text/english-number.ts'

/** The limits of a query: characters, seconds, and the rows and bytes of its result. */
export const queryLimits = { characters: 20_000, seconds: 5, rows: 10_000, bytes: 10_000_000, megabytes: 256 } as const

/** Queries one dataset as the table `data`, which is also named by the slug of the product. */
export const question = z.object({
  sql: z
    .string('An SQL query is required')
    .check(
      z.trim(),
      z.minLength(1, 'An SQL query is required'),
      ...atMost(queryLimits.characters, `A query has at most ${numberText(queryLimits.characters)} characters`),
    ),
  /** The version to query; the current one by default. */
  version: z.optional(
    z.int('A version is a whole number').check(z.minimum(1, 'Versions begin with 1'), z.maximum(2 ** 31 - 1, 'There is no such version')),
  ),
})

const resultColumn = z.object({ name: z.string(), type: z.enum(columnTypes) })

/** One row: a value for each column, in column order. */
const resultRow = z.array(z.unknown())

/** The result of a query. */
export const queryResult = z.object({
  columns: z.array(resultColumn),
  rows: z.array(resultRow),
  /** Whether the limits cut the result. */
  truncated: z.boolean(),
  /** Milliseconds. */
  ms: z.number(),
})

export type QueryResult = z.infer<typeof queryResult>

/** Why a query failed: the `code` of the problem. */
export const queryRefusalCodes = ['sql_error', 'sql_not_allowed', 'sql_timeout', 'sql_memory'] as const

/** The position of an error in the query, in characters from 0, as in `problems` of the problem. */
export const queryFault = z.object({ position: z.number() })

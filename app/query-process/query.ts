import { z } from 'zod/mini'
import { columnTypes } from '#app/datasets/column.ts'

/** Characters of a question, seconds for an answer, and what of an answer is given: rows, and bytes of them. */
export const queryLimits = { characters: 20_000, seconds: 5, rows: 10_000, bytes: 10_000_000, megabytes: 256 } as const

/** Asks the data of one product, which stand in the table `data` and under the slug of the product. */
export const question = z.object({
  sql: z
    .string('A question in SQL is needed')
    .check(
      z.trim(),
      z.minLength(1, 'A question in SQL is needed'),
      z.maxLength(queryLimits.characters, `A question has at most ${queryLimits.characters.toLocaleString('en-US')} characters`),
    ),
  /** Of the data; the current one when it is not named. */
  version: z.optional(
    z.int('A version is a whole number').check(z.minimum(1, 'Versions begin with 1'), z.maximum(2 ** 31 - 1, 'There is no such version')),
  ),
})

const resultColumn = z.object({ name: z.string(), type: z.enum(columnTypes) })

/** One row: a value for each column, in the order of the columns. */
const resultRow = z.array(z.unknown())

/** What a question found. */
export const queryResult = z.object({
  columns: z.array(resultColumn),
  rows: z.array(resultRow),
  /** There is more than is given. */
  truncated: z.boolean(),
  /** Milliseconds. */
  ms: z.number(),
})

export type QueryResult = z.infer<typeof queryResult>

/** Why a question has no answer, as `code` of the problem. */
export const refusalCodes = ['sql_error', 'sql_not_allowed', 'sql_timeout', 'sql_memory'] as const

/** Where in a question something is wrong: `problems` of the problem has one of these, in characters from 0. */
export const queryFault = z.object({ position: z.number() })

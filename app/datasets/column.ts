import { z } from 'zod/mini'

/** What the name of a column can be: what the database keeps, and people can read. */
export const COLUMN = /^[^\p{Cc}\p{Cs}]*$/u

/** What a column holds, in the words of the API. Whole numbers beyond 2^53 and decimals travel as text in JSON; `list` and `object` as JSON. */
export const columnTypes = ['text', 'integer', 'number', 'boolean', 'date', 'timestamp', 'list', 'object'] as const

export type ColumnType = (typeof columnTypes)[number]

/** One bar: the rows from `from` up to but not including `to` (the last bar includes it). For dates and times these are ISO 8601. */
const bar = z.object({ from: z.string(), to: z.string(), count: z.number() })

/** How often a value stands in a column: the commonest ones, most first. */
const valueCount = z.object({ value: z.string(), count: z.number() })

/** A column of a version and what was found in it. Shares are from 0 to 1; minimum and maximum are text, as a filter takes them. */
export const column = z.object({
  name: z.string(),
  type: z.enum(columnTypes),
  description: z.string(),
  /** The share of rows that have a value. */
  fillRate: z.number(),
  /** Exact for small columns, an estimate (± 2 %) beyond. */
  distinct: z.number(),
  min: z.nullable(z.string()),
  max: z.nullable(z.string()),
  /** Of numbers and times, at most 20 bars of one width; null where it makes no sense. */
  histogram: z.nullable(z.array(bar)),
  /** At most 10; empty for columns where each value stands alone. */
  topValues: z.array(valueCount),
  /** Says something of persons: its values are not shown in samples. */
  masked: z.boolean(),
})

export type Column = z.infer<typeof column>

/** What a filter can ask of a column: `column[gte]=5`; `in` takes values with commas between them; `null` takes true or false. */
export const filterOperators = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'contains', 'starts', 'null'] as const

export type FilterOperator = (typeof filterOperators)[number]

/** One condition; all conditions have to hold. */
export type Filter = { column: string; operator: FilterOperator; value: string }

/** Up, or down when `descending`; rows with equal values come in the order of the file. */
export type Sort = { column: string; descending: boolean }

/** Which rows of a version, and what of them. Without `select` all columns, without `sort` the order of the file. */
export type RowChoice = { select?: string[]; filters: Filter[]; sort?: Sort }

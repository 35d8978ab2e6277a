import { z } from 'zod/mini'

/** A valid column name: no control characters or lone surrogates, which the database cannot store. */
export const COLUMN = /^[^\p{Cc}\p{Cs}]*$/u

/** In characters. */
export const LONGEST_COLUMN_NAME = 200
/** Of a file. */
export const MOST_COLUMNS = 2000

/** The types of columns. Integers beyond 2^53 and decimals are text in JSON; `list` and `object` are JSON. */
export const columnTypes = ['text', 'integer', 'number', 'boolean', 'date', 'timestamp', 'list', 'object'] as const

export type ColumnType = (typeof columnTypes)[number]

/** A histogram bar: from `from` up to but not including `to`, except the last bar, which includes it. ISO 8601 for dates and times. */
const bar = z.object({ from: z.string(), to: z.string(), count: z.number() })

/** A value and how often it occurs. */
const valueCount = z.object({ value: z.string(), count: z.number() })

/** A column of a version and its profile. Shares are from 0 to 1; minimum and maximum are text, in the form that filters accept. */
export const column = z.object({
  name: z.string(),
  type: z.enum(columnTypes),
  description: z.string(),
  /** The share of rows with a value. */
  fillRate: z.number(),
  /** Exact for small columns, otherwise an estimate (± 2 %). */
  distinct: z.number(),
  min: z.nullable(z.string()),
  max: z.nullable(z.string()),
  /** For numbers and times: at most 20 bars of equal width; null where it makes no sense. */
  histogram: z.nullable(z.array(bar)),
  /** Most frequent first, at most 10; empty for columns whose values are all different. */
  topValues: z.array(valueCount),
  /** Personal data: its values are not shown in samples. */
  masked: z.boolean(),
})

export type Column = z.infer<typeof column>

/** Whether a minimum and a maximum of the column mean something. */
export function isOrdered({ type }: Pick<Column, 'type'>): boolean {
  return type === 'integer' || type === 'number' || type === 'date' || type === 'timestamp'
}

/** Filter operators: `column[gte]=5`; `in` takes comma-separated values; `null` takes true or false. */
export const filterOperators = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'contains', 'starts', 'null'] as const

export type FilterOperator = (typeof filterOperators)[number]

/** One condition; all conditions must hold. */
export type Filter = { column: string; operator: FilterOperator; value: string }

/** Ascending, or descending; rows with equal values are in file order. */
export type RowSort = { column: string; descending: boolean }

/** The selected rows and columns of a version. Without `select` all columns, without `sort` file order. */
export type RowChoice = { select?: string[]; filters: Filter[]; sort?: RowSort }

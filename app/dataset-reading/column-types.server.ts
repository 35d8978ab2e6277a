import type { ColumnType } from '#app/datasets/column.ts'
import type { Workbench } from './workbench.server.ts'

/** A column of text: how SQL reads it, and what it may turn out to be, tried in this order; text in the end. */
export type TextColumn = { name: string; text: string; maybe: readonly ColumnType[] }

/** What a column of text can turn out to be. */
export const typesOfText = ['boolean', 'integer', 'number', 'date', 'timestamp'] as const satisfies ColumnType[]

/** A column is still of a type when so few of its values are not: the rows of these are refused, and told. */
const MOST_MISFITS = 0.01
/** Values that are looked at first, so that most of what a column is not is known before all of it is read. */
const SAMPLE_VALUES = 2_000_000
const SAMPLE_ROWS = 20_000

export const sqlTypes: Record<ColumnType, string> = {
  text: 'VARCHAR',
  integer: 'BIGINT',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  date: 'DATE',
  timestamp: 'TIMESTAMP',
  list: 'JSON',
  object: 'JSON',
}

/** Whether a value can be read so; and whether nothing of it is lost: `007` is no number, and neither are 20 digits. */
const tests: Partial<Record<ColumnType, (text: string) => { readable: string; exact: string }>> = {
  boolean: (x) => same(`lower(${x}) IN ('true', 'false')`),
  integer: (x) => ({ readable: `TRY_CAST(${x} AS BIGINT) IS NOT NULL`, exact: `TRY_CAST(${x} AS BIGINT)::VARCHAR = trim(${x})` }),
  number: (x) => ({
    readable: `TRY_CAST(${x} AS DOUBLE) IS NOT NULL`,
    exact: `isfinite(TRY_CAST(${x} AS DOUBLE)) AND NOT contains(${x}, '_') AND NOT regexp_matches(trim(${x}), '^[+-]?0[0-9]')
      AND (contains(${x}, '.') OR abs(TRY_CAST(${x} AS DOUBLE)) <= 9007199254740991)`,
  }),
  date: (x) => same(`TRY_CAST(${x} AS DATE)::VARCHAR = trim(${x})`),
  timestamp: (x) => same(`length(${x}) >= 16 AND TRY_CAST(${x} AS TIMESTAMP) IS NOT NULL`),
}

function same(test: string) {
  return { readable: test, exact: test }
}

/** What each column holds, by all of its values. `source` is what SQL selects the columns from. */
export async function findTypes(bench: Workbench, source: string, columns: readonly TextColumn[]): Promise<ColumnType[]> {
  const sample = Math.min(SAMPLE_ROWS, Math.ceil(SAMPLE_VALUES / columns.length))
  const likely = await narrow(bench, `(SELECT * FROM ${source} LIMIT ${sample})`, columns)
  const certain = await narrow(bench, source, likely, { isAll: true })
  return certain.map(({ maybe }) => maybe[0] ?? 'text')
}

/** Drops from the front of what each column may be what it is not. One that has no value among all rows is text. */
async function narrow(bench: Workbench, source: string, columns: readonly TextColumn[], { isAll = false } = {}): Promise<TextColumn[]> {
  const left = columns.map((column) => ({ ...column }))
  let open = left.filter(({ maybe }) => maybe.length > 0)
  while (open.length > 0) {
    const [counts = []] = await bench.rows(`SELECT ${open.map(countsOf).join(', ')} FROM ${source}`)
    open = open.filter((column, at) => {
      const [filled = 0, readable = 0, exact = 0] = counts.slice(at * 3, at * 3 + 3).map(Number)
      if (isAll && filled === 0) column.maybe = []
      else if (exact === readable && filled - readable <= filled * MOST_MISFITS) return false
      column.maybe = column.maybe.slice(1)
      return column.maybe.length > 0
    })
  }
  return left
}

function countsOf({ text, maybe: [type = 'text'] }: TextColumn): string {
  const { readable, exact } = tests[type]?.(text) ?? same('true')
  return `count(${text}), count(*) FILTER (WHERE ${readable}), count(*) FILTER (WHERE ${exact})`
}

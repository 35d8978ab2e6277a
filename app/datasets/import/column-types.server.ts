import type { ColumnType } from '#app/datasets/catalog/column.ts'
import type { ImportDatabase } from './import-database.server.ts'

/** A text column: its SQL, and its candidate types in order; text if none fits. */
export type TextColumn = { name: string; text: string; maybe: readonly ColumnType[] }

/** The types that a text column can turn out to have. */
export const typesOfText = ['boolean', 'integer', 'number', 'date', 'timestamp'] as const satisfies ColumnType[]

/** The maximum share of values that may not fit a column's type: their rows are rejected and reported. */
const MOST_MISFITS = 0.01
/** Values that are sampled first, which rules out most types before the full scan. */
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

/** Whether a value parses as the type, and does so without loss: `007` is no number, and neither are 20 digits. */
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

/** Detects each column's type from all of its values. `source` is the SQL to select the columns from. */
export async function findTypes(bench: ImportDatabase, source: string, columns: readonly TextColumn[]): Promise<ColumnType[]> {
  const sample = Math.min(SAMPLE_ROWS, Math.ceil(SAMPLE_VALUES / columns.length))
  const likely = await narrow(bench, `(SELECT * FROM ${source} LIMIT ${sample})`, columns)
  const certain = await narrow(bench, source, likely, { isAll: true })
  return certain.map(({ maybe }) => maybe[0] ?? 'text')
}

/** Drops the candidate types that do not fit. A column without values is text. */
async function narrow(
  bench: ImportDatabase,
  source: string,
  columns: readonly TextColumn[],
  { isAll = false } = {},
): Promise<TextColumn[]> {
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

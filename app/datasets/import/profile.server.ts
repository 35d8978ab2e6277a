import type { Column, ColumnType } from '#app/datasets/catalog/column.ts'
import { SAMPLE_ROWS } from '#app/datasets/catalog/masking.ts'
import { formulaSql } from '#app/platform/tables/formula-guard.ts'
import { textOfValue } from '#app/datasets/rows/value-sql.ts'
import { columnGroups, partOf } from './column-groups.server.ts'
import type { Loaded } from './loaded.server.ts'
import { named, sqlLiteral, type ImportDatabase } from './import-database.server.ts'

const MOST_BARS = 20
const COMMONEST = 10
/** Distinct values are counted exactly up to this many rows, and up to this many distinct values. */
const COUNTED_ROWS = 200_000
const COUNTED_DISTINCT = 100_000
/** Beyond, only values whose hash falls into one of this many parts are counted: within 2 % for 200,000 values. */
const PARTS = 16
/** With more distinct values than this, the most frequent ones mean little and cost much. */
const MOST_DISTINCT = 20_000
const FIRST_YEAR = Date.parse('0001-01-01T00:00:00Z')
const AFTER_LAST_YEAR = Date.parse('+010000-01-01T00:00:00Z')
/** The maximum length of a value, in characters. */
const SHOWN = 200

export type ColumnProfiles = {
  rows: number
  columns: Column[]
  /** The first rows, by column, as JSON. */
  firstRows: Record<string, unknown>[]
  /** Cells that a spreadsheet would treat as formulas. */
  formulas: number
}

type Facts = { filled: number; distinct: number; min: string | null; max: string | null; formulas: number }

/** Profiles a Parquet file that the import wrote. */
export async function profile(
  bench: ImportDatabase,
  file: string,
  columns: Loaded['columns'],
  report: (share: number) => void = () => undefined,
): Promise<ColumnProfiles> {
  const source = `read_parquet(${sqlLiteral(file)})`
  const [[count] = []] = await bench.rows(`SELECT count(*) FROM ${source}`)
  const rows = Number(count)
  const firstRows = await firstRowsOf(bench, source, columns)
  const profiled: Column[] = []
  let formulas = 0
  for (const some of columnGroups(columns)) {
    const part = await partOf(
      bench,
      { from: source, rows },
      some.map(({ name }) => name),
    )
    const found = await profileSome(bench, part, some, rows)
    profiled.push(...found.columns)
    formulas += found.formulas
    report(profiled.length / columns.length)
  }
  return { rows, columns: profiled, firstRows, formulas }
}

async function profileSome(bench: ImportDatabase, source: string, columns: Loaded['columns'], rows: number) {
  const [facts = []] = await bench.rows(`SELECT ${columns.flatMap((column) => factsOf(column, rows)).join(', ')} FROM ${source}`)
  const rough = columns.map((_, at) => toFacts(facts.slice(at * 5, at * 5 + 5)))
  const distinct = rows <= COUNTED_ROWS ? rough.map((each) => each.distinct) : await countDistinct(bench, source, columns, rough)
  const profiled: Column[] = []
  for (const [at, { name, type }] of columns.entries()) {
    const each = rough[at] ?? toFacts([])
    const known = { ...each, distinct: Math.min(each.filled, distinct[at] ?? 0) }
    profiled.push({
      name,
      type,
      description: '',
      fillRate: rows === 0 ? 0 : known.filled / rows,
      distinct: known.distinct,
      min: known.min,
      max: known.max,
      histogram: await barsOf(bench, source, name, type, known),
      topValues: await commonestOf(bench, source, name, type, known),
      masked: false,
    })
  }
  return { columns: profiled, formulas: rough.reduce((sum, { formulas }) => sum + formulas, 0) }
}

function factsOf({ name, type }: Loaded['columns'][number], rows: number): string[] {
  const x = named(name)
  const isNested = type === 'list' || type === 'object'
  const distinct = rows <= COUNTED_ROWS ? `count(DISTINCT ${x})` : `approx_count_distinct(${x})`
  return [
    `count(${x})`,
    distinct,
    isNested ? 'NULL' : `left(${inWords(`min(${x})`, type)}, ${SHOWN})`,
    isNested ? 'NULL' : `left(${inWords(`max(${x})`, type)}, ${SHOWN})`,
    type === 'text' ? `count(*) FILTER (WHERE ${x} < 'A' AND ${formulaSql(x)})` : '0',
  ]
}

function toFacts([filled, distinct, min, max, formulas]: unknown[]): Facts {
  const text = (value: unknown) => (typeof value === 'string' ? value : null)
  return {
    filled: Number(filled),
    distinct: Math.min(Number(distinct), Number(filled)),
    min: text(min),
    max: text(max),
    formulas: Number(formulas),
  }
}

/** DuckDB's own estimate can be off by a fifth, so it only picks the counting method. */
async function countDistinct(
  bench: ImportDatabase,
  source: string,
  columns: Loaded['columns'],
  rough: readonly Facts[],
): Promise<number[]> {
  const counts = columns.map(({ name }, at) =>
    (rough[at]?.distinct ?? 0) < COUNTED_DISTINCT
      ? `count(DISTINCT ${named(name)})`
      : `${PARTS} * count(DISTINCT hash(${named(name)})) FILTER (hash(${named(name)}) % ${PARTS} = 0 AND ${named(name)} IS NOT NULL)`,
  )
  const [found = []] = await bench.rows(`SELECT ${counts.join(', ')} FROM ${source}`)
  return found.map(Number)
}

/** In the form that filters accept: times are ISO 8601. */
function inWords(value: string, type: ColumnType): string {
  if (type === 'timestamp') return `strftime(${value}, '%Y-%m-%dT%H:%M:%S')`
  return type === 'number' ? textOfValue('DOUBLE', `(${value})`) : `(${value})::VARCHAR`
}

/** Bars of equal width. For integers and days the width is an integer, so all bars are really equal. */
async function barsOf(
  bench: ImportDatabase,
  source: string,
  name: string,
  type: ColumnType,
  { distinct }: Facts,
): Promise<Column['histogram']> {
  if (!/^(integer|number|date|timestamp)$/.test(type) || distinct < 2) return null
  const isWhole = type !== 'number'
  const x = numberOf(named(name), type)
  const [[least, most] = []] = await bench.rows(`SELECT min(${x})::DOUBLE, max(${x})::DOUBLE FROM ${source}`)
  const [from, to] = [Number(least), Number(most)]
  const span = isWhole ? to - from + 1 : to - from
  if (!Number.isFinite(span) || span <= 0 || !isShown(from, type) || !isShown(to, type)) return null
  const width = isWhole ? Math.ceil(span / MOST_BARS) : span / MOST_BARS
  const bars = Math.min(MOST_BARS, Math.ceil(span / width))
  const counted = await bench.rows(`
    SELECT least(floor((${x} - (${from})) / ${width}), ${bars - 1})::INTEGER AS bar, count(*) FROM ${source}
    WHERE ${named(name)} IS NOT NULL GROUP BY bar`)
  const counts = new Map(counted.map(([bar, count]) => [Number(bar), Number(count)]))
  const edge = (at: number) => edgeInWords(at === bars ? (isWhole ? Math.min(to, from + at * width) : to) : from + at * width, type)
  return Array.from({ length: bars }, (_, at) => ({ from: edge(at), to: edge(at + 1), count: counts.get(at) ?? 0 }))
}

/** Years before 1 and after 9999 have no common notation. */
function isShown(value: number, type: ColumnType): boolean {
  if (type !== 'date' && type !== 'timestamp') return true
  const ms = value * (type === 'date' ? 86_400_000 : 1000)
  return ms >= FIRST_YEAR && ms < AFTER_LAST_YEAR
}

function numberOf(column: string, type: ColumnType): string {
  if (type === 'date') return `(epoch(${column}) / 86400)`
  return type === 'timestamp' ? `epoch(${column})` : `${column}::DOUBLE`
}

function edgeInWords(value: number, type: ColumnType): string {
  if (type === 'date') return new Date(value * 86_400_000).toISOString().slice(0, 10)
  return type === 'timestamp' ? new Date(value * 1000).toISOString().slice(0, 19) : String(value)
}

async function commonestOf(bench: ImportDatabase, source: string, name: string, type: ColumnType, { filled, distinct }: Facts) {
  if (type === 'list' || type === 'object' || distinct > MOST_DISTINCT || distinct === filled) return []
  const x = named(name)
  const counted = await bench.rows(`
    SELECT ${inWords(x, type)}, count(*) FROM ${source} WHERE ${x} IS NOT NULL GROUP BY ${x} ORDER BY count(*) DESC, ${x} LIMIT ${COMMONEST}`)
  // A truncated value cannot be filtered by.
  return counted.map(([value, count]) => ({ value: String(value), count: Number(count) })).filter(({ value }) => value.length <= SHOWN)
}

async function firstRowsOf(bench: ImportDatabase, source: string, columns: Loaded['columns']): Promise<Record<string, unknown>[]> {
  const values = columns.map(({ name, type }) => (type === 'timestamp' || type === 'date' ? inWords(named(name), type) : named(name)))
  const rows = await bench.rows(`SELECT ${values.join(', ')} FROM ${source} LIMIT ${SAMPLE_ROWS}`)
  return rows.map((row) => Object.fromEntries(columns.map(({ name, type }, at) => [name, shown(row[at], type)])))
}

function shown(value: unknown, type: ColumnType): unknown {
  if (type === 'integer' && typeof value === 'string') return Number.isSafeInteger(Number(value)) ? Number(value) : value
  if (typeof value !== 'string') return value ?? null
  return value.length > SHOWN
    ? `${Array.from(value.slice(0, 2 * SHOWN))
        .slice(0, SHOWN)
        .join('')}…`
    : value
}

import type { ColumnType } from '#app/datasets/catalog/column.ts'
import { columnGroups, partOf } from './column-groups.server.ts'
import { named, type ImportDatabase } from './import-database.server.ts'
import { chooseNumber, numberCounts } from './number-type.server.ts'
import {
  type ColumnValues,
  type Look,
  readName,
  readValueOf,
  type TextColumn,
  type TypedColumn,
  valueOf,
  withReadValues,
} from './text-column.server.ts'

/** The text of all columns, as SQL to select from, and its number of rows. */
export type TextTable = { from: string; rows: number }

/** The types that a text column can turn out to have. */
export const typesOfText = ['boolean', 'integer', 'number', 'date', 'timestamp'] as const satisfies ColumnType[]

/** The maximum share of values that may not fit a column's type: their rows are rejected and reported. */
const MOST_MISFITS = 0.01
/** Rows that are looked at first, which rules out most types before the full scan. */
export const SAMPLE_ROWS = 20_000

/** How a type is recognized: `counts` begins with the values that can be read as the type, and those that lose nothing then. */
type Candidate = {
  counts: (text: string, column: TextColumn) => string[]
  choose: (column: TextColumn, counts: number[], look: Look) => Promise<ColumnValues | undefined>
}

const candidates: Partial<Record<ColumnType, Candidate>> = {
  boolean: simple('boolean', (x) => `CASE lower(trim(${x})) WHEN 'true' THEN true WHEN 'false' THEN false END`),
  integer: simple(
    'integer',
    (x) => `TRY_CAST(${x} AS BIGINT)`,
    (x) => `TRY_CAST(${x} AS BIGINT)::VARCHAR = trim(${x})`,
  ),
  number: { counts: numberCounts, choose: chooseNumber },
  date: simple('date', (x) => `CASE WHEN TRY_CAST(${x} AS DATE)::VARCHAR = trim(${x}) THEN TRY_CAST(${x} AS DATE) END`),
  timestamp: { counts: timeCounts, choose: chooseTime },
  list: simple('list', (x) => `${x}::JSON`),
  object: simple('object', (x) => `${x}::JSON`),
}

/** `exact`: whether a value that can be read loses nothing, always by default. */
function simple(type: ColumnType, value: (x: string) => string, exact?: (x: string) => string): Candidate {
  const isRead = (x: string) => `${value(x)} IS NOT NULL`
  return {
    counts: (x, { reading }) => [
      // A reading must fit every value that it explains.
      `count(*) FILTER (${reading ? `${x} IS NOT NULL` : isRead(x)})`,
      `count(*) FILTER (${exact ? exact(x) : isRead(x)})`,
    ],
    choose: async (column) => ({ type, sql: value(readValueOf(column)) }),
  }
}

/** Detects each column's type from all of its values. A type of the version before is kept where all values fit it. */
export async function findTypes(bench: ImportDatabase, table: TextTable, columns: readonly TextColumn[]): Promise<TypedColumn[]> {
  const found: TypedColumn[] = []
  for (const some of columnGroups(columns)) {
    const from = await partOf(
      bench,
      { ...table, from: withReadValues(table.from, some) },
      some.flatMap(({ name, reading }) => (reading ? [name, readName(name)] : [name])),
    )
    const sample = `(SELECT * FROM ${from} LIMIT ${SAMPLE_ROWS})`
    const likely = table.rows > SAMPLE_ROWS ? await narrow(bench, sample, some.map(withEarlier)) : some.map(withEarlier)
    found.push(...(await decide(bench, from, likely)))
  }
  return found
}

/** A column that had no value before had no type. */
function withEarlier(column: TextColumn): TextColumn {
  const { earlier, maybe, reading } = column
  if (!earlier || earlier.fillRate === 0) return { ...column, earlier: undefined }
  if (maybe.includes('list') || maybe.includes('object')) return column
  if (earlier.type === 'text' && !reading) return { ...column, maybe: [] }
  return { ...column, maybe: [...new Set([earlier.type, ...maybe])].filter((type) => maybe.includes(type)) }
}

/** Drops the candidate types that do not fit some of the values. */
async function narrow(bench: ImportDatabase, from: string, columns: readonly TextColumn[]): Promise<TextColumn[]> {
  const left = columns.map((column) => ({ ...column }))
  let open = left.filter(({ maybe }) => maybe.length > 0)
  while (open.length > 0) {
    const counts = await countsOf(bench, from, open)
    open = open.filter((column, at) => {
      if (fits(counts[at] ?? [], column)) return false
      column.maybe = column.maybe.slice(1)
      return column.maybe.length > 0
    })
  }
  return left
}

/** The first candidate that fits all values. A column without values is text. */
async function decide(bench: ImportDatabase, from: string, columns: readonly TextColumn[]): Promise<TypedColumn[]> {
  const chosen = new Map<string, TypedColumn>()
  const look: Look = async (select) => Number((await bench.rows(select(from)))[0]?.[0])
  let open = columns.filter(({ maybe }) => maybe.length > 0)
  while (open.length > 0) {
    const counts = await countsOf(bench, from, open)
    const rest: TextColumn[] = []
    for (const [at, column] of open.entries()) {
      const counted = counts[at] ?? []
      if (counted[0] === 0) continue
      const [type = 'text', ...others] = column.maybe
      const typed = fits(counted, column) ? await candidates[type]?.choose(column, counted, look) : undefined
      if (typed) chosen.set(column.name, { name: column.name, hasMisfits: counted[0] !== counted[1], ...typed })
      else if (others.length > 0) rest.push({ ...column, maybe: others })
    }
    open = rest
  }
  return columns.map(({ name }) => chosen.get(name) ?? { name, type: 'text', sql: named(name), hasMisfits: false })
}

function fits([filled = 0, readable = 0, exact = 0]: readonly number[], { isForced = false }: TextColumn): boolean {
  return exact === readable && fitsEnough({ filled, readable }, isForced)
}

/** Whether few enough values are of another kind. A person can decide that any number is. */
export function fitsEnough({ filled, readable }: { filled: number; readable: number }, isForced = false): boolean {
  return isForced ? readable > 0 : filled - readable <= filled * MOST_MISFITS
}

async function countsOf(bench: ImportDatabase, from: string, columns: readonly TextColumn[]): Promise<number[][]> {
  const selects = columns.map((column) => {
    const counts = candidates[column.maybe[0] ?? 'text']?.counts(readValueOf(column), column) ?? []
    return `[${[`count(${valueOf(column.name)})`, ...counts].map((count) => `(${count})::BIGINT`).join(', ')}]`
  })
  const [row = []] = await bench.rows(`SELECT ${selects.join(', ')} FROM ${from}`)
  return row.map((list) => (Array.isArray(list) ? list.map(Number) : []))
}

/** A day and a time of day, and maybe a zone as an offset from UTC. */
const TIME = String.raw`[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]{1,6}0*)?)?( ?(Z|[+-][0-9]{2}(:?[0-9]{2})?))?`
const ZONE = String.raw`(Z|:[0-9.]+ ?[+-][0-9]{2}(:?[0-9]{2})?)$`
const OFFSET = String.raw`:[0-9.]+ ?[+-][0-9]{2}(:?[0-9]{2})?$`
const NO_OFFSET = '[+-]00(:?00)?$'

const MIXED = 'Some times have a zone and others have none. Those with a zone are converted to UTC, the others are taken as UTC'
const SHIFTED = 'Times with an offset are converted to UTC'

/** After the first two: times with a zone, and those that are not in UTC. */
function timeCounts(x: string, { reading }: TextColumn): string[] {
  const text = `trim(${x})`
  const isTime = `${asUtc(x)} IS NOT NULL`
  // A day among the times of a reading begins at midnight.
  if (reading) return [`count(${x})`, `count(*) FILTER (${isTime})`]
  return [
    `count(*) FILTER (${isTime})`,
    `count(*) FILTER (${isTime} AND regexp_full_match(${text}, '${TIME}'))`,
    `count(*) FILTER (${isTime} AND regexp_matches(${text}, '${ZONE}'))`,
    `count(*) FILTER (${isTime} AND regexp_matches(${text}, '${OFFSET}') AND NOT regexp_matches(${text}, '${NO_OFFSET}'))`,
  ]
}

/** Times with a zone are converted to UTC. */
async function chooseTime(column: TextColumn, counts: number[]): Promise<ColumnValues> {
  const [, readable = 0, , zoned = 0, shifted = 0] = counts
  const sql = asUtc(readValueOf(column))
  const isMixed = zoned > 0 && zoned < readable
  return { type: 'timestamp', sql, note: isMixed ? MIXED : shifted > 0 ? SHIFTED : undefined }
}

/** The engine would drop an offset from a time without a zone. */
function asUtc(x: string): string {
  return `TRY_CAST(${x} AS TIMESTAMPTZ)::TIMESTAMP`
}

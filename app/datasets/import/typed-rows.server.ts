import type { ColumnType } from '#app/datasets/catalog/column.ts'
import type { ColumnReadings } from '#app/datasets/catalog/version.ts'
import { PARQUET, PLACE } from '#app/datasets/rows/layout.ts'
import { offerReadings } from './column-offers.server.ts'
import { typesOfReading } from './column-reading.server.ts'
import { findTypes, type TextTable, typesOfText } from './column-types.server.ts'
import { named, sqlLiteral, type ImportDatabase } from './import-database.server.ts'
import { type Loaded, type LoadOrder, TOLD_REFUSALS } from './loaded.server.ts'
import { type TextColumn, type TypedColumn, valueOf, withReadValues } from './text-column.server.ts'

type Misread = TypedColumn & Pick<TextColumn, 'reading'>

/** The first rows with a value that is not of its column's type, by their place among the rows of the text, and how many there are. */
export type Misfits = { count: number; first: { row: number; reason: string }[] }

/** Writes the rows of a text table in the types that fit them. Rows that do not fit are left out. */
export async function writeTyped(
  bench: ImportDatabase,
  table: TextTable,
  given: readonly TextColumn[],
  { target, readings: choices }: Pick<LoadOrder, 'target' | 'readings'>,
): Promise<Pick<Loaded, 'columns' | 'notes' | 'readings' | 'offers'> & { misfits: Misfits }> {
  const { columns, typed, left } = await typeAll(
    bench,
    table,
    given.map((column) => withReading(column, choices)),
  )
  const from = withReadValues(table.from, columns)
  const values = typed.map(({ name, sql }) => `${sql} AS ${named(name)}`)
  const readings = new Map(columns.map(({ name, reading }) => [name, reading]))
  const misfits = typed.filter(({ hasMisfits }) => hasMisfits).map((column) => ({ ...column, reading: readings.get(column.name) }))
  const where = misfits.length > 0 ? `WHERE NOT (${misfits.map(isMisfit).join(' OR ')})` : ''
  await bench.run(`COPY (SELECT ${values.join(', ')} FROM ${from} ${where}) TO ${sqlLiteral(target)} ${PARQUET}`)
  return {
    columns: typed.map(({ name, type }) => ({ name, type })),
    notes: [...notesOf(typed), ...notesOf(left.map(({ name }) => ({ name, note: LEFT })))],
    readings: Object.fromEntries(columns.flatMap(({ name, isChosen, reading }) => (isChosen ? [[name, reading ?? 'text']] : []))),
    offers: await offerReadings(bench, table, columns, typed),
    misfits:
      misfits.length > 0 ? await tellMisfits(bench, withReadValues(table.from, columns, `, ${PLACE}`), misfits) : { count: 0, first: [] },
  }
}

const LEFT = 'The values no longer fit the reading that was chosen for the version before, so it is not used'

/** The choice of a person, for this file or for the version before. */
function withReading(column: TextColumn, { chosen = {}, before = {} }: LoadOrder['readings']): TextColumn {
  const of = (readings: ColumnReadings) => (Object.hasOwn(readings, column.name) ? readings[column.name] : undefined)
  const reading = of(chosen) ?? of(before)
  if (!reading || column.isJsonNumber || column.maybe.includes('list') || column.maybe.includes('object')) return column
  if (reading === 'text') return { ...column, isChosen: true, maybe: [] }
  return { ...column, isChosen: true, reading, isForced: of(chosen) !== undefined, maybe: typesOfReading(reading) }
}

/** Finds the types. A choice for the version before that does not fit is left out. */
async function typeAll(bench: ImportDatabase, table: TextTable, given: readonly TextColumn[]) {
  const found = await findTypes(bench, table, given)
  const isLost = ({ reading, isForced }: TextColumn, at: number) => reading !== undefined && !isForced && found[at]?.type === 'text'
  const left = given.filter(isLost).map(({ name, earlier }): TextColumn => ({ name, earlier, maybe: typesOfText }))
  if (left.length === 0) return { columns: given, typed: found, left }
  const again = new Map((await findTypes(bench, table, left)).map((each) => [each.name, each]))
  return {
    columns: given.map((column) => left.find(({ name }) => name === column.name) ?? column),
    typed: found.map((each) => again.get(each.name) ?? each),
    left,
  }
}

function isMisfit({ name, sql }: TypedColumn): string {
  return `(${valueOf(name)} IS NOT NULL AND (${sql}) IS NULL)`
}

async function tellMisfits(bench: ImportDatabase, from: string, columns: readonly Misread[]): Promise<Misfits> {
  const any = columns.map(isMisfit).join(' OR ')
  const reasons = columns.map(
    (column) =>
      `WHEN ${isMisfit(column)} THEN ${sqlLiteral(`${column.name}: “`)} || left(${named(column.name)}, 100) || ${sqlLiteral(`” is not ${(column.reading ? readWords : words)[column.type] ?? column.type}`)}`,
  )
  const [[count] = []] = await bench.rows(`SELECT count(*) FROM ${from} WHERE ${any}`)
  const first = await bench.rows(
    `SELECT ${PLACE}, CASE ${reasons.join(' ')} END FROM ${from} WHERE ${any} ORDER BY 1 LIMIT ${TOLD_REFUSALS}`,
  )
  return { count: Number(count), first: first.map(([row, reason]) => ({ row: Number(row), reason: String(reason) })) }
}

/** In the words of the file. */
const readWords: Partial<Record<ColumnType, string>> = {
  integer: 'a number',
  number: 'a number',
  boolean: 'a yes or no',
  date: 'a date',
  timestamp: 'a time',
}

const words: Partial<Record<ColumnType, string>> = {
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  date: 'a date such as 2026-01-31',
  timestamp: 'a time such as 2026-01-31 08:30:00',
}

const MOST_NAMED = 10

/** One note for all columns to which it applies. */
export function notesOf(columns: readonly { name: string; note?: string | undefined }[]): string[] {
  const byNote = Map.groupBy(
    columns.filter(({ note }) => note),
    ({ note }) => note,
  )
  return [...byNote].map(([note, some]) => {
    const names = some.slice(0, MOST_NAMED).map(({ name }) => name)
    const more = some.length > MOST_NAMED ? ` and ${some.length - MOST_NAMED} more` : ''
    return `${note}: ${names.join(', ')}${more}.`
  })
}

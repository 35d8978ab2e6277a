import type { ColumnType } from '#app/datasets/catalog/column.ts'
import { PARQUET, PLACE } from '#app/datasets/rows/layout.ts'
import { findTypes, type TextTable } from './column-types.server.ts'
import { named, sqlLiteral, type ImportDatabase } from './import-database.server.ts'
import { TOLD_REFUSALS, type Loaded } from './loaded.server.ts'
import { type TextColumn, type TypedColumn, valueOf } from './text-column.server.ts'

/** The first rows with a value that is not of its column's type, by their place among the rows of the text, and how many there are. */
export type Misfits = { count: number; first: { row: number; reason: string }[] }

/** Writes the rows of a text table in the types that fit them. Rows that do not fit are left out. */
export async function writeTyped(
  bench: ImportDatabase,
  table: TextTable,
  columns: readonly TextColumn[],
  target: string,
): Promise<Pick<Loaded, 'columns' | 'notes'> & { misfits: Misfits }> {
  const typed = await findTypes(bench, table, columns)
  const values = typed.map(({ name, sql }) => `${sql} AS ${named(name)}`)
  const misfits = typed.filter(({ hasMisfits }) => hasMisfits)
  const where = misfits.length > 0 ? `WHERE NOT (${misfits.map(isMisfit).join(' OR ')})` : ''
  await bench.run(`COPY (SELECT ${values.join(', ')} FROM ${table.from} ${where}) TO ${sqlLiteral(target)} ${PARQUET}`)
  return {
    columns: typed.map(({ name, type }) => ({ name, type })),
    notes: notesOf(typed),
    misfits: misfits.length > 0 ? await tellMisfits(bench, table, misfits) : { count: 0, first: [] },
  }
}

function isMisfit({ name, sql }: TypedColumn): string {
  return `(${valueOf(name)} IS NOT NULL AND (${sql}) IS NULL)`
}

async function tellMisfits(bench: ImportDatabase, { from }: TextTable, columns: readonly TypedColumn[]): Promise<Misfits> {
  const any = columns.map(isMisfit).join(' OR ')
  const reasons = columns.map(
    (column) =>
      `WHEN ${isMisfit(column)} THEN ${sqlLiteral(`${column.name}: “`)} || left(${named(column.name)}, 100) || ${sqlLiteral(`” is not ${words[column.type] ?? column.type}`)}`,
  )
  const [[count] = []] = await bench.rows(`SELECT count(*) FROM ${from} WHERE ${any}`)
  const first = await bench.rows(
    `SELECT ${PLACE}, CASE ${reasons.join(' ')} END FROM (SELECT *, ${PLACE} FROM ${from}) WHERE ${any} ORDER BY 1 LIMIT ${TOLD_REFUSALS}`,
  )
  return { count: Number(count), first: first.map(([row, reason]) => ({ row: Number(row), reason: String(reason) })) }
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

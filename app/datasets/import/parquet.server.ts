import { stat } from 'node:fs/promises'
import type { ColumnType } from '#app/datasets/catalog/column.ts'
import { PARQUET } from '#app/datasets/rows/layout.ts'
import { columnGroups } from './column-groups.server.ts'
import { checkNames } from './column-names.ts'
import { propertyOf } from '#app/platform/errors/property.ts'
import type { Loaded, LoadOrder } from './loaded.server.ts'
import { checkText, checkValues } from './import-limits.ts'
import { type ParquetColumn, readParquetColumn } from './parquet-values.server.ts'
import { notesOf } from './typed-rows.server.ts'
import { Unreadable } from './unreadable.ts'
import { named, sqlLiteral, type ImportDatabase } from './import-database.server.ts'

const MOST_DECIMAL_DIGITS = 38
const UNKNOWN = 'This Parquet file has values of a kind that cannot be read. Export it with other types.'
const DAMAGED = 'This file is not valid Parquet. It may be damaged or incomplete.'

/** Rewrites Parquet in our types, because it may hold types that the API has no form for. Nested values become JSON. */
export async function loadParquet(
  bench: ImportDatabase,
  { source, target, names: chosen }: Omit<LoadOrder, 'earlier' | 'readings'>,
): Promise<Loaded> {
  const from = `read_parquet(${sqlLiteral(source)})`
  const described = await bench.types(`SELECT * FROM ${from}`).catch(() => [])
  if (described.length === 0) throw new Unreadable(DAMAGED)
  const names = checkNames(
    described.map(({ name }) => name),
    chosen,
  )
  await checkDigits(bench, source)
  const columns = described.map(({ name, type }, at) => readParquetColumn(name, names[at] ?? '', type))
  const { size: bytes } = await stat(source)
  const rows = await readable(checkClaims(bench, source, bytes))
  await readable(measureText(bench, source, columns, bytes))
  const values = columns.map(({ name, sql }) => `${sql} AS ${named(name)}`).join(', ')
  await readable(bench.run(`COPY (SELECT ${values} FROM ${from}) TO ${sqlLiteral(target)} ${PARQUET}`))
  const [[written] = []] = await bench.rows(`SELECT count(*) FROM read_parquet(${sqlLiteral(target)})`)
  if (Number(written) !== rows) throw new Unreadable(DAMAGED)
  return {
    columns: columns.map(({ name, type }) => ({ name, type })),
    refusedRows: 0,
    refusals: [],
    notes: await notesOn(bench, from, columns),
    readings: {},
    offers: [],
  }
}

/** The engine reads decimals of more digits as rounded numbers. */
async function checkDigits(bench: ImportDatabase, source: string): Promise<void> {
  const [[name, digits] = []] = await readable(
    bench.rows(`SELECT name, precision FROM parquet_schema(${sqlLiteral(source)})
      WHERE precision > ${MOST_DECIMAL_DIGITS} AND (converted_type = 'DECIMAL' OR starts_with(logical_type, 'Decimal')) LIMIT 1`),
  )
  if (typeof name !== 'string') return
  throw new Unreadable(
    `The column ${name} has decimals of ${Number(digits)} digits. The maximum is ${MOST_DECIMAL_DIGITS}. Export it as text.`,
  )
}

/** What is not kept, or shown in another form, in the columns where it occurs. */
async function notesOn(bench: ImportDatabase, from: string, columns: readonly ParquetColumn[]): Promise<string[]> {
  const noted: { name: string; note: string | undefined }[] = []
  for (const some of columnGroups(columns.filter(({ lost }) => lost !== undefined))) {
    const [found = []] = await bench.rows(`SELECT ${some.map(({ lost }) => `count(*) FILTER (${lost})`).join(', ')} FROM ${from}`)
    noted.push(...some.filter((_, at) => Number(found[at]) > 0).map(({ name, note }) => ({ name, note })))
  }
  return notesOf(noted)
}

/** Reads only the footer, and returns its row count. */
async function checkClaims(bench: ImportDatabase, source: string, bytes: number): Promise<number> {
  const [[claimed] = []] = await bench.rows(`SELECT num_rows FROM parquet_file_metadata(${sqlLiteral(source)})`)
  // A list holds many values per row, so the longest column of each block counts.
  const [[inBlocks, columns, unpacked, longest] = []] = await bench.rows(`
    SELECT coalesce(sum(rows), 0), coalesce(max(columns), 0), coalesce(sum(unpacked), 0), coalesce(sum(longest), 0) FROM (
      SELECT max(row_group_num_rows) AS rows, count(*) AS columns, sum(total_uncompressed_size::HUGEINT) AS unpacked, max(num_values) AS longest
      FROM parquet_metadata(${sqlLiteral(source)}) GROUP BY row_group_id)`)
  const rows = Number(claimed)
  checkValues({ rows: Math.max(rows, Number(inBlocks), Number(longest)), columns: Number(columns), bytes })
  checkText(Number(unpacked), bytes)
  if (rows !== Number(inBlocks)) throw new Unreadable(DAMAGED)
  return rows
}

/** A dictionary stores a repeated text once, so its total size is known only after reading. Numbers are small. */
async function measureText(bench: ImportDatabase, source: string, columns: readonly { type: ColumnType; sql: string }[], bytes: number) {
  const texts = columns.filter(({ type }) => type === 'text' || type === 'list' || type === 'object')
  if (texts.length === 0) return
  let text = 0
  for (const some of columnGroups(texts)) {
    const sum = some.map(({ sql }) => `coalesce(sum(strlen((${sql})::VARCHAR)), 0)`).join(' + ')
    const [[more] = []] = await bench.rows(`SELECT ${sum} FROM read_parquet(${sqlLiteral(source)})`)
    text += Number(more)
  }
  checkText(text, bytes)
}

const BROKEN = /^(Invalid Input|IO|Serialization|TProtocol|Invalid|Internal) |don't know what type|Parquet/i

async function readable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (propertyOf(error, 'message').startsWith('Not implemented')) throw new Unreadable(UNKNOWN)
    if (error instanceof Unreadable || !BROKEN.test(propertyOf(error, 'message'))) throw error
    throw new Unreadable(DAMAGED)
  }
}

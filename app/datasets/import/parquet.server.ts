import { stat } from 'node:fs/promises'
import type { ColumnType } from '#app/datasets/catalog/column.ts'
import { PARQUET } from '#app/datasets/rows/layout.ts'
import { checkNames } from './column-names.ts'
import { propertyOf } from '#app/platform/property.ts'
import type { Loaded } from './loaded.ts'
import { checkText, checkValues } from './import-limits.ts'
import { Unreadable } from './unreadable.ts'
import { named, sqlLiteral, type ImportDatabase } from './import-database.server.ts'

const DAMAGED = 'This file is not valid Parquet. It may be damaged or incomplete.'

/** Rewrites Parquet in our types, because it may hold types that the API has no form for. Nested values become JSON. */
export async function loadParquet(bench: ImportDatabase, source: string, target: string): Promise<Loaded> {
  const described = await bench.rows(`DESCRIBE SELECT * FROM read_parquet(${sqlLiteral(source)})`).catch(() => [])
  if (described.length === 0) throw new Unreadable(DAMAGED)
  const names = checkNames(described.map(([name]) => String(name)))
  const columns = described.map(([given, type], at) => ({
    given: String(given),
    name: names[at] ?? '',
    ...readingOf(String(type), String(given)),
  }))
  const { size: bytes } = await stat(source)
  const rows = await readable(checkClaims(bench, source, bytes))
  await readable(measureText(bench, source, columns, bytes))
  const values = columns.map(({ name, sql }) => `${sql} AS ${named(name)}`).join(', ')
  await readable(bench.run(`COPY (SELECT ${values} FROM read_parquet(${sqlLiteral(source)})) TO ${sqlLiteral(target)} ${PARQUET}`))
  const [[written] = []] = await bench.rows(`SELECT count(*) FROM read_parquet(${sqlLiteral(target)})`)
  if (Number(written) !== rows) throw new Unreadable(DAMAGED)
  return { columns: columns.map(({ name, type }) => ({ name, type })), refusedRows: 0, refusals: [], notes: [] }
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
  const sum = texts.map(({ sql }) => `coalesce(sum(strlen((${sql})::VARCHAR)), 0)`).join(' + ')
  const [[text] = []] = await bench.rows(`SELECT ${sum} FROM read_parquet(${sqlLiteral(source)})`)
  checkText(Number(text), bytes)
}

const BROKEN = /^(Invalid Input|IO|Serialization|TProtocol|Invalid|Internal) |don't know what type|Parquet/i

async function readable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Unreadable || !BROKEN.test(propertyOf(error, 'message'))) throw error
    throw new Unreadable(DAMAGED)
  }
}

function readingOf(type: string, name: string): { type: ColumnType; sql: string } {
  const column = named(name)
  if (/\[\d*\]$/.test(type)) return { type: 'list', sql: `to_json(${column})` }
  if (/^(STRUCT|MAP|UNION)/.test(type) || type === 'JSON') return { type: 'object', sql: `to_json(${column})` }
  if (/^U?(TINY|SMALL|BIG)INT$|^U?INTEGER$/.test(type)) {
    return type === 'UBIGINT' ? { type: 'text', sql: `${column}::VARCHAR` } : { type: 'integer', sql: `${column}::BIGINT` }
  }
  if (/^(FLOAT|DOUBLE)$/.test(type)) return { type: 'number', sql: `CASE WHEN isfinite(${column}) THEN ${column}::DOUBLE END` }
  if (type.startsWith('DECIMAL')) return { type: 'number', sql: column }
  if (type === 'BOOLEAN') return { type: 'boolean', sql: column }
  if (type === 'DATE') return { type: 'date', sql: column }
  if (type.startsWith('TIMESTAMP')) return { type: 'timestamp', sql: `${column}::TIMESTAMP` }
  if (/^(BLOB|BIT|GEOMETRY)/.test(type)) throw new Unreadable(`The column ${name} has binary data, which is not supported. Remove it.`)
  return { type: 'text', sql: `${column}::VARCHAR` }
}

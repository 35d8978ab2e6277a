import type { ColumnType } from '#app/datasets/column.ts'
import { PARQUET } from '#app/duckdb/layout.ts'
import { checkNames } from './column-names.ts'
import type { Loaded } from './loaded.ts'
import { Unreadable } from './unreadable.ts'
import { named, quoted, type Workbench } from './workbench.server.ts'

/** Parquet may hold what no API can say: it is written anew in our types. Nested values become JSON. */
export async function loadParquet(bench: Workbench, source: string, target: string): Promise<Loaded> {
  const described = await bench.rows(`DESCRIBE SELECT * FROM read_parquet(${quoted(source)})`).catch(() => [])
  if (described.length === 0) throw new Unreadable('This file cannot be read as Parquet: it is damaged, or not whole.')
  const names = checkNames(described.map(([name]) => String(name)))
  const columns = described.map(([given, type], at) => ({
    given: String(given),
    name: names[at] ?? '',
    ...readingOf(String(type), String(given)),
  }))
  const values = columns.map(({ name, sql }) => `${sql} AS ${named(name)}`).join(', ')
  await bench.run(`COPY (SELECT ${values} FROM read_parquet(${quoted(source)})) TO ${quoted(target)} ${PARQUET}`)
  return { columns: columns.map(({ name, type }) => ({ name, type })), refusedRows: 0, refusals: [], notes: [] }
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
  if (/^(BLOB|BIT|GEOMETRY)/.test(type))
    throw new Unreadable(`The column ${name} holds bytes, which no table of text can show: leave it out.`)
  return { type: 'text', sql: `${column}::VARCHAR` }
}

import { LRUCache } from 'lru-cache'
import type { Column } from '#app/datasets/catalog/column.ts'
import { queryDuckdb, literal } from './engine.server.ts'
import { localFile } from '#app/platform/storage/storage.server.ts'
import type { Row } from '#db/tables.ts'

/** The parts of a version that reading its rows needs. */
export type DataVersion = Pick<Row<'datasetVersions'>, 'id' | 'columns' | 'rows'>

/**
 * A column and the type in which it is stored: `BIGINT`, `DECIMAL(9,2)`, `JSON`. `isPlain`: its minimum and maximum are numbers that JSON
 * can hold, so no value needs a check.
 */
export type StoredColumn = Pick<Column, 'name' | 'type'> & { kept: string; isPlain: boolean }

/** The SQL source of the rows, with their columns in order. */
export type Source = { from: string; columns: StoredColumn[] }

/** The stored types of a version never change. */
const known = new LRUCache<string, Map<string, string>>({ max: 500 })

/** The rows of a version; its files exist before its row does. */
export async function sourceOf({ id, columns }: Pick<DataVersion, 'id' | 'columns'>): Promise<Source> {
  const file = await localFile(`datasets/${id}/data.parquet`)
  if (!file) throw new Error('A version of a dataset has no file.')
  const from = `read_parquet(${literal(file)})`
  const kept = known.get(id) ?? (await describeParquet(from))
  known.set(id, kept)
  return { from, columns: columns.map((column) => withKept(column, kept.get(column.name) ?? 'VARCHAR')) }
}

function withKept({ name, type, min, max }: Column, kept: string): StoredColumn {
  const isWithin = (bound: string | null) =>
    bound !== null && (type === 'integer' ? Number.isSafeInteger(Number(bound)) : Number.isFinite(Number(bound)))
  return { name, type, kept, isPlain: isWithin(min) && isWithin(max) }
}

/** The stored type of each column. */
export async function describeParquet(from: string): Promise<Map<string, string>> {
  const rows = await queryDuckdb(`SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM ${from})`)
  return new Map(rows.map(({ column_name: name, column_type: kept }) => [String(name), String(kept)]))
}

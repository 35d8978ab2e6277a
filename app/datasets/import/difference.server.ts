import type { Column } from '#app/datasets/catalog/column.ts'
import type { VersionDifference } from '#app/datasets/catalog/version.ts'
import { named, sqlLiteral, type ImportDatabase } from './import-database.server.ts'

export type Previous = { number: number; file: string; columns: Pick<Column, 'name' | 'type'>[] }

/** Compares whole rows in their common columns. Duplicates count each time. */
export async function compare(
  bench: ImportDatabase,
  file: string,
  columns: Previous['columns'],
  previous: Previous,
): Promise<VersionDifference> {
  const before = new Map(previous.columns.map(({ name, type }) => [name, type]))
  const now = new Set(columns.map(({ name }) => name))
  const both = columns.filter(({ name }) => before.has(name))
  const changed = both.filter(({ name, type }) => before.get(name) !== type)
  const [keptNow, keptBefore] = [await keptTypes(bench, file), await keptTypes(bench, previous.file)]
  // The engine hashes 1.50 in DECIMAL(3,2) and DECIMAL(9,2) differently. Values of other types are compared as text.
  const values = both.map(({ name, type }) => {
    if (keptNow.get(name) === keptBefore.get(name)) return named(name)
    return `${named(name)}::${type === 'number' && before.get(name) === 'number' ? 'DOUBLE' : 'VARCHAR'}`
  })
  const hashed = (from: string, sign: string) =>
    `SELECT hash(${values.join(', ')}) AS row, ${sign}1 AS sign FROM read_parquet(${sqlLiteral(from)})`
  const [[added, removed] = []] =
    values.length === 0
      ? await bench.rows(
          `SELECT (SELECT count(*) FROM read_parquet(${sqlLiteral(file)})), (SELECT count(*) FROM read_parquet(${sqlLiteral(previous.file)}))`,
        )
      : await bench.rows(`
        SELECT coalesce(sum(greatest(balance, 0)), 0), coalesce(sum(greatest(-balance, 0)), 0)
        FROM (SELECT sum(sign) AS balance FROM (${hashed(file, '+')} UNION ALL ${hashed(previous.file, '-')}) GROUP BY row)`)
  return {
    previous: previous.number,
    addedRows: Number(added),
    removedRows: Number(removed),
    addedColumns: columns.filter(({ name }) => !before.has(name)).map(({ name }) => name),
    removedColumns: previous.columns.filter(({ name }) => !now.has(name)).map(({ name }) => name),
    changedTypes: changed.map(({ name }) => name),
  }
}

/** The types in which the engine stores the columns of a Parquet file. */
export async function keptTypes(bench: ImportDatabase, file: string): Promise<Map<string, string>> {
  const described = await bench.rows(`DESCRIBE SELECT * FROM read_parquet(${sqlLiteral(file)})`)
  return new Map(described.map(([name, type]) => [String(name), String(type)]))
}

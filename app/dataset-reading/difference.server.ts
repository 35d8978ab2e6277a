import type { Column } from '#app/datasets/column.ts'
import type { Difference } from '#app/datasets/version.ts'
import { named, quoted, type Workbench } from './workbench.server.ts'

export type Previous = { number: number; file: string; columns: Pick<Column, 'name' | 'type'>[] }

/** Rows are compared as a whole, in the columns that both have. One that stands twice counts twice. */
export async function compare(bench: Workbench, file: string, columns: Previous['columns'], previous: Previous): Promise<Difference> {
  const before = new Map(previous.columns.map(({ name, type }) => [name, type]))
  const now = new Set(columns.map(({ name }) => name))
  const both = columns.filter(({ name }) => before.has(name))
  const changed = both.filter(({ name, type }) => before.get(name) !== type)
  // Values of two types are compared as texts.
  const values = both.map(({ name, type }) => (before.get(name) === type ? named(name) : `${named(name)}::VARCHAR`))
  const hashed = (from: string, sign: string) =>
    `SELECT hash(${values.join(', ')}) AS row, ${sign}1 AS sign FROM read_parquet(${quoted(from)})`
  const [[added, removed] = []] =
    values.length === 0
      ? await bench.rows(
          `SELECT (SELECT count(*) FROM read_parquet(${quoted(file)})), (SELECT count(*) FROM read_parquet(${quoted(previous.file)}))`,
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

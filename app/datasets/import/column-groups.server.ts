import { named, type ImportDatabase } from './import-database.server.ts'

/** The columns of one query. A plan with hundreds of aggregates takes minutes and gigabytes. */
const TOGETHER = 20
/** Tables of at most this many rows are copied group by group. */
const COPIED_ROWS = 200_000

/** The columns in groups that one query can hold. */
export function columnGroups<Column>(columns: readonly Column[]): Column[][] {
  return Array.from({ length: Math.ceil(columns.length / TOGETHER) }, (_, at) => columns.slice(at * TOGETHER, (at + 1) * TOGETHER))
}

/** A table of few rows is read once for a group of columns, not once for each query: the footer of a wide file is large. */
export async function partOf(
  bench: ImportDatabase,
  { from, rows }: { from: string; rows: number },
  names: readonly string[],
): Promise<string> {
  if (rows > COPIED_ROWS) return from
  await bench.run(`CREATE OR REPLACE TEMP TABLE part AS SELECT ${names.map(named).join(', ')} FROM ${from}`)
  return 'part'
}

import type { Loaded } from './loaded.ts'
import { named, sqlLiteral, type ImportDatabase } from './import-database.server.ts'

/** Counts, for each rule of one or more comma-separated columns, the rows that repeat earlier values; −1 if a column is missing. */
export async function countDuplicates(
  bench: ImportDatabase,
  file: string,
  columns: Loaded['columns'],
  rules: readonly string[],
): Promise<Record<string, number>> {
  const known = new Set(columns.map(({ name }) => name))
  const found: [string, number][] = []
  for (const rule of rules) {
    const names = known.has(rule) ? [rule] : rule.split(',').map((name) => name.trim())
    if (!names.every((name) => known.has(name))) {
      found.push([rule, -1])
      continue
    }
    const [[count] = []] = await bench.rows(`
      SELECT count(*) - count(DISTINCT (${names.map(named).join(', ')}${names.length === 1 ? ', 1' : ''})) FROM read_parquet(${sqlLiteral(file)})`)
    found.push([rule, Number(count)])
  }
  return Object.fromEntries(found)
}

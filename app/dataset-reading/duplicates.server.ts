import type { Loaded } from './loaded.ts'
import { named, quoted, type Workbench } from './workbench.server.ts'

/** For each rule, a column or several with commas between them, the rows beyond the first that have the same values; −1 where there is no such column. */
export async function countDuplicates(
  bench: Workbench,
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
      SELECT count(*) - count(DISTINCT (${names.map(named).join(', ')}${names.length === 1 ? ', 1' : ''})) FROM read_parquet(${quoted(file)})`)
    found.push([rule, Number(count)])
  }
  return Object.fromEntries(found)
}

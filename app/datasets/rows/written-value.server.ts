import { identifier } from './engine.server.ts'
import { formulaSql, guarded } from '#app/platform/tables/formula-guard.ts'
import type { StoredColumn } from './parquet-file.server.ts'
import { isFloating, jsonOfValue, shortest, textOfValue, validJson } from './value-sql.ts'

/** SQL that turns a row into one text. DuckDB writes millions of rows in its own threads, and pages use the same text. */
export function rowAsJson(columns: readonly StoredColumn[]): string {
  return `to_json(struct_pack(${columns.map((column) => `${identifier(column.name)} := ${jsonOf(column)}`).join(', ')}))::VARCHAR`
}

/** The handling of texts that a spreadsheet would run as formulas. Numbers, times and nested values are not formulas. */
export type CellGuard = 'apostrophe' | 'none'

/**
 * RFC 4180. A missing value is empty, and an empty text is `""`. With a single column both are `""`, because an empty line is not a row.
 */
export function rowAsCsv(columns: readonly StoredColumn[], guard: CellGuard): string {
  const nothing = columns.length === 1 ? '""' : ''
  const cells = columns.map((column) => `coalesce(${csvOf(column, guard)}, '${nothing}')`)
  return `concat(${cells.join(`, ',', `)})`
}

export function csvHeader(columns: readonly StoredColumn[], guard: CellGuard): string {
  const names = columns.map(({ name }) => (guard === 'none' ? name : guarded(name)))
  return names.map((name) => (/[",\r\n]/.test(name) || name === '' ? `"${name.replaceAll('"', '""')}"` : name)).join(',')
}

function jsonOf(column: StoredColumn): string {
  const { type, kept, name, isPlain } = column
  const x = identifier(name)
  if (type === 'list' || type === 'object') return `(${inWords(column)})::JSON`
  if (isFloating(kept)) return isPlain ? shortest(kept, x) : jsonOfValue(kept, x)
  if (type === 'integer') return isPlain ? x : jsonOfValue('HUGEINT', x)
  return type === 'boolean' ? x : inWords(column)
}

function csvOf(column: StoredColumn, guard: CellGuard): string {
  const words = inWords(column)
  if (!/^(text|list|object)$/.test(column.type)) return words
  // Each of these characters sorts before A, which is far cheaper to compare.
  const isFormulaSql = guard === 'none' || column.type !== 'text' ? 'false' : `${words} < 'A' AND ${formulaSql(words)}`
  const cell = `CASE WHEN ${isFormulaSql} THEN concat('''', ${words}) ELSE ${words} END`
  return `CASE WHEN ${words} = '' OR regexp_matches(${words}, '[",\\r\\n]') THEN concat('"', replace(${cell}, '"', '""'), '"')
    WHEN ${isFormulaSql} THEN concat('''', ${words}) ELSE ${words} END`
}

/** A value as text; nested values as JSON on one line. */
function inWords({ type, kept, name, isPlain }: StoredColumn): string {
  const x = identifier(name)
  if (type !== 'list' && type !== 'object') return isFloating(kept) && isPlain ? `${x}::VARCHAR` : textOfValue(kept, x)
  const json = kept === 'JSON' || kept === 'VARCHAR' ? `${x}::VARCHAR` : `to_json(${x})::VARCHAR`
  return validJson(`translate(${json}, chr(10) || chr(13), '  ')`)
}

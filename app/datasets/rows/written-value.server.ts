import { identifier } from './engine.server.ts'
import { formulaSql, guarded } from '#app/platform/formula-guard.ts'
import type { StoredColumn } from './parquet-file.server.ts'

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

/** JSON has no infinity or NaN, and its readers round numbers of many digits: these are text. */
function jsonOf(column: StoredColumn): string {
  const { type, kept, name } = column
  const x = identifier(name)
  const words = inWords(column)
  if (type === 'integer' && !column.isPlain) {
    return `CASE WHEN ${x} BETWEEN -9007199254740991 AND 9007199254740991 THEN to_json(${x}) ELSE to_json(${words}) END`
  }
  if (isFloating(kept)) {
    // The shortest form: otherwise 0.1 would become 0.10000000149011612.
    const number = kept === 'FLOAT' ? `${x}::VARCHAR::DOUBLE` : x
    return column.isPlain ? number : `CASE WHEN isfinite(${x}) THEN to_json(${number}) ELSE to_json(${words}) END`
  }
  if (type === 'list' || type === 'object') return `(${words})::JSON`
  return type === 'integer' || type === 'boolean' ? x : words
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

/** A value as text: times as ISO 8601, numbers without loss, nested values as JSON on one line. */
function inWords({ type, kept, name, isPlain }: StoredColumn): string {
  const x = identifier(name)
  if (kept.startsWith('TIMESTAMP')) return `replace(make_timestamp(epoch_us(${x}))::VARCHAR, ' ', 'T')`
  if (isFloating(kept) && !isPlain) {
    return `CASE WHEN isfinite(${x}) THEN ${x}::VARCHAR WHEN isnan(${x}) THEN 'NaN' WHEN ${x} > 0 THEN 'Infinity' WHEN ${x} < 0 THEN '-Infinity' END`
  }
  if (type !== 'list' && type !== 'object') return kept === 'VARCHAR' ? x : `${x}::VARCHAR`
  return `translate(${kept === 'JSON' || kept === 'VARCHAR' ? `${x}::VARCHAR` : `to_json(${x})::VARCHAR`}, chr(10) || chr(13), '  ')`
}

function isFloating(kept: string): boolean {
  return kept === 'DOUBLE' || kept === 'FLOAT'
}

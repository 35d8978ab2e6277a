import type { Column } from '#app/datasets/catalog/column.ts'

type Row = Record<string, unknown>

/**
 * A page of rows as RFC 4180, with a header line. A missing value is empty, an empty text is `""`. Only texts go through `guard`, not
 * numbers and times, which are texts in JSON.
 */
export function pageAsCsv(
  columns: readonly Pick<Column, 'name' | 'type'>[],
  rows: readonly Row[],
  guard: (text: string) => string,
): string {
  const nothing = columns.length === 1 ? '""' : ''
  const lines = rows.map((row) => columns.map(({ name, type }) => cell(row[name], type === 'text' ? guard : asItIs) ?? nothing).join(','))
  return [columns.map(({ name }) => inQuotes(guard(name))).join(','), ...lines, ''].join('\r\n')
}

export const asItIs = (text: string) => text

function cell(value: unknown, guard: (text: string) => string): string | undefined {
  if (value === null || value === undefined) return undefined
  if (typeof value === 'string') return inQuotes(guard(value))
  return inQuotes(JSON.stringify(value))
}

function inQuotes(text: string): string {
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

type Row = Record<string, unknown>

/** A page of rows as RFC 4180: a head, then a line for each. A value that is missing is empty, a text without characters is `""`. Nothing is put before values that a spreadsheet takes for formulas: data have to come back as they were. */
export function pageAsCsv(columns: readonly string[], rows: readonly Row[]): string {
  const nothing = columns.length === 1 ? '""' : ''
  const lines = rows.map((row) => columns.map((column) => cell(row[column]) ?? nothing).join(','))
  return [columns.map((column) => inQuotes(column)).join(','), ...lines, ''].join('\r\n')
}

function cell(value: unknown): string | undefined {
  if (value === null || value === undefined) return undefined
  if (typeof value === 'string') return inQuotes(value)
  return inQuotes(JSON.stringify(value))
}

function inQuotes(text: string): string {
  return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A row as it stands in a sample. */
export type SampleRow = Record<string, unknown>

/** The rows of a sample, which travels as JSON text; nothing when that cannot be read, or holds no rows (row 130). */
export function readSample(text: string | null): SampleRow[] {
  try {
    const read: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(read) ? read.filter(isRow) : []
  } catch {
    return []
  }
}

/** Every column that some row has, in the order in which they come. */
export function columnsOf(rows: readonly SampleRow[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))]
}

/** A value as a cell shows it; what is nested as JSON, what is missing as nothing. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function isRow(value: unknown): value is SampleRow {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export type SampleRow = Record<string, unknown>

/** Parses a sample from JSON; returns an empty list if it is unreadable. */
export function readSample(text: string | null): SampleRow[] {
  try {
    const read: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(read) ? read.filter(isRow) : []
  } catch {
    return []
  }
}

/** Every column that any row has, in order of appearance. */
export function sampleColumns(rows: readonly SampleRow[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))]
}

/** The text of a cell: nested values as JSON, missing ones empty. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function isRow(value: unknown): value is SampleRow {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

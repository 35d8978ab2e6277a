export type SampleCell = string | number | boolean | null

/** A generated dataset: column names and rows. */
export type SampleSheet = { columns: readonly string[]; rows: Iterable<readonly SampleCell[]> }

const PIECE = 64 * 1024

/** A sheet as chunks of CSV (RFC 4180). Unknown values are empty. */
export function* csvOf({ columns, rows }: SampleSheet): Generator<string> {
  let piece = `${columns.map(cellOf).join(',')}\n`
  for (const row of rows) {
    piece += `${row.map(cellOf).join(',')}\n`
    if (piece.length < PIECE) continue
    yield piece
    piece = ''
  }
  if (piece) yield piece
}

function cellOf(value: SampleCell): string {
  if (value === null) return ''
  const text = String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

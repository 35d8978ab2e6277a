export type Cell = string | number | boolean | null

/** A dataset that is made here: the names of its columns and its rows, one after the other. */
export type Sheet = { columns: readonly string[]; rows: Iterable<readonly Cell[]> }

const PIECE = 64 * 1024

/** A sheet as the text of a CSV file (RFC 4180), in pieces. What is not known is an empty cell. */
export function* csvOf({ columns, rows }: Sheet): Generator<string> {
  let piece = `${columns.map(cellOf).join(',')}\n`
  for (const row of rows) {
    piece += `${row.map(cellOf).join(',')}\n`
    if (piece.length < PIECE) continue
    yield piece
    piece = ''
  }
  if (piece) yield piece
}

function cellOf(value: Cell): string {
  if (value === null) return ''
  const text = String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Rows as JSON Lines: in pieces of whole lines, and their length in all. Stored rows are unpacked piece by piece while they are read. */
export type RowLines = { bytes: number; pieces: () => Iterable<string> }

export function asLines(rows: readonly string[]): RowLines {
  const text = rows.map((row) => `${row}\n`).join('')
  return { bytes: Buffer.byteLength(text), pieces: () => (text ? [text] : []) }
}

export function textOfLines({ pieces }: RowLines): string {
  return [...pieces()].join('')
}

/** The rows as objects. A column can have any name, even `__proto__`, which a schema would drop. */
export function parsedRows(lines: string): Record<string, unknown>[] {
  return lines.split('\n').filter(Boolean).map(parsedRow)
}

function parsedRow(line: string): Record<string, unknown> {
  const row: unknown = JSON.parse(line)
  if (!isRow(row)) throw new Error('A row was not written as an object.')
  return row
}

function isRow(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

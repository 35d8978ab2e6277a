import { parse } from 'csv-parse/sync'
import { z } from 'zod'

/** A row of a CSV file, with its first line. Without `cells`, a quotation mark in it is not closed. */
export type CsvRow = { line: number; text: string; cells?: string[] }

const SEPARATORS = [',', ';', '\t', '|']
/** The separator is decided from so many lines. */
const TRIED = 50
/** The most lines of one row. */
const LONGEST_ROW = 1000
/** In lines. One fault is looked for in so many of them again. */
const LARGEST_BLOCK = 512

const OPTIONS = { relax_column_count: true, record_delimiter: '\n' }

/**
 * Reads CSV of any program. Empty rows are left out; a stray quotation mark spoils its own row only. Rows around one take some time each, so
 * the caller may stop, or let others have their turn.
 */
export function* readForeignCsv(given: string): Generator<CsvRow, void> {
  const lines = given
    .replace(/^\uFEFF/, '')
    .replaceAll(/\r\n?/g, '\n')
    .split('\n')
  // Spreadsheets name the separator in such a line.
  const [, named] = /^sep=(.)$/i.exec(lines[0] ?? '') ?? []
  const delimiter = named ?? separatorOf(lines.slice(0, TRIED))
  const from = named ? 1 : 0
  for (const row of readRows(lines.slice(from), delimiter))
    if (row.cells?.some((cell) => cell.trim() !== '') ?? true) yield { ...row, line: row.line + from }
}

/** The separator with which the most rows have the same width. The first rows can be a title, which has none or another one. */
function separatorOf(lines: readonly string[]): string {
  const scores = SEPARATORS.map((delimiter) => {
    const counts = new Map<number, number>()
    for (const { text, cells } of readRows(lines, delimiter)) {
      const width = cells && strictly(text, delimiter) ? cells.length : 0
      if (width > 1) counts.set(width, (counts.get(width) ?? 0) + 1)
    }
    const [[width, fitting] = [0, 0]] = [...counts].toSorted(([width, count], [otherWidth, other]) => other - count || otherWidth - width)
    return { delimiter, width, fitting }
  })
  const [best] = scores.toSorted((one, other) => other.fitting - one.fitting || other.width - one.width)
  return best && best.fitting > 0 ? best.delimiter : ','
}

/** Reads whole blocks while they are clean, and row by row around a quotation mark that is out of place. */
function* readRows(lines: readonly string[], delimiter: string): Generator<CsvRow, void> {
  let size = lines.length
  for (let at = 0; at < lines.length;) {
    const block = size > 1 ? cleanRows(lines.slice(at, at + size), delimiter) : [rowAt(lines, at, delimiter)]
    if (!block) {
      size = Math.min(size >> 1, LARGEST_BLOCK)
      continue
    }
    for (const row of block) yield { ...row, line: row.line + at }
    const [only] = block
    at += size > 1 ? size : only?.cells ? only.text.split('\n').length : 1
    size = Math.min(Math.max(size * 2, 2), LARGEST_BLOCK)
  }
}

const records = z.array(z.object({ record: z.array(z.string()), info: z.object({ lines: z.number() }) }))

/** Undefined when a quotation mark is out of place, or the last row is not whole. */
function cleanRows(lines: readonly string[], delimiter: string): CsvRow[] | undefined {
  try {
    const found: unknown = parse(lines.join('\n'), { ...OPTIONS, delimiter, info: true, skip_empty_lines: true })
    let end = 0
    return records.parse(found).map(({ record: cells, info }) => {
      let from = end
      while (lines[from] === '') from += 1
      end = info.lines
      return { line: from + 1, text: lines.slice(from, end).join('\n'), cells }
    })
  } catch {
    return undefined
  }
}

function rowAt(lines: readonly string[], at: number, delimiter: string): CsvRow {
  const text = lines[at] ?? ''
  const cells = strictly(text, delimiter) ?? literally(text, delimiter)
  if (cells) return { line: 1, text, cells }
  // A cell can have several lines. The one that closes it has an odd number of quotation marks.
  const length = lines.slice(at + 1, at + LONGEST_ROW).findIndex((line) => line.split('"').length % 2 === 0)
  const long = lines.slice(at, at + length + 2).join('\n')
  const longCells = length < 0 ? undefined : strictly(long, delimiter)
  return longCells ? { line: 1, text: long, cells: longCells } : { line: 1, text }
}

function strictly(text: string, delimiter: string): string[] | undefined {
  return text.includes('"') ? parsedRow(text, delimiter, false) : text.split(delimiter)
}

/** Quotation marks inside a cell, as in `24"`, are a part of it. */
function literally(text: string, delimiter: string): string[] | undefined {
  return parsedRow(text, delimiter, true)
}

function parsedRow(text: string, delimiter: string, relax: boolean): string[] | undefined {
  try {
    const rows: unknown = parse(text, { ...OPTIONS, delimiter, relax_quotes: relax })
    return z.array(z.array(z.string())).length(1).parse(rows)[0]
  } catch {
    return undefined
  }
}

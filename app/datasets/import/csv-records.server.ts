import { createReadStream, createWriteStream } from 'node:fs'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { chunksOf } from './text-file.server.ts'

const [LINE_FEED, RETURN, QUOTE] = [10, 13, 34]
const CHUNK = 1024 * 1024

type Events = {
  /** An empty line is a row, as in a file with one column. */
  hasEmptyRows?: boolean
  /** A record that is no empty line begins, at this byte and line. */
  record?: (start: number, line: number) => void
  /** A line break outside quotation marks is at this place of the chunk. */
  lineBreak?: (at: number) => void
}

/** Finds the records of a CSV file: a line break inside quotation marks ends none. */
class RecordScan {
  readonly #delimiter: number
  readonly #events: Events
  #read = 0
  #line = 1
  #isOpen = false
  #hasClosed = false
  #isRecordStart = true
  #isFieldStart = true
  #isAfterReturn = false
  #openedAt = 1

  constructor(delimiter: string, events: Events) {
    this.#delimiter = delimiter.charCodeAt(0)
    this.#events = events
  }

  add(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; at += 1) this.#step(chunk[at] ?? 0, at)
    this.#read += chunk.length
  }

  /** The line of a quotation mark that is not closed. */
  get openLine(): number | undefined {
    return this.#isOpen ? this.#openedAt : undefined
  }

  #step(byte: number, at: number): void {
    const isBreak = byte === LINE_FEED || byte === RETURN
    if (this.#isRecordStart && (!isBreak || (this.#events.hasEmptyRows && !(byte === LINE_FEED && this.#isAfterReturn)))) {
      this.#events.record?.(this.#read + at, this.#line)
      this.#isRecordStart = false
      this.#isFieldStart = true
    }
    this.#isAfterReturn = byte === RETURN
    if (byte === LINE_FEED) this.#line += 1
    if (this.#isOpen) {
      if (byte === QUOTE) [this.#isOpen, this.#hasClosed] = [false, true]
      return
    }
    // Two in a row are one quotation mark of the value.
    if (byte === QUOTE && (this.#isFieldStart || this.#hasClosed)) {
      if (!this.#hasClosed) this.#openedAt = this.#line
      ;[this.#isOpen, this.#hasClosed, this.#isFieldStart] = [true, false, false]
      return
    }
    this.#hasClosed = false
    this.#isFieldStart = byte === this.#delimiter
    if (!isBreak) return
    this.#isRecordStart = true
    this.#events.lineBreak?.(at)
  }
}

/** The file with one kind of line break: itself, or a copy in the folder. The engine reads no file with several kinds. */
export async function withOneLineBreak(source: string, folder: string, delimiter: string): Promise<string> {
  if (!(await hasSeveralBreaks(source))) return source
  const file = path.join(folder, 'one-line-break.csv')
  await pipeline(
    createReadStream(source, { highWaterMark: CHUNK }),
    (chunks) => withLineFeeds(chunks, delimiter),
    createWriteStream(file, { mode: 0o600 }),
  )
  return file
}

async function hasSeveralBreaks(source: string): Promise<boolean> {
  let [both, feeds, returns, endsInReturn] = [0, 0, 0, false]
  for await (const chunk of chunksOf(createReadStream(source, { highWaterMark: CHUNK }))) {
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) {
      feeds += 1
      if (at > 0 ? chunk[at - 1] === RETURN : endsInReturn) both += 1
    }
    for (let at = chunk.indexOf(RETURN); at >= 0; at = chunk.indexOf(RETURN, at + 1)) returns += 1
    endsInReturn = chunk.at(-1) === RETURN
  }
  return [both, feeds - both, returns - both].filter((count) => count > 0).length > 1 || returns > both
}

/** Outside quotation marks, CRLF and CR become LF. Values keep their line breaks. */
async function* withLineFeeds(chunks: AsyncIterable<unknown>, delimiter: string): AsyncIterable<Buffer> {
  let breaks: number[] = []
  const scan = new RecordScan(delimiter, { lineBreak: (at) => breaks.push(at) })
  let afterReturn = false
  for await (const chunk of chunksOf(chunks)) {
    breaks = []
    scan.add(chunk)
    const pieces: Buffer[] = []
    let from = 0
    for (const at of breaks) {
      const isSecond = chunk[at] === LINE_FEED && (at > 0 ? chunk[at - 1] === RETURN && from === at : afterReturn && from === at)
      pieces.push(chunk.subarray(from, at), isSecond ? Buffer.alloc(0) : Buffer.from([LINE_FEED]))
      from = at + 1
    }
    afterReturn = breaks.at(-1) === chunk.length - 1 && chunk.at(-1) === RETURN
    pieces.push(chunk.subarray(from))
    yield Buffer.concat(pieces)
  }
}

/** The lines where these rows begin: rejected ones by their first byte, and read ones by their number. Both are ascending. */
export async function linesOfRows(
  source: string,
  delimiter: string,
  {
    rejected,
    rows,
    hasEmptyRows,
    emptyLines,
  }: { rejected: ReadonlySet<number>; rows: readonly number[]; hasEmptyRows: boolean; emptyLines: number },
): Promise<Map<string, number>> {
  const wanted = new Set(rows)
  const lines = new Map<string, number>()
  // The first line that is not empty names the columns.
  let row = hasEmptyRows ? -1 - emptyLines : -1
  const scan = new RecordScan(delimiter, {
    hasEmptyRows,
    record(start, line) {
      if (rejected.has(start)) return lines.set(`byte ${start}`, line)
      if (wanted.has(row)) lines.set(`row ${row}`, line)
      row += 1
    },
  })
  for await (const chunk of chunksOf(createReadStream(source, { highWaterMark: CHUNK }))) {
    scan.add(chunk)
    if (lines.size >= rejected.size + wanted.size) break
  }
  return lines
}

/** The line of a quotation mark that no other one closes. */
export async function findUnclosed(source: string, delimiter: string): Promise<number | undefined> {
  const scan = new RecordScan(delimiter, {})
  for await (const chunk of chunksOf(createReadStream(source, { highWaterMark: CHUNK }))) scan.add(chunk)
  return scan.openLine
}

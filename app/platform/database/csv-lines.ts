import { isFormula } from '#app/platform/formula-guard.ts'

/** The position of a row in an export. `createdAt` is like `2026-10-03T09:08:07.654321Z`. */
export type CsvPosition = { createdAt: string; id: string }

export function headLine(cells: string[]): string {
  return `${cells.map((text) => `"${text}"`).join(',')}\r\n`
}

/** Lines are gathered in pieces of one size, because a growing buffer would be copied again and again. */
const PIECE_BYTES = 256 * 1024
/** A text up to this length is copied faster byte by byte than by a call. */
const SHORT_TEXT_BYTES = 32

// A row of a binary `COPY`: the number of its columns, then for each the length of its value and the value.
const COUNT_BYTES = 2
const LENGTH_BYTES = 4
const TIME_BYTES = 8
const ID_BYTES = 16
/** Of the last two columns, the creation time and the id. */
const TAIL_BYTES = LENGTH_BYTES + TIME_BYTES + LENGTH_BYTES + ID_BYTES

/** PostgreSQL counts the microseconds since this time. */
const START_MS = Date.UTC(2000, 0, 1)
const DAY_MS = 86_400_000

const QUOTE = 0x22
const APOSTROPHE = 0x27
const COMMA = 0x2c
const DOT = 0x2e
const ZERO = 0x30
const COLON = 0x3a
/** The last of the signs with which a formula begins. */
const AT_SIGN = 0x40
const LETTER_Z = 0x5a
const CR = 0x0d
const LF = 0x0a

/**
 * Turns rows of a binary `COPY`, which end with their creation time and id, into lines of a file. Each cell is quoted, and one that a
 * spreadsheet would run as a formula gets an apostrophe. The time has JavaScript's format, the id is left out, and lines end as RFC 4180
 * requires. Bytes stay bytes, except those of a possible formula: a string for each cell would cost time on the thread that serves every
 * request.
 */
export class CsvLines {
  count = 0
  /** Of the lines of all rows. */
  bytes = 0
  readonly #write: (lines: Buffer) => void
  #piece = Buffer.allocUnsafe(PIECE_BYTES)
  #pieceEnd = 0
  readonly #lastTail = Buffer.allocUnsafe(TAIL_BYTES)
  /** The day of the last row, in days since 1970, and its text up to the `T`. */
  #day = Number.NaN
  #dayText = Buffer.alloc(0)

  /** `write` receives the lines in order, many at a time, after the first one. */
  constructor(firstLine: string, write: (lines: Buffer) => void) {
    this.#pieceEnd = this.#piece.write(firstLine)
    this.#write = write
  }

  take(row: Buffer) {
    const tailFrom = row.length - TAIL_BYTES
    this.#makeRoomFor(row)
    const piece = this.#piece
    let at = this.#pieceEnd
    let from = COUNT_BYTES
    while (from < tailFrom) {
      // The length of NULL is -1.
      const length = Math.max(0, row.readInt32BE(from))
      from += LENGTH_BYTES
      piece[at++] = QUOTE
      if (length > 0) at = writeText(piece, at, row, from, from + length)
      piece[at++] = QUOTE
      piece[at++] = COMMA
      from += length
    }
    if (from !== tailFrom || row.readInt32BE(from) !== TIME_BYTES || row.readInt32BE(row.length - ID_BYTES - LENGTH_BYTES) !== ID_BYTES)
      throw new Error('A row for a CSV file must end with its time and its id.')
    piece[at++] = QUOTE
    at = this.#writeTime(at, microsecondsAt(row, tailFrom))
    piece[at++] = QUOTE
    piece[at++] = CR
    piece[at++] = LF
    this.bytes += at - this.#pieceEnd
    this.#pieceEnd = at
    row.copy(this.#lastTail, 0, tailFrom)
    this.count += 1
  }

  /** Writes the lines gathered so far. */
  flush() {
    if (this.#pieceEnd === 0) return
    this.#write(this.#piece.subarray(0, this.#pieceEnd))
    this.#piece = Buffer.alloc(0)
    this.#pieceEnd = 0
  }

  /** The position of the last row. */
  get last(): CsvPosition | undefined {
    if (this.count === 0) return undefined
    const microsecondsSince2000 = microsecondsAt(this.#lastTail, 0)
    const toMilliseconds = new Date(epochMs(microsecondsSince2000)).toISOString().slice(0, -1)
    const rest = microsecondsSince2000 - Math.floor(microsecondsSince2000 / 1000) * 1000
    return { createdAt: `${toMilliseconds}${String(rest).padStart(3, '0')}Z`, id: this.#lastTail.toString('hex', TAIL_BYTES - ID_BYTES) }
  }

  /** Returns the end of what it wrote. */
  #writeTime(start: number, microsecondsSince2000: number): number {
    const ms = epochMs(microsecondsSince2000)
    const day = Math.floor(ms / DAY_MS)
    if (day !== this.#day) {
      this.#day = day
      this.#dayText = Buffer.from(new Date(ms).toISOString().replace(/T.*/, 'T'), 'latin1')
    }
    const piece = this.#piece
    let at = start
    for (const byte of this.#dayText) piece[at++] = byte
    const msOfDay = ms - day * DAY_MS
    const seconds = Math.floor(msOfDay / 1000)
    const minutes = Math.floor(seconds / 60)
    at = writeTwoDigits(piece, at, Math.floor(minutes / 60))
    piece[at++] = COLON
    at = writeTwoDigits(piece, at, minutes % 60)
    piece[at++] = COLON
    at = writeTwoDigits(piece, at, seconds % 60)
    piece[at++] = DOT
    piece[at++] = ZERO + Math.floor((msOfDay % 1000) / 100)
    at = writeTwoDigits(piece, at, msOfDay % 100)
    piece[at++] = LETTER_Z
    return at
  }

  /** In the worst case, each byte of a text is a quote and doubles. The 64 bytes are for the time, which is longer as text. */
  #makeRoomFor(row: Buffer) {
    const most = 2 * row.length + 64
    if (this.#pieceEnd + most <= this.#piece.length) return
    this.flush()
    this.#piece = Buffer.allocUnsafe(Math.max(PIECE_BYTES, most))
  }
}

/** Writes one text of a row, without quotes around it, and returns the end of what it wrote. */
function writeText(piece: Buffer, start: number, row: Buffer, textFrom: number, textEnd: number): number {
  let [at, from] = [start, textFrom]
  if ((row[from] ?? 0) <= AT_SIGN && isFormula(row.toString('utf8', from, textEnd))) piece[at++] = APOSTROPHE
  if (textEnd - from <= SHORT_TEXT_BYTES) {
    for (; from < textEnd; from += 1) {
      const byte = row[from] ?? 0
      piece[at++] = byte
      if (byte === QUOTE) piece[at++] = QUOTE
    }
    return at
  }
  for (let quote = row.indexOf(QUOTE, from); quote >= 0 && quote < textEnd; quote = row.indexOf(QUOTE, from)) {
    at += row.copy(piece, at, from, quote + 1)
    piece[at++] = QUOTE
    from = quote + 1
  }
  return at + row.copy(piece, at, from, textEnd)
}

function writeTwoDigits(piece: Buffer, at: number, number: number): number {
  piece[at] = ZERO + Math.floor(number / 10)
  piece[at + 1] = ZERO + (number % 10)
  return at + 2
}

/** The creation time of a row whose tail begins here, since 2000. */
function microsecondsAt(row: Buffer, tailFrom: number): number {
  const at = tailFrom + LENGTH_BYTES
  return row.readInt32BE(at) * 2 ** 32 + row.readUInt32BE(at + 4)
}

function epochMs(microsecondsSince2000: number): number {
  return START_MS + Math.floor(microsecondsSince2000 / 1000)
}

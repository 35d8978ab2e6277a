import { type RawBuilder, sql } from 'kysely'
import { isFormula } from '#app/platform/formula-guard.ts'

/** The columns of a row for `CsvLines`: these as texts, then the row's creation time and its id. */
export function csvColumns(names: string[]): RawBuilder<unknown> {
  return sql`${sql.join(names.map((name) => sql`${sql.ref(name)}::text`))}, created_at, id`
}

/** The position of a row in an export. `at` is like `2026-10-03T09:08:07.654321Z`. */
export type RowPosition = { at: string; id: string }

/** Whether a row comes after this position in an export, newest first; without a position, every row does. */
export function isAfter(position: RowPosition | undefined): RawBuilder<boolean> {
  return position ? sql`(created_at, id) < (${position.at}::timestamptz, ${position.id}::uuid)` : sql`true`
}

export function headLine(cells: string[]): string {
  return `${cells.map((text) => `"${text}"`).join(',')}\r\n`
}

/** In bytes. Lines are gathered in pieces of one size, because a growing buffer would be copied again and again. */
const PIECE = 256 * 1024
/** In bytes. A text up to this length is copied faster byte by byte than by a call. */
const SHORT = 32

// A row of a binary `COPY`: the number of its columns, then for each the length of its value and the value.
const COUNT_BYTES = 2
const LENGTH_BYTES = 4
const TIME_BYTES = 8
const ID_BYTES = 16
const ROW_END_BYTES = LENGTH_BYTES + TIME_BYTES + LENGTH_BYTES + ID_BYTES

/** PostgreSQL counts the microseconds since this time. */
const EPOCH_MS = Date.UTC(2000, 0, 1)
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
 * Turns rows of a binary `COPY`, with `csvColumns`, into lines of a file: each cell is quoted, one that a spreadsheet would run as a
 * formula begins with an apostrophe, the time has JavaScript's format, the id is left out, and the line ends as RFC 4180 requires. All of it
 * stays bytes: decoding 100,000 rows would cost more than the database's query. Rows that come after `most` bytes are left to the next batch.
 */
export class CsvLines {
  count = 0
  isCut = false
  readonly #most: number
  readonly #full: Buffer[] = []
  #piece = Buffer.allocUnsafe(PIECE)
  /** The end of the last line in the piece. */
  #at = 0
  #fullBytes = 0
  readonly #lastEnd = Buffer.allocUnsafe(ROW_END_BYTES)
  /** The day of the last row, in days since 1970, and how its times begin. */
  #day = Number.NaN
  #dayText = Buffer.alloc(0)

  constructor(most = Infinity) {
    this.#most = most
  }

  take(row: Buffer) {
    if (this.isCut || this.bytes >= this.#most) {
      this.isCut = true
      return
    }
    const endFrom = row.length - ROW_END_BYTES
    this.#makeRoomFor(row)
    let from = COUNT_BYTES
    while (from < endFrom) {
      // The length of NULL is -1.
      const length = Math.max(0, row.readInt32BE(from))
      from += LENGTH_BYTES
      this.#writeByte(QUOTE)
      if (length > 0) this.#writeText(row, from, from + length)
      this.#writeByte(QUOTE)
      this.#writeByte(COMMA)
      from += length
    }
    if (from !== endFrom) throw new Error('A row for a CSV file must end with its time and its id.')
    this.#writeByte(QUOTE)
    this.#writeTime(microsecondsAt(row, endFrom))
    this.#writeByte(QUOTE)
    this.#writeByte(CR)
    this.#writeByte(LF)
    row.copy(this.#lastEnd, 0, endFrom)
    this.count += 1
  }

  /** The position of the last row. */
  get last(): RowPosition | undefined {
    if (this.count === 0) return undefined
    const microseconds = microsecondsAt(this.#lastEnd, 0)
    const toMilliseconds = new Date(millisecondsOf(microseconds)).toISOString().slice(0, -1)
    const rest = microseconds - Math.floor(microseconds / 1000) * 1000
    return { at: `${toMilliseconds}${String(rest).padStart(3, '0')}Z`, id: this.#lastEnd.toString('hex', ROW_END_BYTES - ID_BYTES) }
  }

  get bytes(): number {
    return this.#fullBytes + this.#at
  }

  /** The lines, in order. Valid once all rows are taken. */
  get pieces(): Buffer[] {
    return [...this.#full, this.#piece.subarray(0, this.#at)]
  }

  #writeByte(byte: number) {
    this.#piece[this.#at] = byte
    this.#at += 1
  }

  #writeText(row: Buffer, start: number, end: number) {
    let from = start
    if ((row[from] ?? 0) <= AT_SIGN && isFormula(row.toString('utf8', from, end))) this.#writeByte(APOSTROPHE)
    if (end - from <= SHORT) {
      for (; from < end; from += 1) {
        const byte = row[from] ?? 0
        this.#writeByte(byte)
        if (byte === QUOTE) this.#writeByte(QUOTE)
      }
      return
    }
    for (let quote = row.indexOf(QUOTE, from); quote >= 0 && quote < end; quote = row.indexOf(QUOTE, from)) {
      this.#at += row.copy(this.#piece, this.#at, from, quote + 1)
      this.#writeByte(QUOTE)
      from = quote + 1
    }
    this.#at += row.copy(this.#piece, this.#at, from, end)
  }

  #writeTime(microseconds: number) {
    const time = millisecondsOf(microseconds)
    const day = Math.floor(time / DAY_MS)
    if (day !== this.#day) {
      this.#day = day
      this.#dayText = Buffer.from(new Date(time).toISOString().replace(/T.*/, 'T'), 'latin1')
    }
    for (const byte of this.#dayText) this.#writeByte(byte)
    const milliseconds = time - day * DAY_MS
    this.#writeDigits(Math.floor(milliseconds / 3_600_000), 2)
    this.#writeByte(COLON)
    this.#writeDigits(Math.floor(milliseconds / 60_000) % 60, 2)
    this.#writeByte(COLON)
    this.#writeDigits(Math.floor(milliseconds / 1000) % 60, 2)
    this.#writeByte(DOT)
    this.#writeDigits(milliseconds % 1000, 3)
    this.#writeByte(LETTER_Z)
  }

  #writeDigits(number: number, count: number) {
    let rest = number
    for (let at = this.#at + count - 1; at >= this.#at; at -= 1) {
      this.#piece[at] = ZERO + (rest % 10)
      rest = Math.floor(rest / 10)
    }
    this.#at += count
  }

  /** Every byte of a text may be a quote, and the time is longer than its bytes. */
  #makeRoomFor(row: Buffer) {
    const most = 2 * row.length + 64
    if (this.#at + most <= this.#piece.length) return
    if (this.#at > 0) this.#full.push(this.#piece.subarray(0, this.#at))
    this.#fullBytes += this.#at
    this.#piece = Buffer.allocUnsafe(Math.max(PIECE, most))
    this.#at = 0
  }
}

/** The creation time of a row whose last two columns begin here. */
function microsecondsAt(row: Buffer, endFrom: number): number {
  const at = endFrom + LENGTH_BYTES
  return row.readInt32BE(at) * 2 ** 32 + row.readUInt32BE(at + 4)
}

/** Since 1970. */
function millisecondsOf(microseconds: number): number {
  return EPOCH_MS + Math.floor(microseconds / 1000)
}

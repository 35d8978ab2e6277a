import { type RawBuilder, sql } from 'kysely'
import { formulaSql } from '#app/platform/formula-guard.ts'

/** A CSV cell of a column that no spreadsheet runs as a formula, under the column's name. */
export function cell(column: string): RawBuilder<string> {
  const text = sql`${sql.ref(column)}::text`
  const safe = sql`CASE WHEN ${sql.raw(formulaSql(`"${column}"::text`))} THEN '''' || ${text} ELSE coalesce(${text}, '') END`
  return sql`${safe} AS ${sql.ref(column)}`
}

/** The end of each line from the database, without quotes: the row's creation time in UTC, to the microsecond, and its id. */
export const lineEnd = sql`created_at AT TIME ZONE 'UTC', id`

/** The position of a row in an export. `at` is like `2026-10-03 09:08:07.654321`: no digits after the last that is not 0. */
export type LeadCursor = { at: string; id: string }

export function headLine(cells: string[]): string {
  return `${cells.map((text) => `"${text}"`).join(',')}\r\n`
}

const ID_LENGTH = 36
/** Of a time like `2026-10-03 09:08:07`. */
const SECONDS_LENGTH = 19
/** Of the longest time, the comma, the id and the end of the line. */
const TAIL_LENGTH = 80
/** In bytes. Lines are gathered in pieces of one size, because a growing buffer would be copied again and again. */
const PIECE = 256 * 1024

const COMMA = 0x2c
const QUOTE = 0x22
const DOT = 0x2e
const ZERO = 0x30
const LETTER_T = 0x54
const LETTER_Z = 0x5a
const CR = 0x0d
const LF = 0x0a

/**
 * Turns lines of the database into lines of a file: the time at the end becomes a cell in JavaScript's format, the row's id is removed, and
 * the line ends as RFC 4180 requires. All of it stays bytes: decoding 100,000 rows would cost more than the database's query. Lines that
 * come after `most` bytes are left to the next batch.
 */
export class CsvLines {
  count = 0
  isCut = false
  readonly #most: number
  readonly #full: Buffer[] = []
  #piece = Buffer.allocUnsafe(PIECE)
  #length = 0
  #fullBytes = 0
  readonly #tail = Buffer.allocUnsafe(TAIL_LENGTH)
  #tailLength = 0

  constructor(most = Infinity) {
    this.#most = most
  }

  take(line: Buffer) {
    if (this.isCut || this.bytes >= this.#most) {
      this.isCut = true
      return
    }
    const idAt = line.length - '\n'.length - ID_LENGTH
    const timeAt = line.lastIndexOf(COMMA, idAt - 2) + 1
    this.#makeRoomFor(line.length)
    const piece = this.#piece
    let at = this.#length + line.copy(piece, this.#length, 0, timeAt)
    piece[at++] = QUOTE
    for (let from = timeAt; from < timeAt + SECONDS_LENGTH; from += 1) piece[at++] = line[from] ?? 0
    piece[at - '09:08:07'.length - 1] = LETTER_T
    piece[at++] = DOT
    // The database writes no digits after the last that is not 0.
    for (let from = timeAt + SECONDS_LENGTH + 1; from <= timeAt + SECONDS_LENGTH + 3; from += 1)
      piece[at++] = from < idAt - 1 ? (line[from] ?? 0) : ZERO
    piece[at++] = LETTER_Z
    piece[at++] = QUOTE
    piece[at++] = CR
    piece[at++] = LF
    this.#length = at
    this.#tailLength = line.copy(this.#tail, 0, timeAt)
    this.count += 1
  }

  /** The position of the last line. */
  get last(): LeadCursor | undefined {
    if (this.count === 0) return undefined
    const [at = '', id = ''] = this.#tail.toString('latin1', 0, this.#tailLength - '\n'.length).split(',')
    return { at, id }
  }

  get bytes(): number {
    return this.#fullBytes + this.#length
  }

  /** The lines, in order. Valid once all lines are taken. */
  get pieces(): Buffer[] {
    return [...this.#full, this.#piece.subarray(0, this.#length)]
  }

  /** The replacement of the id is shorter than it. */
  #makeRoomFor(lineLength: number) {
    if (this.#length + lineLength <= this.#piece.length) return
    if (this.#length > 0) this.#full.push(this.#piece.subarray(0, this.#length))
    this.#fullBytes += this.#length
    this.#piece = Buffer.allocUnsafe(Math.max(PIECE, lineLength))
    this.#length = 0
  }
}

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
const COMMA = 0x2c

/**
 * Turns lines of the database into lines of a file: the time at the end becomes a cell in JavaScript's format, the row's id is removed, and
 * the line ends as RFC 4180 requires. The other cells stay undecoded bytes: decoding 100,000 rows would cost more than the database's
 * query.
 */
export class CsvLines {
  count = 0
  last: LeadCursor | undefined
  #bytes = Buffer.allocUnsafe(65_536)
  #length = 0

  take(line: Buffer) {
    const idAt = line.length - '\n'.length - ID_LENGTH
    const timeAt = line.lastIndexOf(COMMA, idAt - 2) + 1
    const at = line.toString('latin1', timeAt, idAt - 1)
    this.#makeRoomFor(line.length)
    this.#length += line.copy(this.#bytes, this.#length, 0, timeAt)
    this.#length += this.#bytes.write(`"${isoTime(at)}"\r\n`, this.#length, 'latin1')
    this.count += 1
    this.last = { at, id: line.toString('latin1', idAt, idAt + ID_LENGTH) }
  }

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  /** The replacement of the id is shorter than it. */
  #makeRoomFor(lineLength: number) {
    if (this.#length + lineLength <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(2 * (this.#length + lineLength))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
}

function isoTime(at: string): string {
  return `${at.slice(0, 10)}T${at.slice(11, 19)}.${at.slice(20, 23).padEnd(3, '0')}Z`
}

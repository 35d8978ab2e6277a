import { countOf } from '#app/ui/amount.ts'
import { numberText } from '#app/platform/text/english-number.ts'
import { Unreadable } from './unreadable.ts'

/** Values are rows times columns. CSV has at most one per byte. Parquet and JSON can claim any number of them in a few bytes. */
const FREE_VALUES = 10_000_000
const VALUES_PER_BYTE = 100
const MOST_ROWS = 500_000_000
/** The unpacked text of a file, in bytes. */
const FREE_TEXT = 256_000_000
const TEXT_PER_BYTE = 100
const MOST_TEXT = 32_000_000_000

type Size = { rows: number; columns: number; bytes: number }

/** Throws before a small file becomes a huge dataset. */
export function checkValues({ rows, columns, bytes }: Size): void {
  const said = `This file claims ${countOf(rows, 'row', 'rows')} of ${countOf(columns, 'column', 'columns')} in ${numberText(bytes)} bytes`
  if (rows > MOST_ROWS) throw new Unreadable(`${said}. A file can have at most ${numberText(MOST_ROWS)} rows.`)
  if (rows * columns <= FREE_VALUES + VALUES_PER_BYTE * bytes) return
  throw new Unreadable(
    `${said}. The maximum is ${VALUES_PER_BYTE} values per byte, plus ${numberText(FREE_VALUES)}. Check how it was exported.`,
  )
}

/** The same for text that the file stores once and repeats in many rows. */
export function checkText(text: number, bytes: number): void {
  if (text <= Math.min(MOST_TEXT, Math.max(FREE_TEXT, TEXT_PER_BYTE * bytes))) return
  throw new Unreadable(
    `The text of this file unpacks from ${numberText(bytes)} to ${numberText(text)} bytes. The maximum is ${TEXT_PER_BYTE} times the file size, and 32 GB.`,
  )
}

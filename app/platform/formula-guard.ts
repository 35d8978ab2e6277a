/**
 * The one rule for cells of CSV files. A spreadsheet runs a cell that begins with one of these signs as a formula, so an apostrophe goes before it. A `+` with
 * nothing but digits, blanks, brackets, dots and hyphens is a phone number: no formula of those can do harm.
 */
const SIGNS = '=+-@\t\n\r'
const HARMLESS = '0123456789 ()[].-'

/** For readers of a CSV file, because a cell may differ from its value. In the header `CSV-Note`. */
export const GUARD_NOTE =
  'Cells that begin with = + - @, a tab or a line break carry a leading apostrophe, so that no spreadsheet runs them. Phone numbers stay as they are.'

export function isFormula(text: string): boolean {
  if (text === '' || !SIGNS.includes(text.charAt(0))) return false
  return text.charAt(0) !== '+' || !Array.from(text.slice(1)).every((sign) => HARMLESS.includes(sign))
}

/** A text as a cell that no spreadsheet runs. */
export function guarded(text: string): string {
  return isFormula(text) ? `'${text}` : text
}

const codes = Array.from(SIGNS, (sign) => sign.codePointAt(0)).join(', ')

/** The same as SQL, in words that PostgreSQL and DuckDB share. `text` is SQL for the text; a missing one is false. */
export function formulaSql(text: string): string {
  return `(ascii(${text}) IN (${codes}) AND NOT (ascii(${text}) = 43 AND translate(substr(${text}, 2), '${HARMLESS}', '') = ''))`
}

/**
 * The one rule for cells of CSV files. A spreadsheet runs a cell that begins with one of these signs as a formula, so an apostrophe goes
 * before it. A `+` with only digits, blanks, brackets, dots and hyphens is a phone number: no formula of those can do harm.
 */
const SIGNS = '=+-@\t\n\r'
const HARMLESS = '0123456789 ()[].-'

/** Sent in the header `CSV-Note`, because a cell may differ from its value. */
export const GUARD_NOTE =
  'Cells that begin with = + - @, a tab or a line break carry a leading apostrophe, so that no spreadsheet runs them. Phone numbers stay as they are.'

export function isFormula(text: string): boolean {
  if (text === '' || !SIGNS.includes(text.charAt(0))) return false
  return text.charAt(0) !== '+' || !Array.from(text.slice(1)).every((sign) => HARMLESS.includes(sign))
}

/** A text as a cell that no spreadsheet runs as a formula. */
export function guarded(text: string): string {
  return isFormula(text) ? `'${text}` : text
}

const codes = Array.from(SIGNS, (sign) => sign.codePointAt(0)).join(', ')

/** `isFormula` in SQL for DuckDB. `text` is SQL for the text; NULL gives false. */
export function formulaSql(text: string): string {
  return `(ascii(${text}) IN (${codes}) AND NOT (ascii(${text}) = 43 AND translate(substr(${text}, 2), '${HARMLESS}', '') = ''))`
}

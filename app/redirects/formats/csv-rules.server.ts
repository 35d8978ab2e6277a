import { type CsvRow, readForeignCsv } from '#app/platform/tables/foreign-csv.server.ts'
import { isFormula } from '#app/platform/tables/formula-guard.ts'
import { type ListFile, writeCsv } from '#app/platform/tables/list-file.server.ts'
import { type RuleField, ruleFields, type RuleHead } from './rule-file.ts'
import { refuseLine, type RuleLine, type WritableRule, type WrittenFile } from './rule-line.ts'
import { type RuleColumns, ruleColumns, ruleOfRecord } from './rule-record.ts'

type Chosen = readonly (RuleField | null)[] | undefined

/** Reads lines separated by commas, semicolons or tabs, with or without a header. `chosen` are the fields that a person gave to the columns. */
export function readCsv(text: string, origin: string, chosen?: Chosen): RuleLine[] {
  const rows = [...rowsIn(text)]
  const records = rows.flatMap((row) => (row.cells ? [{ ...row, cells: cellsOf(row.cells) }] : []))
  const refused = rows.filter(({ cells }) => !cells).map((place) => refuseLine(place, 'A quotation mark is not closed'))
  const [first] = records
  if (!first) return refused
  const head = headIn(first.cells, chosen)
  const fields: readonly (RuleField | null)[] = head?.columns ?? ['fromPath', 'toPath', 'statusCode']
  if (!fields.includes('fromPath') || !fields.includes('toPath')) {
    return [refuseLine(first, 'The header needs at least the columns From and To')]
  }
  const columns: RuleColumns = Object.fromEntries(fields.flatMap((field, at) => (field ? [[field, String(at)]] : [])))
  const lines = records.slice(head ? 1 : 0).map(({ cells, ...place }) => {
    const placeholder = isSpaced(place.text) && /\/:\w+/.exec(place.text.replace(':splat', ''))
    if (placeholder) return refuseLine(place, `Placeholders such as ${placeholder[0].slice(1)} are not supported`)
    return ruleOfRecord(place, columns, Object.fromEntries(cells.map((cell, at) => [String(at), unguarded(cell)])), origin)
  })
  return [...lines, ...refused].toSorted((one, other) => one.line - other.line)
}

/** The names of the columns in the first row, and their fields; undefined where that row is a rule. */
export function readCsvHead(text: string, chosen?: Chosen): RuleHead | undefined {
  for (const { cells } of rowsIn(text)) return cells && headIn(cellsOf(cells), chosen)
  return undefined
}

/** The rows without comments, which lists of rules can have. */
function* rowsIn(text: string): Generator<CsvRow> {
  for (const row of readForeignCsv(text)) if (!/^#[^,;\t|]*$/.test(row.text)) yield row
}

function headIn(cells: string[], chosen: Chosen): RuleHead | undefined {
  // A first line such as `/old,/new` or `old,/new` is a rule, not a header.
  if (cells.length < 2 || cells.slice(0, 2).some((cell) => /^(\/|https?:)/i.test(cell))) return undefined
  const named = ruleColumns(cells)
  const matched = cells.map((cell, at) => ruleFields.find((field) => named[field] === cell && cells.indexOf(cell) === at))
  return { heads: cells, columns: cells.map((_cell, at) => (chosen ? chosen[at] : matched[at]) ?? null) }
}

const SPACED = /^(\/\S*|https?:\S+)\s+(?:->\s+)?(\/\S*|https?:\S+)(?:\s+(\d{3})!?)?$/i

const isSpaced = (text: string) => SPACED.test(text.trim())

/** Netlify and others separate by spaces: `/blog/* /news/:splat 301`. */
function cellsOf(cells: string[]): string[] {
  const [only = '', ...others] = cells.map((cell) => cell.trim())
  const [, from, to, code = ''] = (others.length === 0 && SPACED.exec(only)) || []
  return from && to ? [from, to.replace(':splat', '*'), code] : [only, ...others]
}

/** The columns of a rule by their heads, for CSV and Excel. */
export const ruleCells: ListFile<WritableRule>['columns'] = {
  From: ({ fromPath }) => fromPath,
  To: ({ toPath }) => toPath,
  'Status code': ({ statusCode }) => String(statusCode),
  Active: ({ isActive }) => String(isActive),
  Description: ({ description }) => description,
  Kind: ({ kind }) => kind,
  Query: ({ query }) => query,
  'Ignores slash': ({ ignoresSlash }) => String(ignoresSlash),
  'Ignores case': ({ ignoresCase }) => String(ignoresCase),
}

/** Quotes every field. Formulas get a leading apostrophe against spreadsheets; the import removes it. */
export function writeCsvRules(rules: readonly WritableRule[]): WrittenFile {
  const lines = rules.map((rule) => Object.values(ruleCells).map((cell) => cell(rule)))
  return { text: writeCsv([Object.keys(ruleCells), ...lines], (text) => (wouldBeRead(text) ? `'${text}` : text)), left: [] }
}

function unguarded(text: string): string {
  return text.startsWith("'") && wouldBeRead(text) ? text.slice(1) : text
}

/** Whether a spreadsheet would run it as a formula, or our import would read it as an escaped one. */
function wouldBeRead(text: string): boolean {
  return isFormula(text.replace(/^'+/, ''))
}

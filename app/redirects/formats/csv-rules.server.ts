import { readForeignCsv } from '#app/platform/tables/foreign-csv.server.ts'
import { isFormula } from '#app/platform/tables/formula-guard.ts'
import { type ListFile, writeCsv } from '#app/platform/tables/list-file.server.ts'
import { type Columns, ruleColumns, ruleOfRecord } from './rule-record.ts'
import { refuseLine, type RuleLine, type WritableRule, type WrittenFile } from './rule-line.ts'

/** Reads lines separated by commas, semicolons or tabs, with or without a header. */
export function readCsv(text: string, origin: string): RuleLine[] {
  const rows = [...readForeignCsv(text)]
  const records = rows.flatMap(({ cells, ...place }) => (cells ? [{ ...place, cells: cells.map((cell) => cell.trim()) }] : []))
  const refused = rows.filter(({ cells }) => !cells).map((place) => refuseLine(place, 'A quotation mark is not closed'))
  const [first] = records
  if (!first) return refused
  const named = ruleColumns(first.cells)
  // A first line such as `/old,/new` is a rule, not a header.
  const isRule = /^(\/|https?:)/i.test(first.cells[0] ?? '')
  const hasHead = !isRule && 'fromPath' in named && 'toPath' in named
  if (!hasHead && !isRule) {
    return [refuseLine(first, 'The header needs at least the columns From and To')]
  }
  const columns: Columns = hasHead ? named : { fromPath: '0', toPath: '1', statusCode: '2' }
  const keys = hasHead ? first.cells : ['0', '1', '2']
  const lines = records.slice(hasHead ? 1 : 0).map(({ cells, ...place }) => {
    const record = Object.fromEntries(keys.map((key, at) => [key, unguarded(cells[at] ?? '')]))
    return ruleOfRecord(place, columns, record, origin)
  })
  return [...lines, ...refused].toSorted((one, other) => one.line - other.line)
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

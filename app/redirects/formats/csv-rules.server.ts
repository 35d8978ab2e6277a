import { readForeignCsv } from '#app/platform/foreign-csv.server.ts'
import { isFormula } from '#app/platform/formula-guard.ts'
import { type Columns, ruleColumns, ruleOfRecord } from './rule-record.ts'
import { refuseLine, type RuleLine, type WritableRule, type WrittenFile } from './rule-line.ts'

const HEAD = ['From', 'To', 'Status code', 'Active', 'Description', 'Kind', 'Query', 'Ignores slash', 'Ignores case']

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

/** Quotes every field. Formulas get a leading apostrophe against spreadsheets; the import removes it. */
export function writeCsv(rules: readonly WritableRule[]): WrittenFile {
  const lines = rules.map((rule) => [
    rule.fromPath,
    rule.toPath,
    String(rule.statusCode),
    String(rule.isActive),
    rule.description ?? '',
    rule.kind,
    rule.query,
    String(rule.ignoresSlash),
    String(rule.ignoresCase),
  ])
  return { text: [HEAD, ...lines].map((cells) => `${cells.map(quoted).join(',')}\r\n`).join(''), left: [] }
}

function quoted(text: string): string {
  return `"${(wouldBeRead(text) ? `'${text}` : text).replaceAll('"', '""')}"`
}

function unguarded(text: string): string {
  return text.startsWith("'") && wouldBeRead(text) ? text.slice(1) : text
}

/** Whether a spreadsheet would run it as a formula, or our import would read it as an escaped one. */
function wouldBeRead(text: string): boolean {
  return isFormula(text.replace(/^'+/, ''))
}

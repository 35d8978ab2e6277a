import { parse } from 'csv-parse/sync'
import { isFormula } from '#app/platform/formula-guard.ts'
import { type Columns, ruleColumns, ruleOfRecord } from './rule-record.ts'
import { LONGEST_RULE_LINE, refuseLine, type RuleLine, type WritableRule, type WrittenFile } from './rule-line.ts'

const HEAD = ['From', 'To', 'Status code', 'Active', 'Description', 'Kind', 'Query', 'Ignores slash', 'Ignores case']

/** Reads lines separated by commas, semicolons or tabs, with or without a header. */
export function readCsv(text: string, origin: string): RuleLine[] {
  const refused: RuleLine[] = []
  const records = parse(text.replaceAll('\r\n', '\n'), {
    bom: true,
    info: true,
    raw: true,
    delimiter: delimiterOf(text),
    relax_column_count: true,
    // An unclosed quotation mark makes one record of the rest of the file.
    max_record_size: LONGEST_RULE_LINE,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_skip: (error) => {
      refused.push(
        refuseLine(
          { line: Number(/at line (\d+)/.exec(error?.message ?? '')?.[1] ?? error?.['lines'] ?? 1), text: '' },
          'A quotation mark is not closed',
        ),
      )
      return undefined
    },
  }).flatMap(toRecord)
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

type CsvRecord = { line: number; text: string; cells: string[] }

/** The package's types cover records only; with `info` and `raw` each record is wrapped. */
function toRecord(envelope: unknown): CsvRecord[] {
  if (typeof envelope !== 'object' || envelope === null || !('record' in envelope) || !Array.isArray(envelope.record)) return []
  const raw = 'raw' in envelope ? String(envelope.raw) : ''
  const info = 'info' in envelope ? envelope.info : undefined
  const last = typeof info === 'object' && info !== null && 'lines' in info ? Number(info.lines) : 1
  const breaks = raw.trim().split('\n').length - 1
  return [{ line: Math.max(1, last - breaks), text: raw, cells: envelope.record.map((cell: unknown) => String(cell).trim()) }]
}

/** The most frequent separator in the first line. */
function delimiterOf(text: string): string {
  const [first = ''] = text.split('\n', 1)
  const count = (sign: string) => first.split(sign).length
  return [',', ';', '\t'].reduce((best, sign) => (count(sign) > count(best) ? sign : best))
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

import { capturesIn, ruleOfRegex } from './regex-rule.ts'
import { type LinePosition, refuseLine, type RuleLine, toLine } from './rule-line.ts'

/** Column names of other programs, lowercase and without spaces and punctuation. */
const names: Record<string, readonly string[]> = {
  fromPath: ['frompath', 'from', 'source', 'sourceurl', 'origin', 'old', 'oldurl', 'oldpath', 'redirectfrom', 'request', 'url', 'path'],
  toPath: ['topath', 'to', 'target', 'targeturl', 'destination', 'new', 'newurl', 'newpath', 'redirectto', 'location', 'actiondata'],
  statusCode: ['statuscode', 'code', 'httpcode', 'actioncode', 'redirecttype', 'type', 'status'],
  isActive: ['isactive', 'active', 'enabled', 'state', 'status'],
  description: ['description', 'note', 'notes', 'comment', 'title'],
  kind: ['kind', 'format', 'match', 'matchtype', 'sourcetype'],
  isRegex: ['regex', 'isregex', 'regexp'],
  query: ['query', 'querystring'],
  ignoresSlash: ['ignoresslash', 'ignoreslash', 'trailingslash'],
  ignoresCase: ['ignorescase', 'ignorecase', 'caseinsensitive'],
}

export type Columns = Record<string, string>

/** The column of the file for each field. */
export function ruleColumns(given: readonly string[]): Columns {
  const columns: Columns = {}
  const left = [...given]
  for (const [field, known] of Object.entries(names)) {
    const found = known.map((name) => left.find((column) => plain(column) === name)).find((column) => column !== undefined)
    if (found === undefined) continue
    columns[field] = found
    left.splice(left.indexOf(found), 1)
  }
  return columns
}

const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z]/g, '')

/** Builds a rule from a record. `origin` is our own: addresses of this site become paths. */
export function ruleOfRecord(place: LinePosition, columns: Columns, record: Record<string, unknown>, origin: string): RuleLine {
  const cell = (field: string) => textOf(record[columns[field] ?? ''])
  const from = ownPath(cell('fromPath') ?? '', origin)
  if (from === undefined) return refuseLine(place, 'The from path belongs to another site')
  const given: Record<string, unknown> = { ...kindOf(from, cell('kind'), cell('isRegex')), toPath: cell('toPath') }
  if ('refused' in given) return refuseLine(place, String(given['refused']))
  const regex = given['isForeign'] ? foreign(from, cell('toPath') ?? '') : {}
  if ('refused' in regex) return refuseLine(place, String(regex.refused))
  for (const [field, read] of Object.entries(readers)) {
    const value = cell(field)
    if (value !== undefined) given[field] = read(value)
  }
  return toLine(place, { ...given, ...regex })
}

/** An empty cell means the default. */
function textOf(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? '').replace(/^""$/, '')
  return text.trim() === '' ? undefined : text
}

const readers: Record<string, (value: string) => unknown> = {
  statusCode: (value) => (/^\d+$/.test(value) ? Number(value) : value),
  isActive: truth,
  description: (value) => value,
  query: (value) => value.toLowerCase(),
  ignoresSlash: truth,
  ignoresCase: truth,
}

/** Spreadsheets and plug-ins write yes and no in many ways; other words are left for the form to refuse. */
function truth(value: string): unknown {
  if (/^(true|1|yes|y|on|active|enabled)$/i.test(value)) return true
  return /^(false|0|no|n|off|inactive|disabled)$/i.test(value) ? false : value
}

function ownPath(from: string, origin: string): string | undefined {
  if (!/^https?:\/\//i.test(from)) return from.trim()
  const url = URL.parse(from)
  return url?.origin === origin ? url.pathname + url.search : undefined
}

/** Our own name of the kind, a plug-in's, or a guess from the path. */
function kindOf(from: string, kind = '', isRegex = ''): Record<string, unknown> {
  const word = kind.toLowerCase()
  if (word === 'exact' || word === 'wildcard' || word === 'pattern') return { fromPath: from, kind: word }
  if (/^(regex|regexp)$/.test(word) || truth(isRegex) === true) return { fromPath: from, kind: 'pattern', isForeign: true }
  if (word !== '' && !/^(plain|url|page|simple)$/.test(word)) return { refused: `The kind “${word.slice(0, 40)}” is unknown` }
  return { fromPath: from, kind: /^[^*]*\/\*$/.test(from) ? 'wildcard' : 'exact' }
}

function foreign(from: string, to: string) {
  return ruleOfRegex(from, { text: to, captures: capturesIn(to) })
}

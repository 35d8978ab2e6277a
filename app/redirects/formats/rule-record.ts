import { capturesIn, ruleOfRegex } from './regex-rule.ts'
import { type RuleField, ruleFields } from './rule-file.ts'
import { type LinePosition, refuseLine, type RuleLine, toLine } from './rule-line.ts'

/** Column names of other programs, lowercase and without spaces and punctuation. */
const names: Record<RuleField, readonly string[]> = {
  fromPath: [
    'frompath',
    'from',
    'source',
    'sourceurl',
    'sourcepath',
    'sources',
    'origin',
    'originurl',
    'old',
    'oldurl',
    'oldpath',
    'oldlink',
    'redirectfrom',
    'fromurl',
    'request',
    'requesturl',
    'urlfrom',
    'alias',
    'url',
    'path',
  ],
  toPath: [
    'topath',
    'to',
    'target',
    'targeturl',
    'targetpath',
    'destination',
    'destinationurl',
    'new',
    'newurl',
    'newpath',
    'newlink',
    'redirectto',
    'redirecturl',
    'redirecttourl',
    'tourl',
    'urlto',
    'location',
    'actiondata',
  ],
  statusCode: [
    'statuscode',
    'code',
    'httpcode',
    'httpstatus',
    'httpstatuscode',
    'actioncode',
    'headercode',
    'responsecode',
    'redirectcode',
    'redirecttype',
    'redirectiontype',
    'type',
    'status',
  ],
  isActive: ['isactive', 'active', 'enabled', 'state', 'status'],
  description: ['description', 'note', 'notes', 'comment', 'title'],
  kind: ['kind', 'format', 'match', 'matchtype', 'matching', 'comparison', 'sourcetype'],
  isRegex: ['regex', 'isregex', 'regexp'],
  query: ['query', 'querystring'],
  ignoresSlash: ['ignoresslash', 'ignoreslash', 'trailingslash'],
  ignoresCase: ['ignorescase', 'ignorecase', 'caseinsensitive'],
}

export type RuleColumns = Partial<Record<RuleField, string>>

/** The column of the file for each field. */
export function ruleColumns(given: readonly string[]): RuleColumns {
  const columns: RuleColumns = {}
  const left = [...given]
  for (const field of ruleFields) {
    const found = names[field].map((name) => left.find((column) => plain(column) === name)).find((column) => column !== undefined)
    if (found === undefined) continue
    columns[field] = found
    left.splice(left.indexOf(found), 1)
  }
  return columns
}

const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z]/g, '')

/** Builds a rule from a record. `origin` is our own: addresses of this site become paths. What was mended is told in notes. */
export function ruleOfRecord(place: LinePosition, columns: RuleColumns, record: Record<string, unknown>, origin: string): RuleLine {
  const notes: string[] = []
  const cell = (field: RuleField) => textOf(record[columns[field] ?? ''])
  const isPattern = patternKind(cell('kind'), cell('isRegex'))
  const from = ownPath(cell('fromPath') ?? '', origin, notes)
  if (from === undefined) return refuseLine(place, 'The from path belongs to another site')
  const fromPath = isPattern ? from : withSlash(from, notes)
  const to = ownPath(cell('toPath') ?? '', origin, notes) ?? cell('toPath')?.trim()
  const toPath = to && isPathWithoutSlash(to) ? withSlash(to, notes) : to
  const given: Record<string, unknown> = { ...kindOf(fromPath, cell('kind'), cell('isRegex')), toPath }
  if ('refused' in given) return refuseLine(place, String(given['refused']))
  const regex = given['isForeign'] ? foreign(fromPath, toPath ?? '') : {}
  if ('refused' in regex) return refuseLine(place, String(regex.refused))
  for (const [field, read] of readers) {
    const value = cell(field)
    if (value !== undefined) given[field] = read(value, notes)
  }
  return toLine(place, { ...given, ...regex }, notes)
}

/** An empty cell means the default. */
function textOf(value: unknown): string | undefined {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? '').replace(/^""$/, '')
  return text.trim() === '' ? undefined : text
}

const readers: [RuleField, (value: string, notes: string[]) => unknown][] = [
  ['statusCode', statusIn],
  ['isActive', truth],
  ['description', (value) => value],
  ['query', (value) => value.toLowerCase()],
  ['ignoresSlash', truth],
  ['ignoresCase', truth],
]

/** `301`, `301 Moved Permanently`, `permanent`, `temporary`, `Found`. */
function statusIn(value: string, notes: string[]): unknown {
  if (/^\d+$/.test(value)) return Number(value)
  const [named] = /\b30[1278]\b/.exec(value) ?? []
  if (named) return Number(named)
  const word = /^(moved )?permanent(ly)?( redirect| move)?$/i.test(value)
    ? 301
    : /^(moved )?(temporar(y|ily)|temp|found)( redirect| move)?$/i.test(value)
      ? 302
      : undefined
  if (word) notes.push(`“${value}” is read as ${word}.`)
  return word ?? value
}

/** Spreadsheets and plug-ins write yes and no in many ways; other words are left for the form to refuse. */
function truth(value: string): unknown {
  if (/^(true|1|yes|y|on|active|enabled)$/i.test(value)) return true
  return /^(false|0|no|n|off|inactive|disabled)$/i.test(value) ? false : value
}

/** The path of an address of this site, by any protocol and with `www.` or without; undefined for other sites. */
function ownPath(given: string, origin: string, notes: string[]): string | undefined {
  const text = given.trim()
  if (!/^https?:\/\//i.test(text)) return text
  const url = URL.parse(text)
  if (!url || hostOf(url.host) !== hostOf(new URL(origin).host)) return undefined
  notes.push(`The address of this site is stored as its path: ${text.slice(0, 200)}`)
  return url.pathname + url.search + url.hash
}

const hostOf = (host: string) => host.toLowerCase().replace(/^www\./, '')

function withSlash(text: string, notes: string[]): string {
  if (text === '' || text.startsWith('/')) return text
  notes.push('The leading slash was missing.')
  return `/${text}`
}

/** `about-us` and `shop/index.html` are paths; `else.example/about` and `javascript:…` can be other places. */
function isPathWithoutSlash(text: string): boolean {
  return /^[\p{L}\p{N}_~-][^:\\]*$/u.test(text) && (!/^[^/]*\./.test(text) || /^[^/]*\.(html?|php|aspx?|jsp)([?#/]|$)/i.test(text))
}

function patternKind(kind = '', isRegex = ''): boolean {
  return /^(regex|regexp|pattern)$/i.test(kind) || truth(isRegex) === true
}

/** Our own name of the kind, a plug-in's, or a guess from the path. */
function kindOf(from: string, kind = '', isRegex = ''): Record<string, unknown> {
  const word = kind.toLowerCase()
  if (word === 'exact' || word === 'wildcard' || word === 'pattern') return { fromPath: from, kind: word }
  if (patternKind(word, isRegex)) return { fromPath: from, kind: 'pattern', isForeign: true }
  if (word !== '' && !/^(plain|url|page|simple)$/.test(word)) return { refused: `The kind “${word.slice(0, 40)}” is unknown` }
  return { fromPath: from, kind: /^[^*]*\/\*$/.test(from) ? 'wildcard' : 'exact' }
}

function foreign(from: string, to: string) {
  return ruleOfRegex(from, { text: to, captures: capturesIn(to) })
}

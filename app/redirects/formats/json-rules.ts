import { refuseLine, type RuleLine, type WritableRule, type WrittenFile } from './rule-line.ts'
import { ruleColumns, ruleOfRecord } from './rule-record.ts'

const NO_LIST =
  'This is not a list of redirects. Use a list of objects, bare or under "redirects", or the JSON export of the Redirection plug-in'

/** Reads a list of objects, bare or under `redirects`. */
export function readJson(text: string, origin: string): RuleLine[] {
  const bare = text.replace(/^\uFEFF/, '')
  const read = parsed(bare)
  if ('refused' in read) return [refuseLine({ line: read.line, text: bare.split('\n')[read.line - 1] ?? '' }, read.refused)]
  const list = listIn(read.value)
  if (!list) return [refuseLine({ line: 1, text: bare }, NO_LIST)]
  const lines = entryLines(bare)
  const off = disabledGroups(read.value)
  return list.map((entry: unknown, at) => {
    const place = { line: lines[at] ?? 1, text: JSON.stringify(entry) }
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return refuseLine(place, 'This is not an object')
    const { record, refused } = plainRecord(Object.fromEntries(Object.entries(entry)), off)
    return refused === undefined ? ruleOfRecord(place, ruleColumns(Object.keys(record)), record, origin) : refuseLine(place, refused)
  })
}

function parsed(text: string): { value: unknown } | { refused: string; line: number } {
  try {
    const value: unknown = JSON.parse(text)
    return { value }
  } catch (error) {
    const [, line] = /\(line (\d+) /.exec(String(error)) ?? []
    return { refused: 'The JSON is invalid from here on', line: Number(line ?? 1) }
  }
}

function listIn(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value
  if (typeof value !== 'object' || value === null || !('redirects' in value)) return undefined
  return Array.isArray(value.redirects) ? value.redirects : undefined
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{}\n]|[^\s,:[\]{}"]+/g

/** The first line of each entry. The text must be valid JSON. */
function entryLines(text: string): number[] {
  const lines: number[] = []
  let line = 1
  let depth = 0
  const listAt = /^\s*\{/.test(text) ? 2 : 1
  let inList = listAt === 1
  let last = ''
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '\n') line += 1
    else {
      if (inList && depth === listAt && token !== ']' && token !== '}') lines.push(line)
      if (token === '[' && depth === listAt - 1) inList = listAt === 1 || last === '"redirects"'
      if (token === '[' || token === '{') depth += 1
      if (token === ']' || token === '}') depth -= 1
      if (depth < listAt && token === ']') inList = listAt === 1
      last = token
    }
  }
  return lines
}

/** Writes one rule per line, so that a report can name the line. */
export function writeJson(rules: readonly WritableRule[]): WrittenFile {
  const lines = rules.map(({ fromPath, toPath, statusCode, isActive, description, kind, query, ignoresSlash, ignoresCase }) =>
    JSON.stringify({ fromPath, toPath, statusCode, isActive, description: description ?? null, kind, query, ignoresSlash, ignoresCase }),
  )
  return { text: `[\n${lines.map((line) => `  ${line}`).join(',\n')}\n]\n`, left: [] }
}

/** A record of the JSON export of WordPress's Redirection plug-in, in the column names of other files. */
type PlainRecord = { record: Record<string, unknown>; refused?: never } | { refused: string; record?: never }

/** Ids of the disabled groups of the export; their rules are disabled as well. */
function disabledGroups(file: unknown): ReadonlySet<unknown> {
  const groups = objectOf(file)['groups']
  if (!Array.isArray(groups)) return new Set()
  return new Set(
    groups.map(objectOf).flatMap((group) => (group['status'] === 'disabled' || group['enabled'] === false ? [group['id']] : [])),
  )
}

/** Maps a plug-in record to plain columns; other records stay as they are. */
function plainRecord(record: Record<string, unknown>, off: ReadonlySet<unknown>): PlainRecord {
  if (!('action_type' in record && 'match_type' in record)) return { record }
  const code = Number(record['action_code'])
  if (record['action_type'] === 'error') return { refused: refusalOf(code) }
  if (record['action_type'] !== 'url') return { refused: 'Only rules with a single target URL can be imported' }
  if (record['match_type'] !== 'url') return { refused: 'Rules with conditions on the visitor cannot be imported' }
  const source = objectOf(objectOf(record['match_data'])['source'])
  const data = record['action_data']
  const isOn = record['enabled'] !== false && record['status'] !== 'disabled' && !off.has(record['group_id'])
  return {
    record: {
      from: record['url'],
      to: typeof data === 'string' ? data : objectOf(data)['url'],
      code,
      regex: Boolean(record['regex'] || source['flag_regex']),
      title: record['title'],
      active: isOn,
      query: queryOf(source['flag_query']),
      ...(typeof source['flag_trailing'] === 'boolean' && { ignoresSlash: source['flag_trailing'] }),
      ...(typeof source['flag_case'] === 'boolean' && { ignoresCase: source['flag_case'] }),
    },
  }
}

function refusalOf(code: number): string {
  const name = code === 410 ? '410 Gone' : String(code || 'an error')
  return `A rule with the response ${name} cannot be imported: a redirect has the status 301, 302, 307 or 308`
}

/** `exactorder` makes the order of a query count; here it never does. */
function queryOf(flag: unknown): string | undefined {
  if (flag === 'exact' || flag === 'exactorder') return 'exact'
  return flag === 'pass' || flag === 'ignore' ? flag : undefined
}

function objectOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : {}
}

import { refuse, type RuleLine, type WritableRule, type WrittenFile } from './rule-line.ts'
import { groupsOff, plainRecord } from './redirection-plugin.ts'
import { columnsOf, ruleOfRecord } from './rule-record.ts'

const NO_LIST =
  'This is no list of redirects. Taken are a list of objects, bare or under "redirects", and the JSON export of the Redirection plug-in'

/** Reads a list of objects, bare or under `redirects`. */
export function readJson(text: string, origin: string): RuleLine[] {
  const bare = text.replace(/^\uFEFF/, '')
  const read = parsed(bare)
  if ('refused' in read) return [refuse({ line: read.line, text: bare.split('\n')[read.line - 1] ?? '' }, read.refused)]
  const list = listIn(read.value)
  if (!list) return [refuse({ line: 1, text: bare }, NO_LIST)]
  const lines = entryLines(bare)
  const off = groupsOff(read.value)
  return list.map((entry: unknown, at) => {
    const place = { line: lines[at] ?? 1, text: JSON.stringify(entry) }
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return refuse(place, 'This is no object')
    const { record, refused } = plainRecord(Object.fromEntries(Object.entries(entry)), off)
    return refused === undefined ? ruleOfRecord(place, columnsOf(Object.keys(record)), record, origin) : refuse(place, refused)
  })
}

function parsed(text: string): { value: unknown } | { refused: string; line: number } {
  try {
    const value: unknown = JSON.parse(text)
    return { value }
  } catch (error) {
    const [, line] = /\(line (\d+) /.exec(String(error)) ?? []
    return { refused: 'From here on this is no JSON', line: Number(line ?? 1) }
  }
}

function listIn(value: unknown): unknown[] | undefined {
  if (Array.isArray(value)) return value
  if (typeof value !== 'object' || value === null || !('redirects' in value)) return undefined
  return Array.isArray(value.redirects) ? value.redirects : undefined
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{}\n]|[^\s,:[\]{}"]+/g

/** The line on which each entry of the list begins. The text is known to be JSON. */
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

/** One rule a line, so that a report can name it. */
export function writeJson(rules: readonly WritableRule[]): WrittenFile {
  const lines = rules.map(({ fromPath, toPath, statusCode, isActive, description, kind, query, ignoresSlash, ignoresCase }) =>
    JSON.stringify({ fromPath, toPath, statusCode, isActive, description: description ?? null, kind, query, ignoresSlash, ignoresCase }),
  )
  return { text: `[\n${lines.map((line) => `  ${line}`).join(',\n')}\n]\n`, left: [] }
}

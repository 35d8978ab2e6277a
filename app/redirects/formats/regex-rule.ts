import { endsBelow } from '#app/redirects/engine/rule.ts'
import type { RedirectBody } from '#app/redirects/rules/redirect.ts'

/** A target in another server's syntax. `captures` are its placeholders for `$1` to `$9`. */
export type RegexTarget = { text: string; captures: readonly string[] }

type Meaning = Pick<RedirectBody, 'kind' | 'fromPath' | 'toPath' | 'ignoresSlash' | 'ignoresCase'>
type Read = Meaning | { refused: string }

const REST = /^(.*\/)(?:\(\.\*\)|\.\*)$/s
const OPTIONAL_BELOW = /^(.*[^/])\(\/\.\*\)\?$/s
const OPTIONAL_REST = /^(.*)\(\?:\/\(\.\*\)\)\?$/s
const META = /[.*+?^${}()|[\]\\]/g

/**
 * Converts a regular expression of a server configuration. There it matches any part of the path unless anchored; here it matches the whole
 * path. A plain path or `/(.*)` at the end becomes the simpler kind.
 */
export function ruleOfRegex(given: string, target: RegexTarget, ignoresCase = false): Read {
  const insensitive = given.startsWith('(?i)')
  const source = (insensitive ? given.slice(4) : given).replaceAll('\\/', '/')
  if (hasAlternatives(source)) return { refused: 'Alternatives ( | ) outside of brackets are not supported: write one rule for each' }
  const isOpen = !source.startsWith('^')
  const endsOpen = !/(?<!\\)(?:\\\\)*\$$/.test(source)
  const body = `${lead(source.replace(/^\^/, ''), isOpen)}${endsOpen ? '.*' : ''}`.replace(/\$$/, '').replace(/(?:\.\*){2}$/, '.*')
  const meaning = simplest(body.replace(/\(\.\*\)\.\*$/, '(.*)'), target)
  return 'refused' in meaning ? meaning : { ...meaning, ignoresCase: ignoresCase || insensitive }
}

/** Adds the leading slash where the expression has none. */
function lead(body: string, isOpen: boolean): string {
  const rest = body.replace(/^\/\??/, '')
  if (!isOpen) return `/${rest}`
  return body.startsWith('/') ? `/(?:.*/)?${rest}` : `/.*${rest}`
}

function simplest(body: string, target: RegexTarget): Omit<Meaning, 'ignoresCase'> | { refused: string } {
  const ignoresSlash = body.length > 2 && body.endsWith('/?')
  const bare = ignoresSlash ? body.slice(0, -2) : body
  const exact = literal(bare)
  if (exact !== undefined && target.captures.length === 0) return { kind: 'exact', fromPath: exact, toPath: target.text, ignoresSlash }
  const simple = wildcard(body, target)
  if (simple) return simple
  if (capturesIn(target.text).length !== target.captures.length)
    return { refused: 'A dollar sign before a digit cannot be written in a pattern' }
  return { kind: 'pattern', fromPath: bare, toPath: target.text, ignoresSlash }
}

function wildcard(body: string, { text, captures }: RegexTarget) {
  const [, place] = OPTIONAL_BELOW.exec(body) ?? []
  const below = place === undefined ? undefined : literal(place)
  if (below !== undefined && /^[^*]*\$1$/.test(text) && captures.length === 1 && capturesIn(text).length === 1) {
    return { kind: 'wildcard' as const, fromPath: `${below}/*`, toPath: text.replace('$1', '/*'), ignoresSlash: true }
  }
  const [, whole] = OPTIONAL_REST.exec(body) ?? []
  const [, under] = REST.exec(body) ?? []
  const prefix = literal(whole === undefined ? (under ?? '(') : `${whole}/`)
  const marks = capturesIn(text)
  const hands = captures.length === marks.length && marks.every((one) => one === '$1') && body.includes('(.*)')
  if (prefix === undefined || text.includes('*') || (captures.length > 0 && !hands)) return undefined
  const toPath = captures.length > 0 ? text.replaceAll('$1', '*') : text
  // Every path is below the root slash.
  return { kind: 'wildcard' as const, fromPath: `${prefix}*`, toPath, ignoresSlash: whole !== undefined || prefix === '/' }
}

/** The placeholders (`$1`, `$2`) in a text. */
export function capturesIn(text: string): string[] {
  return text.match(/\$[1-9]/g) ?? []
}

/** The text that the expression matches, if it matches exactly one. */
function literal(source: string): string | undefined {
  const text = source.replaceAll(/\\([^\w\s]| )/g, '')
  if (/[.*+?^${}()|[\]\\]/.test(text)) return undefined
  return source.replaceAll(/\\(.)/g, '$1')
}

function hasAlternatives(source: string): boolean {
  let depth = 0
  let inClass = false
  for (let at = 0; at < source.length; at += 1) {
    const sign = source[at]
    if (sign === '\\') at += 1
    else if (inClass) inClass = sign !== ']'
    else if (sign === '[') inClass = true
    else if (sign === '(') depth += 1
    else if (sign === ')') depth -= 1
    else if (sign === '|' && depth === 0) return true
  }
  return false
}

type Direction = Pick<RedirectBody, 'kind' | 'fromPath' | 'toPath' | 'ignoresSlash'>

/** Whether the capture includes the slash before the rest: then `/old-blog` leads to `/blog`, not to `/blog/`. */
function catchesSlash({ kind, fromPath, toPath, ignoresSlash }: Direction): boolean {
  return kind === 'wildcard' && ignoresSlash && fromPath !== '/*' && endsBelow(toPath)
}

/** The target of a rule, with `$1` for its capture. */
export function targetOfRule(rule: Direction): string {
  if (rule.kind !== 'wildcard') return rule.toPath
  return catchesSlash(rule) ? rule.toPath.replace(/\/\*$/, '$1') : rule.toPath.replaceAll('*', '$1')
}

/** An equivalent anchored expression for another server. Servers match decoded paths. */
export function regexOfRule(rule: Direction): string {
  const { kind, fromPath, ignoresSlash } = rule
  if (kind === 'pattern') return `^${fromPath}${ignoresSlash ? '/?' : ''}$`
  const path = decoded(fromPath)
  if (kind === 'exact')
    return path === '/' ? '^/$' : `^${escaped(path.replace(/\/$/, ignoresSlash ? '' : '/'))}${ignoresSlash ? '/?' : ''}$`
  const prefix = path.replace(/\/\*$/, '')
  if (prefix === '') return '^/(.*)$'
  if (catchesSlash(rule)) return `^${escaped(prefix)}(/.*)?$`
  return ignoresSlash ? `^${escaped(prefix)}(?:/(.*))?$` : `^${escaped(prefix)}/(.*)$`
}

function escaped(text: string): string {
  return text.replaceAll(META, '\\$&')
}

/** `/caf%C3%A9` becomes `/café`; an encoded slash and the like stay encoded. */
function decoded(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

/** The reason why neither Apache nor nginx can express this rule in one directive; `undefined` when they can. */
export function unsupportedReason({
  kind,
  fromPath,
  toPath,
  query,
  ignoresCase,
}: Pick<RedirectBody, 'kind' | 'fromPath' | 'toPath' | 'query' | 'ignoresCase'>): string | undefined {
  if (ignoresCase && /[^ -~]/.test(decoded(fromPath))) return 'these servers ignore case only for a to z'
  if (query === 'exact' || (query === 'contains' && kind !== 'pattern' && fromPath.includes('?')))
    return 'its query is part of what must match'
  if (kind !== 'pattern' && /[?#]/.test(fromPath)) return 'its path contains a query'
  if (kind !== 'pattern' && decoded(fromPath).includes('%'))
    return 'its path contains an encoded character, which these servers decode first'
  if (kind === 'wildcard' && !/^\/(?:[^*]*\/)?\*$/.test(fromPath)) return 'its star does not follow a slash at the end'
  if (kind === 'wildcard' && toPath.includes('*') && capturesIn(toPath).length > 0)
    return 'its target contains a dollar sign before a digit'
  if (kind === 'pattern' && hasAlternatives(fromPath)) return 'it has alternatives outside of brackets'
  if (query !== 'ignore' && toPath.includes('#')) return 'these servers cannot combine a query and a fragment'
  return undefined
}

import type { RedirectBody } from '#app/redirects/rules/redirect.ts'
import { type Directive, readTree } from './nginx-tree.ts'
import { capturesIn, ruleOfRegex, type RegexTarget } from './regex-rule.ts'
import { type LinePosition, refuseLine, type RuleLine, toLine } from './rule-line.ts'

/** The context of a `return` or `rewrite`: the whole site, one path, a prefix, or an expression. */
type Scope = { regex: string; ignoresCase: boolean; rank: number; length: number }
type Ranked = RuleLine & { rank: number; length: number }
type Source = { lines: string[]; mapped: Map<string, number> }

const SITE: Scope = { regex: '^/.*$', ignoresCase: false, rank: 5, length: 0 }
/** Wrappers, and unrelated directives of files that people copy whole. */
const frames = /^(server|http)$/
const harmless =
  /^(listen|server_name|root|index|charset|access_log|error_log|map_hash_max_size|map_hash_bucket_size|include|default_type)$/

/** Reads the redirects of an nginx configuration, in the order in which nginx tries them. */
export function readNginx(text: string): RuleLine[] {
  const { lines, off } = withoutSwitchedOff(text)
  const tree = readTree(lines.join('\n'))
  const source = { lines, mapped: mappedStatus(tree.directives) }
  const found = tree.directives.flatMap((directive) => read(directive, source))
  if (tree.refused) found.push({ ...refuseLine(placeOf(tree.refused.line, source), tree.refused.reason), rank: 9, length: 0 })
  return found
    .toSorted((one, other) => one.rank - other.rank || other.length - one.length)
    .map(({ rank: _rank, length: _length, ...line }) => (line.rule ? noted(line, line.rule, { lines: text.split(/\r?\n/), off }) : line))
}

/** A rule behind `# inactive:` is read like any other, but inactive. */
function withoutSwitchedOff(text: string) {
  const off = new Set<number>()
  const lines = text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .map((line, at) => {
      if (!line.startsWith('# inactive: ')) return line
      off.add(at + 1)
      return line.slice('# inactive: '.length)
    })
  return { lines, off }
}

function noted(line: LinePosition, rule: RedirectBody, { lines, off }: { lines: string[]; off: Set<number> }): RuleLine {
  const above = lines[line.line - 2]?.trim() ?? ''
  const description = above.startsWith('#') && !above.startsWith('# inactive: ') ? above.replace(/^#\s*/, '').slice(0, 500) : undefined
  return toLine(line, { ...rule, isActive: !off.has(line.line), description })
}

function placeOf(line: number, { lines }: Source): LinePosition {
  return { line, text: lines[line - 1] ?? '' }
}

function read(directive: Directive, source: Source): Ranked[] {
  const { name, given, inside = [], line } = directive
  const place = placeOf(line, source)
  if (frames.test(name)) return inside.flatMap((one) => read(one, source))
  if (harmless.test(name)) return []
  if (isJoining(name, given)) return []
  if (name === 'map') return mapRules(directive, source)
  if (name === 'if' && source.mapped.has(given.join(' ').replaceAll(/[()\s]/g, ''))) return []
  if (name === 'rewrite' || name === 'return') return [inScope(directive, name === 'return' ? SITE : { ...SITE, rank: 0 }, place)]
  const scope = name === 'location' ? locationScope(given) : name === 'if' ? ifScope(given) : `${name.slice(0, 40)} is not a redirect`
  if (typeof scope === 'string') return [ranked(refuseLine(place, scope), SITE)]
  const turns = inside.filter((one) => one.name === 'return' || one.name === 'rewrite')
  if (turns.length === 0) return [ranked(refuseLine(place, 'This block has no redirects'), scope)]
  const others = inside.filter((one) => !turns.includes(one) && !harmless.test(one.name))
  return [
    ...turns.map((one) => inScope(one, scope, placeOf(one.line, source))),
    ...others.map((one) => ranked(refuseLine(placeOf(one.line, source), `${one.name.slice(0, 40)} is not a redirect`), scope)),
  ]
}

/** The lines that an export adds before rules with joined queries. */
function isJoining(name: string, given: string[]): boolean {
  return name === 'set' ? given[0] === '$joined' : name === 'if' && given.join('') === '($args=)'
}

function ranked(line: RuleLine, { rank, length }: Scope): Ranked {
  return { ...line, rank, length }
}

/** The order of nginx's locations: exact path, `^~`, expressions in file order, longest prefix. */
function locationScope([sign = '', path = '']: string[]): Scope | string {
  if (sign === '=') return { regex: `^${escaped(path)}$`, ignoresCase: false, rank: 1, length: 0 }
  if (sign === '~' || sign === '~*') return { regex: path, ignoresCase: sign === '~*', rank: 3, length: 0 }
  if (sign.startsWith('@')) return 'A named location is not a path'
  const prefix = sign === '^~' ? path : sign
  return { regex: `^${escaped(prefix)}.*$`, ignoresCase: false, rank: sign === '^~' ? 2 : 4, length: prefix.length }
}

const CONDITION = /^\(\s*\$(?:document_)?uri\s+(=|~\*?)\s+(.*)\)$/s

/** A condition on the path alone, in order with the rewrites. */
function ifScope(given: string[]): Scope | string {
  const [, sign, value = ''] = CONDITION.exec(given.join(' ')) ?? []
  if (!sign) return 'Only conditions on $uri are supported'
  return { regex: sign === '=' ? `^${escaped(value.trim())}$` : value.trim(), ignoresCase: sign === '~*', rank: 0, length: 0 }
}

function inScope({ name, given }: Directive, scope: Scope, place: LinePosition): Ranked {
  const turn = name === 'return' ? readReturn(given) : readRewrite(given, scope)
  if (typeof turn === 'string') return ranked(refuseLine(place, turn), scope)
  const { target, query, statusCode } = turn
  const regex = turn.isWhole ? wholeOf(scope.regex) : (turn.regex ?? scope.regex)
  if (!regex) return ranked(refuseLine(place, 'The whole path is passed on, but the expression does not begin with it'), scope)
  const meant = ruleOfRegex(regex, target, scope.ignoresCase)
  return ranked('refused' in meant ? refuseLine(place, meant.refused) : toLine(place, { ...meant, query, statusCode }), scope)
}

/** `$request_uri` is the path from its first slash to its end. */
function wholeOf(regex: string): string | undefined {
  const [, rest] = /^\^\/(.*)\$$/s.exec(regex) ?? []
  return rest === undefined || rest.includes('(') ? undefined : `^/(${rest})$`
}

type Turn = { target: RegexTarget; query: RedirectBody['query']; statusCode: number; regex?: string; isWhole?: boolean }

const statuses = new Set(['301', '302', '307', '308'])

function readReturn([status = '', ...rest]: string[]): Turn | string {
  const isAddress = /^https?:\/\//.test(status)
  if (!isAddress && !statuses.has(status)) return `The status ${status.slice(0, 20)} is not 301, 302, 307 or 308`
  const given = isAddress ? status : rest.join(' ')
  const bare = given.replace(/\$is_args\$args$|[?&]\$args$|\$joined$/, '')
  const whole = bare.replace(/\$(?:request_)?uri$/, '')
  const isWhole = whole !== bare
  const target = nginxTarget(isWhole ? `${whole.replace(/\/$/, '')}/$1` : bare)
  if (typeof target === 'string') return target
  return {
    target,
    isWhole,
    query: bare !== given || bare.endsWith('$request_uri') ? 'pass' : 'ignore',
    statusCode: isAddress ? 302 : Number(status),
  }
}

function readRewrite([regex = '', given = '', flag = '']: string[], scope: Scope): Turn | string {
  const statusCode = { permanent: 301, redirect: 302 }[flag] ?? (/^https?:\/\//.test(given) ? 302 : undefined)
  if (!statusCode) return 'It rewrites without redirecting: neither permanent nor redirect'
  const target = nginxTarget(given.replace(/\?$/, ''))
  if (typeof target === 'string') return target
  const all = /^\^?(\(?\.\*\)?)?\$?$/.test(regex) && target.captures.length === 0
  if (scope.rank !== 0 && !all && scope.rank < 5) return 'An expression inside a location is not supported'
  return {
    target,
    statusCode,
    query: given.endsWith('?') ? 'ignore' : 'pass',
    ...(!all && { regex }),
    ...(all && scope.rank === 0 && { regex: '^/.*$' }),
  }
}

function nginxTarget(text: string): RegexTarget | string {
  if (/\$(?!\d)|\$0/.test(text)) return 'Variables in a target are not supported'
  return { text, captures: capturesIn(text) }
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** The status of each variable that a map fills. */
function mappedStatus(directives: readonly Directive[]): Map<string, number> {
  const all = directives.flatMap(function nested(one): Directive[] {
    return [one, ...(one.inside ?? []).flatMap(nested)]
  })
  const mapped = new Map(all.flatMap(({ name, given }): [string, number][] => (name === 'map' && given[1] ? [[given[1], 301]] : [])))
  for (const { name, given } of all) {
    const [status = '', variable = ''] = given
    if (name === 'return' && mapped.has(variable) && statuses.has(status)) mapped.set(variable, Number(status))
  }
  return mapped
}

/** A map from paths to targets. Plain entries come first and ignore case; expressions follow in order. */
function mapRules({ given: [source = '', variable = ''], inside = [], line }: Directive, file: Source): Ranked[] {
  if (!/^\$(request_uri|uri|document_uri)$/.test(source))
    return [ranked(refuseLine(placeOf(line, file), 'Only maps of the path are supported'), SITE)]
  return inside
    .filter(({ name }) => !/^(default|hostnames|volatile)$/.test(name))
    .map((entry) => {
      const place = placeOf(entry.line, file)
      const [, sign = '', regex = ''] = /^(~\*?)(.*)$/s.exec(entry.name) ?? []
      const scope = { regex: sign ? regex : `^${escaped(entry.name)}$`, ignoresCase: sign !== '~', rank: 0, length: sign ? 0 : 1 }
      const target = nginxTarget(entry.given.join(' '))
      if (typeof target === 'string') return ranked(refuseLine(place, target), scope)
      const meant = ruleOfRegex(scope.regex, target, scope.ignoresCase)
      const statusCode = file.mapped.get(variable) ?? 301
      return ranked('refused' in meant ? refuseLine(place, meant.refused) : toLine(place, { ...meant, statusCode, query: 'ignore' }), scope)
    })
}

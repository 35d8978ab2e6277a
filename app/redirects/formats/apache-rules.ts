import { ruleOfRegex, type RegexTarget } from './regex-rule.ts'
import { readWithComments } from './rule-comment.ts'
import { type LinePosition, refuseLine, type RuleLine, toLine } from './rule-line.ts'

type Reader = (place: LinePosition, given: string[], state: State) => RuleLine[]
type State = { base: string; hasCondition: boolean; within: string[] }

const names: Record<string, number> = { permanent: 301, temp: 302, '301': 301, '302': 302, '307': 307, '308': 308 }
/** Wrappers that do not change what the rules mean. */
const frames = /^<\/?(ifmodule|virtualhost)\b/i
const harmless = /^(rewriteengine|options|allowoverride)$/i

const readers: Record<string, Reader> = {
  redirect: (place, given) => prefixRules(place, given),
  redirectpermanent: (place, given) => prefixRules(place, ['301', ...given]),
  redirecttemp: (place, given) => prefixRules(place, ['302', ...given]),
  redirectmatch: (place, given) => [matchRule(place, given)],
  rewriterule: (place, given, state) => [rewriteRule(place, given, state)],
  rewritebase: (_place, [base = '/'], state) => {
    state.base = base.endsWith('/') ? base : `${base}/`
    return []
  },
  rewritecond: (place, _given, state) => {
    state.hasCondition = true
    return [refuseLine(place, 'Conditions are not supported; the rule that follows is skipped as well')]
  },
}

/** Reads the redirects of an `.htaccess` file or a server configuration. */
export function readApache(text: string): RuleLine[] {
  const state: State = { base: '/', hasCondition: false, within: [] }
  return readWithComments(logicalLines(text), (place) => readDirective(place, state))
}

function readDirective(place: LinePosition, state: State): RuleLine[] {
  if (place.text.startsWith('<')) return section(place, state)
  const [name = '', ...given] = apacheWords(place.text)
  if (harmless.test(name)) return []
  const reader = readers[name.toLowerCase()]
  if (!reader) return [refuseLine(place, `${name.slice(0, 40)} is not a redirect`)]
  const [inside] = state.within
  if (inside) return [refuseLine(place, `It applies only inside ${inside}, which is not supported`)]
  return reader(place, given, state)
}

function section(place: LinePosition, state: State): RuleLine[] {
  if (frames.test(place.text)) return []
  if (place.text.startsWith('</')) {
    state.within.pop()
    return []
  }
  state.within.push(place.text)
  return [refuseLine(place, 'Sections are not supported')]
}

/** `Redirect` covers a path and all below it: here two rules, or one for a file. */
function prefixRules(place: LinePosition, given: string[]): RuleLine[] {
  const [first = ''] = given
  const hasStatus = !first.startsWith('/')
  const statusCode = hasStatus ? names[first.toLowerCase()] : 302
  if (!statusCode) return [refuseLine(place, `The status ${first.slice(0, 20)} is not 301, 302, 307 or 308`)]
  const [fromPath = '', toPath = ''] = hasStatus ? given.slice(1) : given
  const exact = toLine(place, { fromPath, toPath, statusCode, ignoresSlash: false })
  if (exact.refused !== undefined || /\.\w{1,5}$/.test(fromPath)) return [exact]
  const below = { kind: 'wildcard', fromPath: `${fromPath.replace(/\/$/, '')}/*`, toPath: `${toPath.replace(/\/$/, '')}/*`, statusCode }
  // `/old/` and `/` have no exact form of their own.
  return fromPath.endsWith('/') ? [toLine(place, below)] : [exact, toLine(place, { ...below, ignoresSlash: false })]
}

/** A status comes first, with or without a target: `RedirectMatch 404 /\.git` has none. */
const STATUS = /^(\d+|permanent|temp|seeother|gone)$/i

function matchRule(place: LinePosition, given: string[]): RuleLine {
  const hasStatus = STATUS.test(given[0] ?? '')
  const statusCode = hasStatus ? names[(given[0] ?? '').toLowerCase()] : 302
  if (!statusCode) return refuseLine(place, `The status ${(given[0] ?? '').slice(0, 20)} is not 301, 302, 307 or 308`)
  const [regex = '', target = ''] = hasStatus ? given.slice(1) : given
  const to = substitution(target)
  if ('refused' in to) return refuseLine(place, to.refused)
  const read = ruleOfRegex(regex, to)
  return 'refused' in read ? refuseLine(place, read.refused) : toLine(place, { ...read, statusCode })
}

const knownFlags = /^(R|L|END|NC|NE|QSA|QSD|nocase|last|redirect|qsappend|qsdiscard|noescape)$/i

function rewriteRule(place: LinePosition, [regex = '', target = '', flagged = '']: string[], state: State): RuleLine {
  const isConditional = state.hasCondition
  state.hasCondition = false
  if (isConditional) return refuseLine(place, 'It depends on the condition above it')
  const flags = flagged
    .replace(/^\[|\]$/g, '')
    .split(',')
    .flatMap((flag) => flag.trim() || [])
  const [name, status = '302'] = (flags.find((flag) => /^R(edirect)?\b/i.test(flag)) ?? '').split('=')
  const isRedirect = Boolean(name) || /^https?:\/\//i.test(target)
  if (!isRedirect) return refuseLine(place, 'It rewrites without redirecting: the flag R is missing')
  const unknown = flags.find((flag) => !knownFlags.test(flag.split('=')[0] ?? ''))
  if (unknown) return refuseLine(place, `The flag ${unknown.slice(0, 20)} is not supported`)
  const statusCode = names[status.toLowerCase()]
  if (!statusCode) return refuseLine(place, `The status ${status.slice(0, 20)} is not 301, 302, 307 or 308`)
  if (regex.startsWith('!')) return refuseLine(place, 'Negated patterns are not supported')
  return rewritten(place, { regex, target, statusCode, base: state.base, has: (flag) => flags.some((one) => flag.test(one)) })
}

type Rewrite = { regex: string; target: string; statusCode: number; base: string; has: (flag: RegExp) => boolean }

function rewritten(place: LinePosition, { regex, target, statusCode, base, has }: Rewrite): RuleLine {
  const to = substitution(/^(\/|https?:)/i.test(target) ? target : base + target)
  if ('refused' in to) return refuseLine(place, to.refused)
  const read = ruleOfRegex(regex, { ...to, text: to.text.replace(/\?$/, '') }, has(/^(NC|nocase)$/i))
  if ('refused' in read) return refuseLine(place, read.refused)
  // A query in the target replaces the visitor's, unless a flag joins them.
  const drops = has(/^(QSD|qsdiscard)$/i) || (to.text.includes('?') && !has(/^(QSA|qsappend)$/i))
  return toLine(place, { ...read, statusCode, query: drops ? 'ignore' : 'pass' })
}

/** The non-empty lines of a configuration; a trailing backslash continues a line. */
function logicalLines(text: string): LinePosition[] {
  const places: LinePosition[] = []
  let open: LinePosition | undefined
  for (const [at, raw] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const goesOn = /(?<!\\)\\$/.test(raw)
    const piece = goesOn ? raw.slice(0, -1) : raw
    open = open ? { line: open.line, text: `${open.text}${piece}` } : { line: at + 1, text: piece }
    if (goesOn) continue
    if (open.text.trim()) places.push({ line: open.line, text: open.text.trim() })
    open = undefined
  }
  if (open?.text.trim()) places.push({ line: open.line, text: open.text.trim() })
  return places
}

const WORD = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|((?:\\.|[^\s\\])+)/gs

/** Splits a directive into words: quoted, or up to the next unescaped space. */
function apacheWords(text: string): string[] {
  return Array.from(text.matchAll(WORD), ([, double, single, bare]) => double ?? single ?? bare ?? '')
}

const PIECE = /\\(.)|\$(\d)|([%$]\{|%\d)|[^\\$%]+|[\\$%]/gs

/** Reads the target of an Apache rule; a backslash escapes the next character. */
function substitution(given: string): RegexTarget | { refused: string } {
  if (given === '-') return { refused: 'It has no target' }
  const pieces = [...given.matchAll(PIECE)]
  if (pieces.some(([, , , variable]) => variable)) return { refused: 'Variables and maps in a target are not supported' }
  return {
    text: pieces.map(([whole, sign]) => sign ?? whole).join(''),
    captures: pieces.flatMap(([, , capture]) => (capture && capture !== '0' ? [capture] : [])),
  }
}

/** The reverse. With captures, `$1` to `$9` are placeholders. */
export function toSubstitution(target: string, hasCaptures: boolean): string {
  return target.replaceAll(hasCaptures ? /[\\%]|\$(?![1-9])/g : /[\\%$]/g, '\\$&')
}

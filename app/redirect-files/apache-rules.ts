import { ruleOfRegex } from './regex-rule.ts'
import { withNotes } from './rule-comment.ts'
import { type Place, refuse, type RuleLine, toLine } from './rule-line.ts'
import { logicalLines, words } from './apache-words.ts'
import { substitution } from './apache-target.ts'

type Reader = (place: Place, given: string[], state: State) => RuleLine[]
type State = { base: string; hasCondition: boolean; within: string[] }

const names: Record<string, number> = { permanent: 301, temp: 302, '301': 301, '302': 302, '307': 307, '308': 308 }
/** What frames rules without changing what they mean. */
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
    return [refuse(place, 'Conditions are not read; the rule that follows is left out, too')]
  },
}

/** Reads the redirects of an `.htaccess` file or of a server's configuration. */
export function readApache(text: string): RuleLine[] {
  const state: State = { base: '/', hasCondition: false, within: [] }
  return withNotes(logicalLines(text), (place) => readDirective(place, state))
}

function readDirective(place: Place, state: State): RuleLine[] {
  if (place.text.startsWith('<')) return section(place, state)
  const [name = '', ...given] = words(place.text)
  if (harmless.test(name)) return []
  const reader = readers[name.toLowerCase()]
  if (!reader) return [refuse(place, `${name.slice(0, 40)} is no redirect`)]
  const [inside] = state.within
  if (inside) return [refuse(place, `It holds only inside of ${inside}, which is not read`)]
  return reader(place, given, state)
}

function section(place: Place, state: State): RuleLine[] {
  if (frames.test(place.text)) return []
  if (place.text.startsWith('</')) {
    state.within.pop()
    return []
  }
  state.within.push(place.text)
  return [refuse(place, 'Sections are not read')]
}

/** `Redirect` leads away from a path and from all below it: here two rules, and one for a file. */
function prefixRules(place: Place, given: string[]): RuleLine[] {
  const [first = ''] = given
  const hasStatus = !first.startsWith('/')
  const statusCode = hasStatus ? names[first.toLowerCase()] : 302
  if (!statusCode) return [refuse(place, `The status ${first.slice(0, 20)} is none of 301, 302, 307 and 308`)]
  const [fromPath = '', toPath = ''] = hasStatus ? given.slice(1) : given
  const exact = toLine(place, { fromPath, toPath, statusCode, ignoresSlash: false })
  if (exact.refused !== undefined || /\.\w{1,5}$/.test(fromPath)) return [exact]
  const below = { kind: 'wildcard', fromPath: `${fromPath.replace(/\/$/, '')}/*`, toPath: `${toPath.replace(/\/$/, '')}/*`, statusCode }
  // `/old/` and `/` are not paths that stand by themselves.
  return fromPath.endsWith('/') ? [toLine(place, below)] : [exact, toLine(place, { ...below, ignoresSlash: false })]
}

function matchRule(place: Place, given: string[]): RuleLine {
  const hasStatus = given.length > 2
  const statusCode = hasStatus ? names[(given[0] ?? '').toLowerCase()] : 302
  if (!statusCode) return refuse(place, `The status ${(given[0] ?? '').slice(0, 20)} is none of 301, 302, 307 and 308`)
  const [regex = '', target = ''] = hasStatus ? given.slice(1) : given
  const to = substitution(target)
  if ('refused' in to) return refuse(place, to.refused)
  const read = ruleOfRegex(regex, to)
  return 'refused' in read ? refuse(place, read.refused) : toLine(place, { ...read, statusCode })
}

const knownFlags = /^(R|L|END|NC|NE|QSA|QSD|nocase|last|redirect|qsappend|qsdiscard|noescape)$/i

function rewriteRule(place: Place, [regex = '', target = '', flagged = '']: string[], state: State): RuleLine {
  const isConditional = state.hasCondition
  state.hasCondition = false
  if (isConditional) return refuse(place, 'It holds only under the condition above it')
  const flags = flagged
    .replace(/^\[|\]$/g, '')
    .split(',')
    .flatMap((flag) => flag.trim() || [])
  const [name, status = '302'] = (flags.find((flag) => /^R(edirect)?\b/i.test(flag)) ?? '').split('=')
  const isRedirect = Boolean(name) || /^https?:\/\//i.test(target)
  if (!isRedirect) return refuse(place, 'It rewrites without redirecting: the flag R is not there')
  const unknown = flags.find((flag) => !knownFlags.test(flag.split('=')[0] ?? ''))
  if (unknown) return refuse(place, `The flag ${unknown.slice(0, 20)} is not read`)
  const statusCode = names[status.toLowerCase()]
  if (!statusCode) return refuse(place, `The status ${status.slice(0, 20)} is none of 301, 302, 307 and 308`)
  if (regex.startsWith('!')) return refuse(place, 'A pattern that must not match is not read')
  return rewritten(place, { regex, target, statusCode, base: state.base, has: (flag) => flags.some((one) => flag.test(one)) })
}

type Rewrite = { regex: string; target: string; statusCode: number; base: string; has: (flag: RegExp) => boolean }

function rewritten(place: Place, { regex, target, statusCode, base, has }: Rewrite): RuleLine {
  const to = substitution(/^(\/|https?:)/i.test(target) ? target : base + target)
  if ('refused' in to) return refuse(place, to.refused)
  const read = ruleOfRegex(regex, { ...to, text: to.text.replace(/\?$/, '') }, has(/^(NC|nocase)$/i))
  if ('refused' in read) return refuse(place, read.refused)
  // A query in the target takes the place of the visitor's, unless the two are to be joined.
  const drops = has(/^(QSD|qsdiscard)$/i) || (to.text.includes('?') && !has(/^(QSA|qsappend)$/i))
  return toLine(place, { ...read, statusCode, query: drops ? 'ignore' : 'pass' })
}

import { LONGEST_PATTERN, readPattern } from './pattern.server.ts'
import { isProtected } from './protected.server.ts'
import { readFrom } from './rule-set.server.ts'
import { LONGEST_PATH, type Rule } from './rule.ts'
import { choosesSite, namedIn } from './target.server.ts'

const MOST_MARKS = 20

/** Reasons why the engine cannot use a rule, by field; empty when it can. */
export function refuseRule(rule: Rule): Partial<Record<'fromPath' | 'toPath', string>> {
  const fromPath = rule.kind === 'pattern' ? refusePattern(rule) : refusePath(rule)
  const toPath = fromPath === undefined ? refuseTarget(rule) : undefined
  return { ...(fromPath !== undefined && { fromPath }), ...(toPath !== undefined && { toPath }) }
}

function refusePattern({ fromPath, ignoresCase }: Rule): string | undefined {
  if (fromPath.length > LONGEST_PATTERN) return `A pattern must be at most ${LONGEST_PATTERN} characters`
  try {
    readPattern(fromPath, ignoresCase)
    return undefined
  } catch (error) {
    return `Invalid pattern: ${reasonOf(error)}`
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : 'it is not a regular expression'
}

function refusePath(rule: Rule): string | undefined {
  const { fromPath, kind, query } = rule
  if (fromPath.includes('#')) return 'From path cannot contain a #: browsers never send it'
  if (fromPath.includes('?') && query === 'ignore') return 'A from path with a ? requires the query option contains or exact'
  if (kind === 'wildcard' && !/^[^*?]*\*(\?[^*]*)?$/.test(fromPath)) return 'A wildcard must have a single *, at the end of its path'
  const { path } = readFrom(rule)
  if (path.length > LONGEST_PATH) return `From path must be at most ${LONGEST_PATH} characters`
  // A wildcard may cover protected paths: it never applies to them.
  return isProtected(path) ? `Paths below /${path.split('/')[1]} cannot be redirected` : undefined
}

function refuseTarget(rule: Rule): string | undefined {
  const named = namedIn(rule)
  const groups = rule.kind === 'pattern' ? readPattern(rule.fromPath, rule.ignoresCase).groups : 1
  const missing = named.find((number) => number > groups)
  if (missing !== undefined) return `To path names $${missing}, but the pattern has ${groups === 1 ? '1 group' : `${groups} groups`}`
  if (named.length > MOST_MARKS) return `To path can have at most ${MOST_MARKS} placeholders`
  return choosesSite(rule) ? 'Visitor input cannot choose the host: move the placeholder after the first / behind the host' : undefined
}

import { writeAddress } from '#app/redirect-engine/address.server.ts'
import { namedIn } from '#app/redirect-engine/target.server.ts'
import { NGINX_QUERY } from './nginx-query.ts'
import { regexOfRule, targetOfRule, unsayable } from './regex-rule.ts'
import { commented, withLeft } from './rule-comment.ts'
import type { WritableRule, WrittenFile } from './rule-line.ts'

/** For inside of a `server` block, as directives that nginx tries in the order of the file. */
export function writeNginx(rules: readonly WritableRule[]): WrittenFile {
  const head = rules.some((rule) => !reasonAgainst(rule) && joinsQueries(rule)) ? NGINX_QUERY : ''
  return withLeft(head, rules, (rule) => {
    const reason = reasonAgainst(rule)
    return reason ? { reason } : { text: commented(rule, directive(rule)) }
  })
}

function reasonAgainst(rule: WritableRule): string | undefined {
  return unsayable(rule) ?? (hasDollar(rule) ? 'its target holds a dollar sign' : undefined) ?? rawCapture(rule)
}

/** nginx cannot write a dollar sign that is no variable. */
function hasDollar({ kind, toPath }: WritableRule): boolean {
  return kind === 'pattern' ? /\$(?!\d)/.test(toPath) : toPath.includes('$')
}

/** `return` would send a visitor's line break as one, and start a header of their choice. Only `rewrite` encodes what it caught. */
function rawCapture(rule: WritableRule): string | undefined {
  if (isRewrite(rule) || namedIn(rule).length === 0) return undefined
  return 'nginx does not encode the part of the path that a 307 or 308 hands on'
}

function directive(rule: WritableRule): string {
  const { toPath, statusCode, query, ignoresCase } = rule
  const target = writeAddress(targetOfRule(rule))
  const regex = regexOfRule(rule)
  if (isRewrite(rule)) {
    const flag = statusCode === 301 ? 'permanent' : 'redirect'
    return `rewrite ${quoted(`${ignoresCase ? '(?i)' : ''}${regex}`)} ${quoted(query === 'ignore' ? `${target}?` : target)} ${flag};`
  }
  // A rewrite knows these two statuses alone; this stands in the same order with them.
  const handedOn = toPath.includes('?') ? '$joined' : '$is_args$args'
  return `if ($uri ${ignoresCase ? '~*' : '~'} ${quoted(regex)}) { return ${statusCode} ${quoted(target + (query === 'pass' ? handedOn : ''))}; }`
}

/** A rewrite reads the numbers of ASCII signs as these signs, so a target with such a number has a `return`, when it hands nothing on. */
function isRewrite(rule: WritableRule): boolean {
  const { statusCode, toPath } = rule
  const isPlain = !/%(?:2[6-9A-F]|[3-6][\dA-F]|7[\dA-E])/i.test(toPath) && !toPath.includes('#')
  return statusCode <= 302 && (isPlain || namedIn(rule).length > 0)
}

function joinsQueries(rule: WritableRule): boolean {
  return !isRewrite(rule) && rule.query === 'pass' && rule.toPath.includes('?')
}

function quoted(text: string): string {
  return `"${text.replaceAll(/[\\"]/g, '\\$&')}"`
}

import { writeAddress } from '#app/redirects/engine/address.server.ts'
import { namedIn } from '#app/redirects/engine/target.server.ts'
import { regexOfRule, targetOfRule, unsupportedReason } from './regex-rule.ts'
import { commented, withLeft } from './rule-comment.ts'
import type { WritableRule, WrittenFile } from './rule-line.ts'

/** Precedes rules that join the visitor's query to the target's. It avoids a trailing `&` for an empty query. */
const NGINX_QUERY = `set $joined "&$args";
if ($args = "") { set $joined ""; }
`

/** Writes directives for a `server` block, which nginx tries in file order. */
export function writeNginx(rules: readonly WritableRule[]): WrittenFile {
  const head = rules.some((rule) => !reasonAgainst(rule) && joinsQueries(rule)) ? NGINX_QUERY : ''
  return withLeft(head, rules, (rule) => {
    const reason = reasonAgainst(rule)
    return reason ? { reason } : { text: commented(rule, directive(rule)) }
  })
}

function reasonAgainst(rule: WritableRule): string | undefined {
  return unsupportedReason(rule) ?? (hasDollar(rule) ? 'its target contains a dollar sign' : undefined) ?? rawCapture(rule)
}

/** nginx cannot write a dollar sign that is no variable. */
function hasDollar({ kind, toPath }: WritableRule): boolean {
  return kind === 'pattern' ? /\$(?!\d)/.test(toPath) : toPath.includes('$')
}

/** `return` would send a captured line break as it is and so inject a header. Only `rewrite` encodes captures. */
function rawCapture(rule: WritableRule): string | undefined {
  if (isRewrite(rule) || namedIn(rule).length === 0) return undefined
  return 'nginx does not encode the part of the path that a 307 or 308 passes on'
}

function directive(rule: WritableRule): string {
  const { toPath, statusCode, query, ignoresCase } = rule
  const target = writeAddress(targetOfRule(rule))
  const regex = regexOfRule(rule)
  if (isRewrite(rule)) {
    const flag = statusCode === 301 ? 'permanent' : 'redirect'
    return `rewrite ${quoted(`${ignoresCase ? '(?i)' : ''}${regex}`)} ${quoted(query === 'ignore' ? `${target}?` : target)} ${flag};`
  }
  // `rewrite` supports these two statuses only, so this directive keeps their order.
  const handedOn = toPath.includes('?') ? '$joined' : '$is_args$args'
  return `if ($uri ${ignoresCase ? '~*' : '~'} ${quoted(regex)}) { return ${statusCode} ${quoted(target + (query === 'ignore' ? '' : handedOn))}; }`
}

/** `rewrite` decodes percent-encoded ASCII. A target with such a sequence uses `return`, unless it passes something on. */
function isRewrite(rule: WritableRule): boolean {
  const { statusCode, toPath } = rule
  const isPlain = !/%(?:2[6-9A-F]|[3-6][\dA-F]|7[\dA-E])/i.test(toPath) && !toPath.includes('#')
  return statusCode <= 302 && (isPlain || namedIn(rule).length > 0)
}

function joinsQueries(rule: WritableRule): boolean {
  return !isRewrite(rule) && rule.query !== 'ignore' && rule.toPath.includes('?')
}

function quoted(text: string): string {
  return `"${text.replaceAll(/[\\"]/g, '\\$&')}"`
}

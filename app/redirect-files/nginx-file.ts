import { regexOfRule, unsayable } from './regex-rule.ts'
import { commented, withLeft } from './rule-comment.ts'
import type { WritableRule, WrittenFile } from './rule-line.ts'

/** For inside of a `server` block, as directives that nginx tries in the order of the file. */
export function writeNginx(rules: readonly WritableRule[]): WrittenFile {
  return withLeft('', rules, (rule) => {
    const reason = unsayable(rule) ?? (hasDollar(rule) ? 'its target holds a dollar sign' : undefined)
    return reason ? { reason } : { text: commented(rule, directive(rule)) }
  })
}

/** nginx cannot write a dollar sign that is no variable. */
function hasDollar({ kind, toPath }: WritableRule): boolean {
  return kind === 'pattern' ? /\$(?!\d)/.test(toPath) : toPath.includes('$')
}

function directive(rule: WritableRule): string {
  const { kind, toPath, statusCode, query, ignoresCase } = rule
  const target = kind === 'wildcard' ? toPath.replaceAll('*', '$1') : toPath
  const regex = regexOfRule(rule)
  if (statusCode === 301 || statusCode === 302) {
    const flag = statusCode === 301 ? 'permanent' : 'redirect'
    return `rewrite ${quoted(`${ignoresCase ? '(?i)' : ''}${regex}`)} ${quoted(query === 'ignore' ? `${target}?` : target)} ${flag};`
  }
  // A rewrite knows these two statuses alone; this stands in the same order with them.
  const handedOn = target.includes('?') ? '&$args' : '$is_args$args'
  return `if ($uri ${ignoresCase ? '~*' : '~'} ${quoted(regex)}) { return ${statusCode} ${quoted(target + (query === 'pass' ? handedOn : ''))}; }`
}

function quoted(text: string): string {
  return `"${text.replaceAll(/[\\"]/g, '\\$&')}"`
}

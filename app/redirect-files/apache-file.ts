import { toSubstitution } from './apache-target.ts'
import { regexOfRule, unsayable } from './regex-rule.ts'
import { commented, withLeft } from './rule-comment.ts'
import type { WritableRule, WrittenFile } from './rule-line.ts'

/** As `RewriteRule`s alone: Apache tries these in the order of the file, and other directives at another time. */
export function writeApache(rules: readonly WritableRule[]): WrittenFile {
  return withLeft('RewriteEngine On\n', rules, (rule) => {
    const reason = unsayable(rule)
    if (reason) return { reason }
    const target = toSubstitution(rule.toPath, rule.kind)
    return {
      text: commented(
        rule,
        `RewriteRule ${quoted(regexOfRule(rule).replace(/^\^\/(?![?*+{])/, '^/?'))} ${quoted(target)} [${flagsOf(rule)}]`,
      ),
    }
  })
}

function flagsOf({ statusCode, query, toPath, ignoresCase }: WritableRule): string {
  const joins = query === 'pass' && toPath.includes('?')
  return [`R=${statusCode}`, 'L', 'NE', ignoresCase && 'NC', joins && 'QSA', query === 'ignore' && 'QSD'].filter(Boolean).join(',')
}

function quoted(text: string): string {
  return `"${text.replaceAll(/(\\.)|"/gs, (whole, pair: string | undefined) => pair ?? `\\${whole}`)}"`
}

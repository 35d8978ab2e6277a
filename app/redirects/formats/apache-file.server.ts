import { writeAddress } from '#app/redirects/engine/address.server.ts'
import { namedIn } from '#app/redirects/engine/target.server.ts'
import { toSubstitution } from './apache-target.ts'
import { regexOfRule, targetOfRule, unsupportedReason } from './regex-rule.ts'
import { commented, withLeft } from './rule-comment.ts'
import type { WritableRule, WrittenFile } from './rule-line.ts'

/** Uses `RewriteRule` only: Apache tries those in file order, and runs other directives at another time. */
export function writeApache(rules: readonly WritableRule[]): WrittenFile {
  return withLeft('RewriteEngine On\n', rules, (rule) => {
    const reason = unsupportedReason(rule) ?? encodedTwice(rule)
    if (reason) return { reason }
    return { text: commented(rule, `RewriteRule ${quoted(startOf(regexOfRule(rule)))} ${quoted(targetOf(rule))} [${flagsOf(rule)}]`) }
  })
}

/** In an `.htaccess` file paths have no leading slash. */
function startOf(regex: string): string {
  return regex.replace(/^\^\/(?![?*+{])/, '^/?')
}

/** Without captures the target is written encoded. With captures Apache encodes the whole target, so it is written decoded. */
function targetOf(rule: WritableRule): string {
  const target = targetOfRule(rule)
  return handsOn(rule) ? toSubstitution(decodeURI(target), true) : toSubstitution(writeAddress(target), false)
}

function handsOn(rule: WritableRule): boolean {
  return namedIn(rule).length > 0
}

function encodedTwice(rule: WritableRule): string | undefined {
  if (!handsOn(rule)) return undefined
  const isPlain = URL.canParse(rule.toPath, 'http://localhost') && !/[%#?]/.test(decodedOrNot(rule.toPath))
  return isPlain ? undefined : 'Apache would encode a part of its target twice'
}

function decodedOrNot(text: string): string {
  try {
    return decodeURI(text)
  } catch {
    return '%'
  }
}

function flagsOf(rule: WritableRule): string {
  const { statusCode, query, toPath, ignoresCase } = rule
  const joins = query === 'pass' && toPath.includes('?')
  const flags = [`R=${statusCode}`, 'L', !handsOn(rule) && 'NE', ignoresCase && 'NC', joins && 'QSA', query === 'ignore' && 'QSD']
  return flags.filter(Boolean).join(',')
}

/** `RewriteRule` cannot nest quotation marks, so such a word is unquoted, with its spaces escaped. */
function quoted(text: string): string {
  return text.includes('"') ? text.replaceAll(/(\\.)| /gs, (_whole, pair: string | undefined) => pair ?? '\\ ') : `"${text}"`
}

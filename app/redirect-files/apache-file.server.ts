import { writeAddress } from '#app/redirect-engine/address.server.ts'
import { namedIn } from '#app/redirect-engine/target.server.ts'
import { toSubstitution } from './apache-target.ts'
import { regexOfRule, targetOfRule, unsayable } from './regex-rule.ts'
import { commented, withLeft } from './rule-comment.ts'
import type { WritableRule, WrittenFile } from './rule-line.ts'

/** As `RewriteRule`s alone: Apache tries these in the order of the file, and other directives at another time. */
export function writeApache(rules: readonly WritableRule[]): WrittenFile {
  return withLeft('RewriteEngine On\n', rules, (rule) => {
    const reason = unsayable(rule) ?? encodedTwice(rule)
    if (reason) return { reason }
    return { text: commented(rule, `RewriteRule ${quoted(startOf(regexOfRule(rule)))} ${quoted(targetOf(rule))} [${flagsOf(rule)}]`) }
  })
}

/** In a folder's own file a path has no slash in front. */
function startOf(regex: string): string {
  return regex.replace(/^\^\/(?![?*+{])/, '^/?')
}

/** Without captures the target is written as it is sent. With them Apache encodes the whole target, so it is written decoded. */
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

/** `RewriteRule` knows no quotation mark inside of others, so such a word stands bare, with a backslash before each space. */
function quoted(text: string): string {
  return text.includes('"') ? text.replaceAll(/(\\.)| /gs, (_whole, pair: string | undefined) => pair ?? '\\ ') : `"${text}"`
}

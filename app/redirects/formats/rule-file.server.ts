import { writeAddress } from '#app/redirects/engine/address.server.ts'
import { namedIn } from '#app/redirects/engine/target.server.ts'
import { numberText } from '#app/platform/text/english-number.ts'
import { readApache, toSubstitution } from './apache-rules.ts'
import { readCsv, writeCsvRules } from './csv-rules.server.ts'
import { readJson, writeJson } from './json-rules.ts'
import { writeNginx } from './nginx-file.server.ts'
import { readNginx } from './nginx-rules.ts'
import type { Format, RuleField } from './rule-file.ts'
import { LONGEST_RULE_LINE, refuseLine, type RuleLine, type WritableRule, type WrittenFile } from './rule-line.ts'
import { regexOfRule, targetOfRule, unsupportedReason } from './regex-rule.ts'
import { commented, withLeft } from './rule-comment.ts'

const readers = { json: readJson, apache: readApache, nginx: readNginx }
const writers = { csv: writeCsvRules, json: writeJson, apache: writeApache, nginx: writeNginx }

/** Reads each line of a file, in matching order. `origin` is that of this site: its addresses become paths. `columns` are those of CSV. */
export function readRuleFile(text: string, format: Format, origin: string, columns?: readonly (RuleField | null)[]): RuleLine[] {
  // JSON is often a single line, and parses in linear time.
  const tooLong = format === 'json' ? -1 : text.split('\n').findIndex((line) => line.length > LONGEST_RULE_LINE)
  if (tooLong < 0) return format === 'csv' ? readCsv(text, origin, columns) : readers[format](text, origin)
  return [
    refuseLine(
      { line: tooLong + 1, text: '' },
      `A line can have at most ${numberText(LONGEST_RULE_LINE)} characters; nothing was imported`,
    ),
  ]
}

export function writeRules(rules: readonly WritableRule[], format: Format): WrittenFile {
  return writers[format](rules)
}

/** Uses `RewriteRule` only: Apache tries those in file order, and runs other directives at another time. */
function writeApache(rules: readonly WritableRule[]): WrittenFile {
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
  const joins = query !== 'ignore' && toPath.includes('?')
  const flags = [`R=${statusCode}`, 'L', !handsOn(rule) && 'NE', ignoresCase && 'NC', joins && 'QSA', query === 'ignore' && 'QSD']
  return flags.filter(Boolean).join(',')
}

/** `RewriteRule` cannot nest quotation marks, so such a word is unquoted, with its spaces escaped. */
function quoted(text: string): string {
  return text.includes('"') ? text.replaceAll(/(\\.)| /gs, (_whole, pair: string | undefined) => pair ?? '\\ ') : `"${text}"`
}

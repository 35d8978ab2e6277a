import type { RegexTarget } from './regex-rule.ts'

const PIECE = /\\(.)|\$(\d)|([%$]\{|%\d)|[^\\$%]+|[\\$%]/gs

/** Reads the target of an Apache rule; a backslash escapes the next character. */
export function substitution(given: string): RegexTarget | { refused: string } {
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

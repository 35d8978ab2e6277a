import type { Target } from './regex-rule.ts'

const PIECE = /\\(.)|\$(\d)|([%$]\{|%\d)|[^\\$%]+|[\\$%]/gs

/** Where a rule of Apache leads. A backslash takes its meaning from the sign after it. */
export function substitution(given: string): Target | { refused: string } {
  if (given === '-') return { refused: 'It leads nowhere' }
  const pieces = [...given.matchAll(PIECE)]
  if (pieces.some(([, , , variable]) => variable)) return { refused: 'Variables and maps in a target are not read' }
  return {
    text: pieces.map(([whole, sign]) => sign ?? whole).join(''),
    captures: pieces.flatMap(([, , capture]) => (capture && capture !== '0' ? [capture] : [])),
  }
}

/** The same the other way. With captures, `$1` to `$9` stand for them. */
export function toSubstitution(target: string, hasCaptures: boolean): string {
  return target.replaceAll(hasCaptures ? /[\\%]|\$(?![1-9])/g : /[\\%$]/g, '\\$&')
}

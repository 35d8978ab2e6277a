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

/** The same the other way: `$1` stays only where it stands for what was caught. */
export function toSubstitution(toPath: string, kind: 'exact' | 'wildcard' | 'pattern'): string {
  if (kind === 'pattern') return escaped(toPath, /[\\%]|\$(?!\d)/g)
  const text = escaped(toPath, SIGNS)
  return kind === 'wildcard' ? text.replaceAll('*', '$1') : text
}

const SIGNS = /[\\%$]/g

function escaped(text: string, signs: RegExp): string {
  return text.replaceAll(signs, '\\$&')
}

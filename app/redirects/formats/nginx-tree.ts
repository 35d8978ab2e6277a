/** One directive, with the directives inside of its braces. */
export type Directive = { line: number; name: string; given: string[]; inside?: Directive[] }

export type Tree = { directives: Directive[]; refused?: { line: number; reason: string } }

const TOKEN =
  /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|#[^\n]*|(\n)|([{};])|((?:\\.|\$\{\w+\}|\{\d+(?:,\d*)?\}|[^\s;{}"'\\])(?:\\.|\$\{\w+\}|\{\d+(?:,\d*)?\}|[^\s;{}\\])*)/gs

type Token = { text: string; line: number; sign: boolean }

/** Parses nginx directives: words up to a semicolon or a block in braces. */
export function readTree(text: string): Tree {
  const root: Directive[] = []
  const open: Directive[][] = [root]
  let words: Token[] = []
  const tokens = tokensOf(text)
  for (const { text: word, line, sign } of tokens) {
    const here = open.at(-1) ?? root
    if (!sign) words.push({ text: word, line, sign })
    else if (word === '}') {
      if (words.length > 0 || open.length === 1) return { directives: root, refused: { line, reason: 'Unexpected closing brace' } }
      open.pop()
    } else {
      const [first, ...given] = words
      words = []
      if (!first) continue
      const directive: Directive = { line: first.line, name: first.text, given: given.map(({ text: one }) => one) }
      here.push(directive)
      if (word === '{') open.push((directive.inside = []))
    }
  }
  const [left] = words
  if (left) return { directives: root, refused: { line: left.line, reason: 'A semicolon is missing at its end' } }
  if (open.length > 1) return { directives: root, refused: { line: text.split('\n').length, reason: 'A brace is not closed' } }
  return { directives: root }
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  let line = 1
  for (const [whole, double, single, , sign, bare] of text.matchAll(TOKEN)) {
    const word = sign ?? double ?? single ?? bare
    // A backslash before any other character belongs to the expression.
    if (word !== undefined) tokens.push({ text: word.replaceAll(/\\(["'\\])/g, '$1'), line, sign: sign !== undefined })
    line += whole.split('\n').length - 1
  }
  return tokens
}

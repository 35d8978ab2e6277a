import { parseSync, Visitor } from 'vite'

/** A sentence that the rules for words refuse. */
export type BadSentence = { file: string; line: number; rule: string; text: string }

type Piece = { text: string; at: number; kind: 'comment' | 'string' }

/** Private words, which a person who reads the product for the first time does not know. */
const banned: [rule: string, pattern: RegExp][] = [
  // Letters of the alphabet are fine, and so are names of tables and URLs.
  [
    '"letter" for an email',
    /(?<![\w/'-]|(?:case|encoded|capital|small|two|of) )letters?(?!['\w(/-]|,? (?:and |or )?(?:digits?|spaces))\b/i,
  ],
  ['"anew", "afresh"', /\b(anew|afresh)\b/i],
  ['"no more" as an adverb', /\b(?:works?|counts?|is|are|exists?|shown) no more\b/i],
  ['"for good"', /\bfor good\b/i],
  ['"by itself"', /\bby (itself|themselves)\b/i],
  ['"second step"', /\bsecond steps?\b/i],
  ['"shelf"', /\b(shelf|shelves|shelved)\b/i],
  ['"throw away"', /\bthr(ow|ows|own|ew) away\b/i],
  ['"take back"', /\bt(ake|akes|aken|ook) back\b/i],
  ['"of ours"', /\bof ours\b/i],
  ['"shut out"', /\bshut out\b/i],
  ['"ways to sign in"', /\bways to sign in\b/i],
  ['"stands", "lies"', /\b(stands|lies) (here|there|in|at|on|above|below|beside)\b/i],
  ['"somebody"', /\bsomebody\b/i],
  ['"no answer yet"', /\bnot answered yet\b|\bstill owed\b/i],
  ['"from a person" for a reply', /\ba word from\b/i],
  ['"the line is broken"', /\bline is broken\b/i],
  ['"waits for"', /\bwaits? (here|for (you|someone|a person))\b/i],
  ['"whoever"', /\bwhoever\b/i],
]

/** A sentence with a who or what clause as its subject. A question and a heading without a period are fine. */
const CLAUSE = /(?:^|[.!?:;]\s+)((?:Who|Whoever|What|Whatever)\s[^.?!]*(?:\.\s|\.$|!))/g

/** Strings of tests are titles and fixtures, which no user reads. */
const isTest = (file: string) => /\.(test|e2e)\.tsx?$|^test\//.test(file)

export function checkSource(file: string, text: string): BadSentence[] {
  const pieces = piecesOf(file, text).filter(({ kind }) => kind === 'comment' || !isTest(file))
  return pieces.flatMap((piece) => {
    const line = text.slice(0, piece.at).split('\n').length
    return rulesOf(piece).map((found) => ({ file, line, ...found }))
  })
}

export function checkDocument(file: string, text: string): BadSentence[] {
  return text.split('\n').flatMap((text, at) => rulesOf({ text, at, kind: 'string' }).map((found) => ({ file, line: at + 1, ...found })))
}

function rulesOf({ text, kind }: Piece): { rule: string; text: string }[] {
  const clauses = [...text.matchAll(CLAUSE)].map(([, sentence = '']) => ({ rule: 'who or what clause', text: sentence.trim() }))
  if (kind === 'comment') return clauses
  const words = banned.filter(([, pattern]) => /\s/.test(text) && pattern.test(text)).map(([rule]) => ({ rule, text: text.trim() }))
  return [...clauses, ...words]
}

function piecesOf(file: string, text: string): Piece[] {
  const { program, comments } = parseSync(file, text)
  const pieces: Piece[] = []
  const add = (value: unknown, at: number) => {
    if (typeof value === 'string') pieces.push({ text: value.replaceAll(/\s+/g, ' ').trim(), at, kind: 'string' })
  }
  new Visitor({
    Literal: (node) => add(node.value, node.start),
    TemplateElement: (node) => add(node.value.cooked, node.start),
    JSXText: (node) => add(node.value, node.start),
  }).visit(program)
  for (const comment of joined(text, comments)) {
    pieces.push({
      text: comment.value
        .replaceAll(/\n\s*\*?/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .replace(/^[\s*]+/, '')
        .trim(),
      at: comment.start,
      kind: 'comment',
    })
  }
  return pieces
}

type Comment = { value: string; start: number; end: number }

/** Line comments below each other are one text. */
function joined(text: string, comments: Comment[]): Comment[] {
  const found: Comment[] = []
  for (const comment of comments) {
    const last = found.at(-1)
    if (last && text.slice(last.end, comment.start).trim() === '' && text.startsWith('//', comment.start)) {
      found[found.length - 1] = { value: `${last.value} ${comment.value}`, start: last.start, end: comment.end }
    } else found.push({ value: comment.value, start: comment.start, end: comment.end })
  }
  return found
}

type Takes = (character: string) => boolean

/** A state of the automaton: with `takes` it consumes one matching character; without, it only moves on. */
type Point = { takes?: Takes; next: number[] }

/**
 * Compiles a pattern: `*` is any run without `.` and `/`, `**` any run, `?` one character that is neither,
 * `[abc]` and `[!a-z]` a character set or its inverse, `{a,b}` alternatives. Returns a matcher for whole texts.
 * Its time is linear in the length of text and pattern.
 */
export function readUrlPattern(pattern: string): (text: string) => boolean {
  const points: Point[] = [{ next: [] }]
  const signs = [...pattern.matchAll(/\*\*|\*|\?|\[!?[^\]]+\]|./gsu)].map(([sign]) => sign)
  const start = build(points, partsOf(signs), 0)
  return (text) => fits(points, start, text)
}

/** One sign, or alternatives of which one must match. */
type Part = string | Part[][]

/** Parses one pattern up to the next comma or end of its braces. An unmatched brace is literal. */
function partsOf(signs: string[]): Part[] {
  const parts: Part[] = []
  for (let sign = signs.shift(); sign !== undefined; sign = signs.shift()) {
    parts.push(sign === '{' && closes(signs) ? alternativesOf(signs) : sign)
  }
  return parts
}

function alternativesOf(signs: string[]): Part[][] {
  const alternatives: Part[][] = []
  let depth = 0
  let own: string[] = []
  for (let sign = signs.shift(); sign !== undefined; sign = signs.shift()) {
    if (depth === 0 && (sign === ',' || sign === '}')) {
      alternatives.push(partsOf(own))
      own = []
      if (sign === '}') break
      continue
    }
    depth += Number(sign === '{') - Number(sign === '}')
    own.push(sign)
  }
  return alternatives
}

function closes(signs: readonly string[]): boolean {
  let depth = 1
  for (const sign of signs) {
    depth += Number(sign === '{') - Number(sign === '}')
    if (depth === 0) return true
  }
  return false
}

/** Builds the states from the end backwards. Returns the start state. */
function build(points: Point[], parts: readonly Part[], end: number): number {
  return parts.reduceRight((next, part) => {
    if (typeof part !== 'string') return add(points, { next: part.map((alternative) => build(points, alternative, next)) })
    if (part !== '*' && part !== '**') return add(points, { takes: takerOf(part), next: [next] })
    const run = add(points, { next: [next] })
    points[run]?.next.push(add(points, { takes: part === '**' ? () => true : isNoSeparator, next: [run] }))
    return run
  }, end)
}

function add(points: Point[], point: Point): number {
  return points.push(point) - 1
}

function takerOf(sign: string): Takes {
  if (sign === '?') return isNoSeparator
  if (sign.length > 1 && sign.startsWith('[')) return oneOf(sign.slice(1, -1))
  return (character) => character === sign
}

const isNoSeparator: Takes = (character) => character !== '.' && character !== '/'

function oneOf(set: string): Takes {
  const isNot = set.startsWith('!')
  const ranges = [...set.slice(isNot ? 1 : 0).matchAll(/(.)-(.)|(.)/gsu)].map(([, from, to, one = '']) => [from ?? one, to ?? one] as const)
  return (character) => ranges.some(([from, to]) => from <= character && character <= to) !== isNot
}

/** Tracks all states in parallel, so no pattern causes backtracking. State 0 is the end. */
function fits(points: readonly Point[], start: number, text: string): boolean {
  let reached = withLedOn(points, [start])
  for (const character of text) {
    const next = [...reached].flatMap((at) => (points[at]?.takes?.(character) ? points[at].next : []))
    reached = withLedOn(points, next)
  }
  return reached.has(0)
}

function withLedOn(points: readonly Point[], from: readonly number[]): Set<number> {
  const reached = new Set(from)
  for (const at of reached) {
    const point = points[at]
    if (point && !point.takes) for (const next of point.next) reached.add(next)
  }
  return reached
}

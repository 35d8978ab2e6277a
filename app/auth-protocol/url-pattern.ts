type Takes = (character: string) => boolean

/** A point on the way through a text: with `takes` it uses up one character of that kind; without, it only leads on. */
type Point = { takes?: Takes; next: number[] }

/**
 * Reads a pattern: `*` is any run without `.` and `/`, `**` any run, `?` one character that is neither, `[abc]` and `[!a-z]` one of a set or
 * none of it, `{a,b}` one of several patterns. Answers what tells whether a whole text fits, in time that grows with the length of text and pattern alone.
 */
export function readPattern(pattern: string): (text: string) => boolean {
  const points: Point[] = [{ next: [] }]
  const signs = [...pattern.matchAll(/\*\*|\*|\?|\[!?[^\]]+\]|./gsu)].map(([sign]) => sign)
  const start = build(points, partsOf(signs), 0)
  return (text) => fits(points, start, text)
}

/** One sign, or patterns of which one is to fit. */
type Part = string | Part[][]

/** Takes the signs of one pattern, up to where the braces around it go on or end. A brace without its other half is itself. */
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

/** Lays the way through the parts, from its end backwards. Answers where it begins. */
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

/** Follows all ways at once, so that no pattern makes it try them one after the other. Point 0 is the end. */
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

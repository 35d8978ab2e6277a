/** One place of a pattern: which characters it takes, and whether any number of them. */
type Place = { takes: (character: string) => boolean; many: boolean }

/**
 * Reads a pattern: `*` is any run without `.` and `/`, `**` any run, `?` one character that is neither, `[abc]` and `[!a-z]` one of a set or
 * none of it. Answers what tells whether a whole text fits, in time that grows with the length of text and pattern alone.
 */
export function readPattern(pattern: string): (text: string) => boolean {
  const places = placesOf(pattern)
  return (text) => fits(places, text)
}

function placesOf(pattern: string): Place[] {
  return [...pattern.matchAll(/\*\*|\*|\?|\[!?[^\]]+\]|./gsu)].map(([sign]) => {
    if (sign === '**') return { takes: () => true, many: true }
    if (sign === '*') return { takes: isNoSeparator, many: true }
    if (sign === '?') return { takes: isNoSeparator, many: false }
    if (sign.length > 1 && sign.startsWith('[')) return { takes: oneOf(sign.slice(1, -1)), many: false }
    return { takes: (character) => character === sign, many: false }
  })
}

const isNoSeparator = (character: string) => character !== '.' && character !== '/'

function oneOf(set: string): (character: string) => boolean {
  const isNot = set.startsWith('!')
  const ranges = [...set.slice(isNot ? 1 : 0).matchAll(/(.)-(.)|(.)/gsu)].map(([, from, to, one = '']) => [from ?? one, to ?? one] as const)
  return (character) => ranges.some(([from, to]) => from <= character && character <= to) !== isNot
}

/** Follows all ways at once, so that no pattern makes it try them one after the other. */
function fits(places: readonly Place[], text: string): boolean {
  let reached = withSkipped(places, new Set([0]))
  for (const character of text) {
    const next = new Set<number>()
    for (const at of reached) {
      const place = places[at]
      if (place?.takes(character)) next.add(place.many ? at : at + 1)
    }
    reached = withSkipped(places, next)
  }
  return reached.has(places.length)
}

/** A place for any number takes none as well. */
function withSkipped(places: readonly Place[], reached: Set<number>): Set<number> {
  for (const at of reached) if (places[at]?.many) reached.add(at + 1)
  return reached
}

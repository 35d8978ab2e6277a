/** A seeded random generator. Each part of a dataset has its own seed, so it stays the same when another part changes. */
export type Chance = {
  /** From 0 up to but not including 1. */
  share: () => number
  /** Whole numbers, both ends included. */
  whole: (from: number, to: number) => number
  /** Bell-shaped around a middle. */
  around: (middle: number, spread: number) => number
  one: <Item>(list: readonly Item[]) => Item
  /** True in this share of cases. */
  happens: (share: number) => boolean
}

/** Mulberry32, seeded by an FNV-1a hash. */
export function chanceOf(word: string): Chance {
  let state = hashOf(word)
  const share = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    share,
    whole: (from, to) => from + Math.floor(share() * (to - from + 1)),
    around: (middle, spread) => middle + (share() + share() + share() + share() - 2) * spread,
    one(list) {
      const item = list[Math.floor(share() * list.length)]
      if (item === undefined) throw new Error('There is nothing to choose from.')
      return item
    },
    happens: (most) => share() < most,
  }
}

function hashOf(word: string): number {
  let hash = 0x811c9dc5
  for (const character of word) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return hash
}

/** Chance that comes out the same each time: made of a word, so that each part of a dataset has its own and stays as it is when another one changes. */
export type Chance = {
  /** From 0 up to but not including 1. */
  share: () => number
  /** Whole numbers, both ends included. */
  whole: (from: number, to: number) => number
  /** Around a middle, in the shape of a bell. */
  around: (middle: number, spread: number) => number
  one: <Item>(list: readonly Item[]) => Item
  /** Whether something happens that does so in this share of cases. */
  happens: (share: number) => boolean
}

/** Mulberry32 on an FNV-1a hash of the word. */
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
  for (const letter of word) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  return hash
}

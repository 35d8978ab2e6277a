/** Something of a list whose order is made by hand. */
export type Ordered = { id: string }

/** The same with its place in the whole list, from 1. */
export type Placed<Item extends Ordered> = Item & { place: number }

/** One that goes before another one; null for the end. */
export type Move = { id: string; before: string | null }

/** The list after one has gone before another one, or to the end. Unchanged when either is not there any more. */
export function moved<Item extends Ordered>(list: readonly Item[], { id, before }: Move): Item[] {
  const item = list.find((one) => one.id === id)
  const others = list.filter((one) => one.id !== id)
  const at = before === null ? others.length : others.findIndex((one) => one.id === before)
  return item && at >= 0 ? others.toSpliced(at, 0, item) : [...list]
}

/** Before which other one has to go what is to stand at a place of the whole list, from 1. */
export function beforeAt(list: readonly Ordered[], id: string, place: number): string | null {
  return list.filter((one) => one.id !== id)[place - 1]?.id ?? null
}

/** What a search leaves of a list: each of its words stands in the text; the numbers stay those of the whole list. */
export function search<Item extends Ordered>(list: readonly Item[], words: string | null, textOf: (item: Item) => string): Placed<Item>[] {
  const asked = (words ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  return list
    .map((item, at) => ({ ...item, place: at + 1 }))
    .filter((item) => {
      const text = textOf(item).toLowerCase()
      return asked.every((word) => text.includes(word))
    })
}

/** An item of a manually ordered list. */
export type Ordered = { id: string }

/** An item with its position in the whole list, from 1. */
export type Placed<Item extends Ordered> = Item & { place: number }

/** Moves an item before another one; null for the end. */
export type Move = { id: string; before: string | null }

/** The list after the move. Unchanged when either item no longer exists. */
export function moved<Item extends Ordered>(list: readonly Item[], { id, before }: Move): Item[] {
  const item = list.find((one) => one.id === id)
  const others = list.filter((one) => one.id !== id)
  const at = before === null ? others.length : others.findIndex((one) => one.id === before)
  return item && at >= 0 ? others.toSpliced(at, 0, item) : [...list]
}

/** Returns the item before which an item must move to reach a position of the whole list, from 1. */
export function beforeAt(list: readonly Ordered[], id: string, place: number): string | null {
  return list.filter((one) => one.id !== id)[place - 1]?.id ?? null
}

/** Filters a list: the text must contain every word of the search. The numbers stay those of the whole list. */
export function search<Item extends Ordered>(list: readonly Item[], words: string | null, textOf: (item: Item) => string): Placed<Item>[] {
  const asked = (words ?? '').toLowerCase().split(/\s+/).filter(Boolean)
  return list
    .map((item, at) => ({ ...item, place: at + 1 }))
    .filter((item) => {
      const text = textOf(item).toLowerCase()
      return asked.every((word) => text.includes(word))
    })
}

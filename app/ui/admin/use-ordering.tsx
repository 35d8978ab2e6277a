import { DragHandle, DragItem, DragList } from './drag-list.tsx'
import { useMoveMenu } from './move-menu.tsx'
import type { RowOrder } from './use-order.tsx'

type Neighbor = { id: string } | undefined

/** The state by which a table moves its rows. */
export type Ordering = {
  order: RowOrder
  /** The length of the whole list. */
  count: number
  /** The neighbors of a row in the filtered list, also on other pages. */
  around: (id: string) => { before: Neighbor; after: Neighbor }
  /** Passed on from here, so that tables without an order of their own do not load them. */
  parts: typeof parts
}

const parts = { DragList, DragItem, DragHandle }

type OrderingOptions<Row> = { count: number; /** The filtered list. */ shown: readonly Row[]; nameOf: (row: Row) => string }

/** Moves the rows of a list by dragging, by arrow keys and from their menus. */
export function useOrdering<Row extends { id: string }>(order: RowOrder, { count, shown, nameOf }: OrderingOptions<Row>) {
  const around = (id: string) => {
    const at = shown.findIndex((row) => row.id === id)
    return { before: shown[at - 1], after: shown[at + 1] }
  }
  const ordering: Ordering = { order, count, around, parts }
  return { ordering, moves: useMoveMenu({ order, nameOf, count, around }) }
}

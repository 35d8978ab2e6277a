import { useMoveMenu } from './move-menu.tsx'
import { type Drag, useDrag } from './use-drag.tsx'
import type { RowOrder } from './use-order.tsx'

type Neighbor = { id: string } | undefined

/** The state by which a table moves its rows. */
export type Ordering = {
  order: RowOrder
  drag: Drag
  /** The length of the whole list. */
  count: number
  /** The neighbors of a row in the filtered list, also on other pages. */
  around: (id: string) => { before: Neighbor; after: Neighbor }
}

type OrderingOptions<Row> = { count: number; /** The filtered list. */ shown: readonly Row[]; nameOf: (row: Row) => string }

/** Moves the rows of a list by dragging, by arrow keys and from their menus. */
export function useOrdering<Row extends { id: string }>(order: RowOrder, { count, shown, nameOf }: OrderingOptions<Row>) {
  const drag = useDrag(order.move)
  const around = (id: string) => {
    const at = shown.findIndex((row) => row.id === id)
    return { before: shown[at - 1], after: shown[at + 1] }
  }
  const ordering: Ordering = { order, drag, count, around }
  return { ordering, moves: useMoveMenu({ order, nameOf, count, around }) }
}

import { ArrowDown, ArrowUp, GripVertical } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { cx } from '#app/ui/class-names.ts'
import { MoveDialog } from './move-menu.tsx'
import type { Drag } from './use-drag.tsx'
import type { RowOrder } from './use-order.tsx'

export type OrderedRowProps = {
  row: { id: string; place: number }
  /** Its name in the texts about a move. */
  name: string
  /** Its neighbors, also on other pages. */
  before: { id: string } | undefined
  after: { id: string } | undefined
  /** The length of the whole list. */
  count: number
  order: RowOrder
  drag: Drag
}

/** A row of an ordered list: `children` is its content, `actions` follow the buttons that move it. */
export function OrderedRow({ children, actions, ...rest }: OrderedRowProps & { children: React.ReactNode; actions: React.ReactNode }) {
  const { row, name, count, order, drag } = rest
  const { id, place } = row
  const isOver = drag.over?.id === id && drag.dragged !== id
  return (
    <li
      value={place}
      data-row={id}
      data-next={order.after(id)}
      className={cx(
        'grid grid-cols-[auto_1fr] gap-x-3 gap-y-3 border-b border-line p-4 last:border-b-0 lg:grid-cols-[auto_1fr_auto]',
        drag.dragged === id && 'opacity-50',
        isOver && (drag.over?.isAfter ? 'shadow-[inset_0_-3px_0_var(--color-grain)]' : 'shadow-[inset_0_3px_0_var(--color-grain)]'),
      )}
    >
      <div className="flex flex-col items-center gap-1">
        <span className="font-mono text-fine text-muted tabular-nums">{place}</span>
        {count > 1 && (
          <span
            {...drag.handle(id)}
            aria-hidden="true"
            title="Drag to another place"
            data-handle={name}
            className="grid size-9 cursor-grab touch-none place-items-center rounded-control text-muted select-none hover:bg-sunken hover:text-ink active:cursor-grabbing pointer-coarse:size-11"
          >
            <GripVertical className="size-5" />
          </span>
        )}
      </div>
      {children}
      <div className="col-span-full flex flex-wrap items-start gap-1 max-sm:[&>:is(a,button)]:px-2 sm:gap-2 lg:col-span-1 lg:justify-end">
        <Moves {...rest} />
        {actions}
      </div>
    </li>
  )
}

function Moves({ row: { id, place }, name, before, after, count, order }: OrderedRowProps) {
  const [asking, setAsking] = useState(false)
  if (count < 2) return null
  return (
    <>
      <Button
        type="button"
        look="quiet"
        size="small"
        aria-label={`Move up ${name}`}
        {...(!before && { unavailable: 'It is the first one here.' })}
        onClick={() => before && order.move({ id, before: before.id })}
      >
        <ArrowUp aria-hidden="true" className="size-4" />
      </Button>
      <Button
        type="button"
        look="quiet"
        size="small"
        aria-label={`Move down ${name}`}
        {...(!after && { unavailable: 'It is the last one here.' })}
        onClick={() => after && order.move({ id, before: order.after(after.id) ?? null })}
      >
        <ArrowDown aria-hidden="true" className="size-4" />
      </Button>
      <Button type="button" look="quiet" size="small" aria-label={`Move to… ${name}`} onClick={() => setAsking(true)}>
        Move to…
      </Button>
      {asking && (
        <MoveDialog
          name={name}
          place={place}
          count={count}
          meaning={order.meaning}
          move={(to) => order.moveTo(id, to)}
          close={() => setAsking(false)}
        />
      )}
    </>
  )
}

import { ArrowDown, ArrowUp, ExternalLink, GripVertical } from 'lucide-react'
import { useState } from 'react'
import type { Redirect } from '#app/redirects/redirect.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { cx } from '#app/ui/class-names.ts'
import { formatDay } from '#app/ui/moment.ts'
import { DeleteRedirect } from './delete-redirect.tsx'
import { MoveDialog } from './move-dialog.tsx'
import { isExternal, type Placed } from './redirect-view.ts'
import type { Drag } from './use-drag.tsx'
import type { Order } from './use-order.tsx'

type RowProps = {
  redirect: Placed
  /** The redirects that are shown before and after it, on other pages as well. */
  before: Placed | undefined
  after: Placed | undefined
  count: number
  order: Order
  drag: Drag
  edit: (redirect: Redirect) => void
}

export function RedirectRow({ redirect, before, after, count, order, drag, edit }: RowProps) {
  const { id, place, fromPath } = redirect
  const isOver = drag.over?.id === id && drag.dragged !== id
  return (
    <li
      value={place}
      data-redirect={id}
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
            data-handle={fromPath}
            className="grid size-9 cursor-grab touch-none place-items-center rounded-control text-muted select-none hover:bg-sunken hover:text-ink active:cursor-grabbing pointer-coarse:size-11"
          >
            <GripVertical className="size-5" />
          </span>
        )}
      </div>
      <About redirect={redirect} />
      <div className="col-span-full flex flex-wrap items-start gap-1 max-sm:[&>button]:px-2 sm:gap-2 lg:col-span-1 lg:justify-end">
        <Moves redirect={redirect} before={before} after={after} count={count} order={order} />
        <Button type="button" look="quiet" size="small" aria-label={`Edit ${fromPath}`} onClick={() => edit(redirect)}>
          Edit
        </Button>
        <DeleteRedirect redirect={redirect} />
      </div>
    </li>
  )
}

function About({ redirect }: { redirect: Placed }) {
  const { fromPath, toPath, statusCode, isActive, description, kind, createdAt } = redirect
  return (
    <div className="grid min-w-0 content-start gap-2">
      <p className="flex flex-wrap items-baseline gap-x-2.5 gap-y-1 font-mono text-small">
        <span className="min-w-0 font-semibold wrap-anywhere">{fromPath}</span>
        <span aria-hidden="true" className="text-muted">
          →
        </span>
        <span className="sr-only">leads to</span>
        <span className="min-w-0 wrap-anywhere">
          {toPath}
          {isExternal(toPath) && (
            <ExternalLink role="img" aria-label="Another site" className="ml-1.5 inline size-3.5 align-baseline text-muted" />
          )}
        </span>
      </p>
      {description && <p className="text-small text-muted wrap-anywhere">{description}</p>}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <span className="flex flex-wrap gap-1.5">
          <Badge look={isActive ? 'leaf' : 'plain'} dot={isActive}>
            {isActive ? 'Active' : 'Inactive'}
          </Badge>
          <Badge>{statusCode}</Badge>
          {kind !== 'exact' && <Badge>{kind === 'wildcard' ? 'Wildcard' : 'Pattern'}</Badge>}
        </span>
        <span className="flex flex-wrap gap-x-3 font-mono text-fine text-muted">
          <span>
            Created <time dateTime={createdAt}>{formatDay(createdAt)}</time>
          </span>
          <Hits redirect={redirect} />
        </span>
      </div>
    </div>
  )
}

function Hits({ redirect: { hits, lastHitAt } }: { redirect: Redirect }) {
  if (!lastHitAt) return <span>Never hit</span>
  return (
    <span>
      {hits === 1 ? '1 hit' : `${hits.toLocaleString('en')} hits`}, last <time dateTime={lastHitAt}>{formatDay(lastHitAt)}</time>
    </span>
  )
}

function Moves({ redirect: { id, place, fromPath }, before, after, count, order }: Omit<RowProps, 'drag' | 'edit'>) {
  const [asking, setAsking] = useState(false)
  if (count < 2) return null
  return (
    <>
      <Button
        type="button"
        look="quiet"
        size="small"
        aria-label={`Move up ${fromPath}`}
        {...(!before && { unavailable: 'It is the first one here.' })}
        onClick={() => before && order.move({ id, before: before.id })}
      >
        <ArrowUp aria-hidden="true" className="size-4" />
      </Button>
      <Button
        type="button"
        look="quiet"
        size="small"
        aria-label={`Move down ${fromPath}`}
        {...(!after && { unavailable: 'It is the last one here.' })}
        onClick={() => after && order.move({ id, before: order.after(after.id) ?? null })}
      >
        <ArrowDown aria-hidden="true" className="size-4" />
      </Button>
      <Button type="button" look="quiet" size="small" aria-label={`Move to… ${fromPath}`} onClick={() => setAsking(true)}>
        Move to…
      </Button>
      {asking && (
        <MoveDialog name={fromPath} place={place} count={count} move={(to) => order.moveTo(id, to)} close={() => setAsking(false)} />
      )}
    </>
  )
}

import { Link, useLocation } from 'react-router'
import { z } from 'zod/mini'
import { useView } from '#app/ui/admin/use-view.tsx'
import { withChanges } from '#app/ui/admin/view.ts'
import { countInWords } from './words.ts'
import { buttonLook } from '#app/ui/button-look.ts'
import { ROW_PAGE_SIZES } from './row-view.ts'

/** The cursors of the previous pages; the first page has none. */
const trailState = z.object({ trail: z.array(z.string()) })

type RowPagerProps = { shown: number; nextCursor: string | null }

/** A cursor only leads forward, so previous cursors are in the browser's history state. Without them, Back leads to the first page. */
export function RowPager({ shown, nextCursor }: RowPagerProps) {
  const { params } = useView()
  const { state } = useLocation()
  const cursor = params.get('cursor')
  if (!cursor && !nextCursor) return null
  const read = trailState.safeParse(state)
  const trail = cursor && read.success ? read.data.trail : undefined
  const to = (next: string | undefined) => withChanges(params, { cursor: next })
  const begin = cursor ? (trail ? trail.length * ROW_PAGE_SIZES : undefined) : 0
  return (
    <nav aria-label="Pages of rows" className="flex flex-wrap items-center justify-between gap-3">
      <p className="font-mono text-fine text-muted">
        {begin === undefined ? `${shown} rows` : `Rows ${countInWords(begin + 1)} to ${countInWords(begin + shown)}`}
      </p>
      <div className="flex gap-2">
        {cursor && (
          <Link
            to={to(trail?.at(-1))}
            state={{ trail: trail?.slice(0, -1) ?? [] }}
            rel="prev"
            preventScrollReset
            className={buttonLook('quiet', 'small')}
          >
            {trail ? 'Previous rows' : 'First rows'}
          </Link>
        )}
        {nextCursor && (
          <Link
            to={to(nextCursor)}
            state={{ trail: cursor ? trail && [...trail, cursor] : [''] }}
            rel="next"
            preventScrollReset
            className={buttonLook('quiet', 'small')}
          >
            Next rows
          </Link>
        )}
      </div>
    </nav>
  )
}

import { Link, useLocation } from 'react-router'
import { z } from 'zod/mini'
import { useView } from '#app/admin-view/use-view.tsx'
import { withChanges } from '#app/admin-view/view.ts'
import { countInWords } from '#app/dataset-view/words.ts'
import { buttonLook } from '#app/ui/button-look.ts'
import { ROWS } from './row-view.ts'

/** The pages that lie before this one, by their cursors; the first one has none. */
const trailState = z.object({ trail: z.array(z.string()) })

type RowPagerProps = { shown: number; nextCursor: string | null }

/** A cursor knows only what comes after it, so the way back is remembered in the history of the browser; without it, it leads to the first rows. */
export function RowPager({ shown, nextCursor }: RowPagerProps) {
  const { params } = useView()
  const { state } = useLocation()
  const cursor = params.get('cursor')
  if (!cursor && !nextCursor) return null
  const read = trailState.safeParse(state)
  const trail = cursor && read.success ? read.data.trail : undefined
  const to = (next: string | undefined) => withChanges(params, { cursor: next })
  const begin = cursor ? (trail ? trail.length * ROWS : undefined) : 0
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

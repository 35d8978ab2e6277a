import { Link, useSearchParams } from 'react-router'
import { buttonLook } from '#app/ui/button-look.ts'
import { countOf, formatCount } from './format.ts'
import type { Page } from '#app/sales/lead-query.ts'
import { withChanges } from '#app/admin-view/view.ts'

/** Below a list: how much there is, and the way to what comes before and after. */
export function Pager({ page }: { page: Page<unknown> }) {
  const { total, isTotalExact, previousCursor, nextCursor } = page
  return (
    <nav aria-label="Pages" className="flex flex-wrap items-center justify-between gap-3">
      <p role="status" className="font-mono text-fine text-muted">
        {isTotalExact ? countOf(total, 'row', 'rows') : `about ${formatCount(total)} rows`}
      </p>
      {(previousCursor ?? nextCursor) && (
        <div className="flex gap-2">
          <Turn cursor={previousCursor} rel="prev">
            Previous
          </Turn>
          <Turn cursor={nextCursor} rel="next">
            Next
          </Turn>
        </div>
      )}
    </nav>
  )
}

function Turn({ cursor, rel, children }: { cursor: string | null; rel: 'prev' | 'next'; children: string }) {
  const [params] = useSearchParams()
  if (!cursor) {
    return (
      <span aria-disabled="true" className={buttonLook('inert', 'small')}>
        {children}
      </span>
    )
  }
  return (
    <Link to={withChanges(params, { cursor })} rel={rel} preventScrollReset className={buttonLook('quiet', 'small')}>
      {children}
    </Link>
  )
}

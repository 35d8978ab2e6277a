import { Link, useSearchParams } from 'react-router'
import { buttonLook } from '#app/ui/button-look.ts'
import { leadCountText, formatCount } from '#app/leads/lead/format.ts'
import type { LeadPage } from './lead-query.ts'
import { withChanges } from '#app/ui/admin/view.ts'

/** The total below a list, with links to the previous and next page. */
export function Pager({ page }: { page: LeadPage<unknown> }) {
  const { total, isTotalExact, previousCursor, nextCursor } = page
  return (
    <nav aria-label="Pages" className="flex flex-wrap items-center justify-between gap-3">
      <p role="status" className="font-mono text-fine text-muted">
        {isTotalExact ? leadCountText(total, 'row', 'rows') : `about ${formatCount(total)} rows`}
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

import { Link } from 'react-router'
import { numberText } from '#app/platform/english-number.ts'
import { buttonLook } from '#app/ui/button-look.ts'
import { useView } from './use-view.tsx'
import { withChanges } from './view.ts'

type PagerProps = { one: string; many: string; count: number; total: number; page: number; pages: number }

/** Below a list of numbered pages: how many rows it has, and the pages beside this one. The number is `cursor` in the address. */
export function ListPager({ one, many, count, total, page, pages }: PagerProps) {
  const { params } = useView()
  const to = (other: number) => withChanges(params, { cursor: other === 1 ? undefined : String(other) })
  const all = total === 1 ? `1 ${one}` : `${numberText(total)} ${many}`
  return (
    <nav aria-label="Pages" className="flex flex-wrap items-center justify-between gap-3">
      <p role="status" className="font-mono text-fine text-muted">
        {count === total ? all : `${numberText(count)} of ${all}`}
        {pages > 1 && `, page ${page} of ${pages}`}
      </p>
      <div className="flex gap-2">
        {page > 1 && (
          <Link to={to(page - 1)} rel="prev" preventScrollReset className={buttonLook('quiet', 'small')}>
            Previous
          </Link>
        )}
        {page < pages && (
          <Link to={to(page + 1)} rel="next" preventScrollReset className={buttonLook('quiet', 'small')}>
            Next
          </Link>
        )}
      </div>
    </nav>
  )
}

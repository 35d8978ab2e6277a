import { Link } from 'react-router'
import { useView } from '#app/ui/admin/use-view.tsx'
import { withChanges } from '#app/ui/admin/view.ts'
import { buttonLook } from '#app/ui/button-look.ts'

type PagerProps = { one: string; many: string; count: number; total: number; page: number; pages: number }

export function ListPager({ one, many, count, total, page, pages }: PagerProps) {
  const { params } = useView()
  const to = (other: number) => withChanges(params, { cursor: other === 1 ? undefined : String(other) })
  const all = total === 1 ? `1 ${one}` : `${total.toLocaleString('en')} ${many}`
  return (
    <nav aria-label="Pages" className="flex flex-wrap items-center justify-between gap-3">
      <p role="status" className="font-mono text-fine text-muted">
        {count === total ? all : `${count.toLocaleString('en')} of ${all}`}
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

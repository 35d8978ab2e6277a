import { Link } from 'react-router'
import { useView } from '#app/ui/admin/use-view.tsx'
import { withChanges } from '#app/ui/admin/view.ts'
import { buttonLook } from '#app/ui/button-look.ts'

export function PostPager({ total, pages }: { total: number; pages: number }) {
  const { params } = useView()
  const page = Number(params.get('page') ?? 1)
  return (
    <nav aria-label="Pages" className="flex flex-wrap items-center justify-between gap-3">
      <p role="status" className="font-mono text-fine text-muted">
        {total === 1 ? '1 post' : `${total.toLocaleString('en')} posts`}
        {pages > 1 && `, page ${page} of ${pages}`}
      </p>
      <div className="flex gap-2">
        {page > 1 && (
          <Link
            to={withChanges(params, { page: page === 2 ? undefined : String(page - 1) })}
            rel="prev"
            className={buttonLook('quiet', 'small')}
          >
            Newer
          </Link>
        )}
        {page < pages && (
          <Link to={withChanges(params, { page: String(page + 1) })} rel="next" className={buttonLook('quiet', 'small')}>
            Older
          </Link>
        )}
      </div>
    </nav>
  )
}

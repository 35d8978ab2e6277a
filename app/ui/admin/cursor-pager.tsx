import { Link } from 'react-router'
import { buttonLook } from '#app/ui/button-look.ts'
import { useView } from './use-view.tsx'
import { withChanges } from './view.ts'

/** The links below a list: older entries, and back to the newest. */
export function CursorPager({ nextCursor }: { nextCursor: string | null }) {
  const { params } = useView()
  const isFirst = !params.has('cursor')
  if (isFirst && !nextCursor) return null
  return (
    <nav aria-label="Pages" className="flex justify-end gap-2">
      {!isFirst && (
        <Link to={withChanges(params, { cursor: undefined })} preventScrollReset className={buttonLook('quiet', 'small')}>
          Newest
        </Link>
      )}
      {nextCursor && (
        <Link to={withChanges(params, { cursor: nextCursor })} rel="next" preventScrollReset className={buttonLook('quiet', 'small')}>
          Older
        </Link>
      )}
    </nav>
  )
}

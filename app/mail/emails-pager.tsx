import { Link, useSearchParams } from 'react-router'
import { buttonLook } from '#app/ui/button-look.ts'
import type { EmailState } from './emails.ts'

/** Links to older emails and back to the newest. `last` is the last email of a page that has a next one. */
export function EmailsPager({ state, last }: { state: EmailState; last: string | undefined }) {
  const [params] = useSearchParams()
  const isFirst = !params.has('before')
  if (isFirst && !last) return null
  return (
    <nav aria-label="Pages" className="mt-3 flex justify-end gap-2">
      {!isFirst && (
        <Link to={`?state=${state}`} preventScrollReset className={buttonLook('quiet', 'small')}>
          Newest
        </Link>
      )}
      {last && (
        <Link
          to={`?${new URLSearchParams({ state, before: last })}`}
          rel="next"
          preventScrollReset
          className={buttonLook('quiet', 'small')}
        >
          Older
        </Link>
      )}
    </nav>
  )
}

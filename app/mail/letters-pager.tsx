import { Link, useSearchParams } from 'react-router'
import { buttonLook } from '#app/ui/button-look.ts'
import type { LetterState } from './letters.ts'

/** Below a list of letters: the way to older ones, and back to the newest. `last` is the last letter of a page that is not the last. */
export function LettersPager({ state, last }: { state: LetterState; last: string | undefined }) {
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

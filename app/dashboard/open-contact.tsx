import { Link, useSearchParams } from 'react-router'
import { withChanges } from '#app/admin-view/view.ts'

/** Opens the whole enquiry over the list. It fills its row, so a press anywhere on it does. */
export function OpenContact({ id, children }: { id: string; children: React.ReactNode }) {
  const [params] = useSearchParams()
  return (
    <Link to={withChanges(params, { contact: id })} preventScrollReset className="after:absolute after:inset-0">
      {children}
    </Link>
  )
}

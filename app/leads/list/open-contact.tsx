import { Link, useSearchParams } from 'react-router'
import { withChanges } from '#app/ui/admin/view.ts'

/** Opens the whole enquiry over the list. It fills its row, so a click anywhere in the row opens it. */
export function OpenContact({ id, children }: { id: string; children: React.ReactNode }) {
  const [params] = useSearchParams()
  return (
    <Link to={withChanges(params, { contact: id })} preventScrollReset className="after:absolute after:inset-0">
      {children}
    </Link>
  )
}

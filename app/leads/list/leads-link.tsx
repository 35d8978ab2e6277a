import { Link } from 'react-router'

/** Above the title of a page that belongs to the leads. */
export function LeadsLink() {
  return (
    <Link to="/leads" className="hover:text-ink">
      Leads
    </Link>
  )
}

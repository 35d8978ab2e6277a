import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { leadCountText } from '#app/leads/lead/format.ts'
import { buttonLook } from '#app/ui/button-look.ts'
import { summaryQuery } from './summary-query.ts'
import { QUARANTINE } from './lead-view.ts'

/** Says how many enquiries are in quarantine, where a list of enquiries is empty. */
export function InQuarantine({ count }: { count: number }) {
  return (
    <p>
      {leadCountText(count, 'enquiry waits', 'enquiries wait')} in{' '}
      <Link to={QUARANTINE} preventScrollReset className="link font-semibold">
        Quarantine
      </Link>
      .
    </p>
  )
}

/** In place of a list that has no leads yet. */
export function NoLeads() {
  const quarantined = useQuery(summaryQuery).data?.quarantined ?? 0
  return (
    <>
      {quarantined > 0 && <InQuarantine count={quarantined} />}
      <p>Enquiries from the site appear here immediately. You can import the leads of another CRM.</p>
    </>
  )
}

export function FirstLeads() {
  return (
    <span className="flex flex-wrap justify-center gap-2">
      <Link to="?new=lead" className={buttonLook('primary')}>
        New lead
      </Link>
      <Link to="/leads/import" className={buttonLook('quiet')}>
        Import leads
      </Link>
    </span>
  )
}

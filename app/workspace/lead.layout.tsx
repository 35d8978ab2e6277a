import { Link, Outlet } from 'react-router'
import type { Handle } from '#app/access.server.ts'
import { ScheduleCall } from '#app/booking/schedule/schedule-call.tsx'
import { MoreLeadActions } from '#app/leads/record/more-actions.tsx'
import type { LeadDetail } from '#app/leads/record/timeline.ts'
import { buttonLook } from '#app/ui/button-look.ts'

export const handle = { access: 'leads.read' } satisfies Handle

const moreActions = (lead: LeadDetail) => (
  <>
    <ScheduleCall lead={lead} />
    <Link to={`/leads/${lead.reference}/proposal`} className={buttonLook('quiet')}>
      Proposal
    </Link>
  </>
)

/** The page of a lead with what other nouns do for leads. */
export default function LeadLayout() {
  return (
    <MoreLeadActions value={moreActions}>
      <Outlet />
    </MoreLeadActions>
  )
}

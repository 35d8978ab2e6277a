import { Outlet } from 'react-router'
import type { Handle } from '#app/access.server.ts'
import { ScheduleCall } from '#app/booking/schedule/schedule-call.tsx'
import { MoreLeadActions } from '#app/leads/record/more-actions.tsx'
import type { LeadDetail } from '#app/leads/record/timeline.ts'

export const handle = { access: 'leads.read' } satisfies Handle

const moreActions = (lead: LeadDetail) => <ScheduleCall lead={lead} />

/** The page of a lead with what other nouns do for leads. */
export default function LeadLayout() {
  return (
    <MoreLeadActions value={moreActions}>
      <Outlet />
    </MoreLeadActions>
  )
}

import { leadCountText } from '#app/leads/lead/format.ts'
import { QUARANTINE } from '#app/leads/list/lead-view.ts'
import { Badge } from '#app/ui/badge.tsx'
import { PanelFrame, PanelLink, PanelLinks } from './panel-frame.tsx'
import type { StaffHome } from './workspace.ts'

type Open = { count: number; text: [one: string, more: string]; to: string; deed: string; look: 'grain' | 'alarm' }

/** The items that need a decision. */
export function UnsettledPanel({ home }: { home: StaffHome }) {
  const open = openItems(home).filter(({ count }) => count > 0)
  return (
    <PanelFrame title="Needs attention">
      {open.length === 0 ? (
        <p className="text-small text-muted">All clear. No spam to review, no failed emails, no open requests.</p>
      ) : (
        <PanelLinks>
          {open.map(({ count, text: [one, more], to, deed, look }) => (
            <PanelLink key={to + one} to={to}>
              {leadCountText(count, one, more)} <Badge look={look}>{deed}</Badge>
            </PanelLink>
          ))}
        </PanelLinks>
      )}
    </PanelFrame>
  )
}

function openItems({ quarantined, failedLetters, accessRequests, datasetRequests, paymentTasks, failedImports }: StaffHome): Open[] {
  return [
    {
      count: accessRequests,
      text: ['request for staff access', 'requests for staff access'],
      to: '/admin/users?tab=requests',
      deed: 'Decide',
      look: 'grain',
    },
    { count: datasetRequests, text: ['dataset request', 'dataset requests'], to: '/admin/products', deed: 'Decide', look: 'grain' },
    {
      count: paymentTasks,
      text: ['decision about payments', 'decisions about payments'],
      to: '/admin/billing?tab=tasks',
      deed: 'Decide',
      look: 'grain',
    },
    {
      count: quarantined,
      text: ['enquiry in quarantine', 'enquiries in quarantine'],
      to: QUARANTINE,
      deed: 'Release or leave',
      look: 'grain',
    },
    {
      count: failedLetters,
      text: ['email could not be sent', 'emails could not be sent'],
      to: '/dashboard/letters',
      deed: 'Send again',
      look: 'alarm',
    },
    {
      count: failedImports,
      text: ['dataset version could not be imported', 'dataset versions could not be imported'],
      to: '/admin/products',
      deed: 'Review',
      look: 'alarm',
    },
  ]
}

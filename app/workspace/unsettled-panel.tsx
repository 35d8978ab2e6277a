import { leadCountText } from '#app/leads/dashboard/format.ts'
import { Badge } from '#app/ui/badge.tsx'
import { PanelFrame, PanelLink, PanelLinks } from './panel-frame.tsx'
import type { StaffHome } from './workspace.ts'

/** The items that need a decision. */
export function UnsettledPanel({ home: { quarantined, failedLetters: failedEmails } }: { home: StaffHome }) {
  return (
    <PanelFrame title="Needs attention">
      {quarantined + failedEmails === 0 ? (
        <p className="text-small text-muted">All clear. No spam to review, no failed emails.</p>
      ) : (
        <PanelLinks>
          {quarantined > 0 && (
            <PanelLink to="/dashboard?tab=quarantine">
              {leadCountText(quarantined, 'enquiry', 'enquiries')} in quarantine <Badge look="grain">Release or leave</Badge>
            </PanelLink>
          )}
          {failedEmails > 0 && (
            <PanelLink to="/dashboard/letters">
              {leadCountText(failedEmails, 'email', 'emails')} could not be sent <Badge look="alarm">Send again</Badge>
            </PanelLink>
          )}
        </PanelLinks>
      )}
    </PanelFrame>
  )
}

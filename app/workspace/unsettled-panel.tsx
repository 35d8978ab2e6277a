import { countOf } from '#app/dashboard/format.ts'
import { Badge } from '#app/ui/badge.tsx'
import { PanelFrame, PanelLink, PanelLinks } from './panel-frame.tsx'
import type { StaffHome } from './workspace.ts'

/** What a person has to decide before it goes on. */
export function UnsettledPanel({ home: { quarantined, failedLetters } }: { home: StaffHome }) {
  return (
    <PanelFrame title="For you to decide">
      {quarantined + failedLetters === 0 ? (
        <p className="text-small text-muted">Nothing is in quarantine, and no email has failed.</p>
      ) : (
        <PanelLinks>
          {quarantined > 0 && (
            <PanelLink to="/dashboard?tab=quarantine">
              {countOf(quarantined, 'enquiry', 'enquiries')} in quarantine <Badge look="grain">Release or leave</Badge>
            </PanelLink>
          )}
          {failedLetters > 0 && (
            <PanelLink to="/dashboard/letters">
              {countOf(failedLetters, 'email', 'emails')} could not be sent <Badge look="alarm">Send again</Badge>
            </PanelLink>
          )}
        </PanelLinks>
      )}
    </PanelFrame>
  )
}

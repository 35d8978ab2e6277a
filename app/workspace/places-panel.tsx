import { publicSite, workspaceAreas } from '#app/content/navigation.ts'
import { PanelFrame, PanelLink, PanelLinks } from './panel-frame.tsx'

type Place = { to: string; label: string; about: string }

const publicPages = { to: publicSite.to, label: 'Public site', about: 'As visitors see it' }

const forStaff: Place[] = [
  ...workspaceAreas,
  { to: '/admin/calendar', label: 'Calendar', about: 'Booked calls and your hours' },
  { to: '/dashboard?tab=consultations', label: 'Consultations', about: 'Agreed calls' },
  { to: '/dashboard/letters', label: 'Emails', about: 'Sent, waiting, failed' },
  publicPages,
]

/** Links to every staff area. */
export const StaffPlacesPanel = () => <Places places={forStaff} />

function Places({ places }: { places: Place[] }) {
  return (
    <PanelFrame title="Go to">
      <PanelLinks>
        {places.map(({ to, label, about }) => (
          <PanelLink key={to} to={to}>
            <span className="font-semibold">{label}</span>
            <span className="text-fine text-muted">{about}</span>
          </PanelLink>
        ))}
      </PanelLinks>
    </PanelFrame>
  )
}

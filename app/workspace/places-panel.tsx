import { publicSite } from '#app/content/navigation.ts'
import { PanelFrame, PanelLink, PanelLinks } from './panel-frame.tsx'

type Place = { to: string; name: string; says: string }

const marketplace = { to: '/data-marketplace', name: 'Data Marketplace', says: 'Datasets and APIs' }
const publicPages = { to: publicSite.to, name: 'Public site', says: 'As visitors see it' }

const forStaff: Place[] = [
  { to: '/dashboard', name: 'Sales dashboard', says: 'Trend, lists, export' },
  { to: '/dashboard?tab=consultations', name: 'Consultations', says: 'Calls that were agreed' },
  { to: '/dashboard/letters', name: 'Emails', says: 'Sent, waiting, failed' },
  marketplace,
  { to: '/admin/blog', name: 'Manage Blog', says: 'Posts and drafts' },
  { to: '/admin/redirects', name: 'Manage Redirects', says: 'Old addresses to new ones' },
  { to: '/admin/products', name: 'Manage Products', says: 'Create, price and publish datasets' },
  publicPages,
]

const forCustomers: Place[] = [
  { to: '/dashboard', name: 'Dashboard', says: 'All that you sent us' },
  marketplace,
  { to: '/services', name: 'Services', says: 'What we build, and prices' },
  publicPages,
]

/** Links to every staff area. */
export const StaffPlacesPanel = () => <Places places={forStaff} />
export const CustomerPlacesPanel = () => <Places places={forCustomers} />

function Places({ places }: { places: Place[] }) {
  return (
    <PanelFrame title="Go to">
      <PanelLinks>
        {places.map(({ to, name, says }) => (
          <PanelLink key={to} to={to}>
            <span className="font-semibold">{name}</span>
            <span className="text-fine text-muted">{says}</span>
          </PanelLink>
        ))}
      </PanelLinks>
    </PanelFrame>
  )
}

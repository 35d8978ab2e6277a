import type { Handle } from '#app/access.server.ts'
import { href, Outlet, useLocation } from 'react-router'
import { Page } from '#app/ui/page.tsx'
import { SectionNav } from '#app/ui/section-nav.tsx'

const places = [
  { to: href('/account'), label: 'Profile' },
  { to: href('/account/security'), label: 'Security' },
  { to: href('/account/devices'), label: 'Devices' },
  { to: href('/account/notifications'), label: 'Notifications' },
  { to: href('/account/organization'), label: 'Organization' },
  { to: href('/account/billing'), label: 'Billing' },
  { to: href('/account/keys'), label: 'API keys' },
  { to: href('/account/data'), label: 'Your data' },
]

export const handle = { access: 'workspace.enter' } satisfies Handle

/** The layout of a person's account pages: a row of links on a small screen, a column on a wide one. */
export default function AccountLayout() {
  const { pathname } = useLocation()
  return (
    <Page kind="work" title="Account">
      <div className="grid grid-cols-1 items-start gap-x-8 gap-y-4 lg:grid-cols-[13rem_minmax(0,46rem)]">
        <SectionNav label="Account" places={places.map((place) => ({ ...place, isCurrent: place.to === pathname }))} />
        <Outlet />
      </div>
    </Page>
  )
}

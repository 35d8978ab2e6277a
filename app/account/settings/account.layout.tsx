import { href, NavLink, Outlet } from 'react-router'
import { Page } from '#app/ui/page.tsx'

const places = [
  { to: href('/account'), label: 'Profile' },
  { to: href('/account/security'), label: 'Security' },
  { to: href('/account/devices'), label: 'Devices' },
  { to: href('/account/notifications'), label: 'Notifications' },
  { to: href('/account/keys'), label: 'API keys' },
  { to: href('/account/data'), label: 'Your data' },
]

/** The layout of a person's account pages: a row of links on a small screen, a column on a wide one. */
export default function AccountLayout() {
  return (
    <Page kind="work" title="Account">
      <div className="grid grid-cols-1 items-start gap-x-10 gap-y-6 lg:grid-cols-[12rem_minmax(0,44rem)]">
        <nav
          aria-label="Account"
          className="flex gap-x-5 overflow-x-auto whitespace-nowrap shadow-[inset_0_-1px_0_var(--color-line)] [scrollbar-width:none] lg:sticky lg:top-24 lg:grid lg:gap-0 lg:overflow-visible lg:shadow-none"
        >
          {places.map(({ to, label }) => (
            <NavLink
              key={to}
              to={to}
              end
              className="inline-flex min-h-11 items-center border-b-2 border-transparent text-small font-semibold text-muted transition-colors hover:text-ink aria-[current=page]:border-grain aria-[current=page]:text-ink lg:border-b-0 lg:border-l-2 lg:border-line lg:pl-4"
            >
              {label}
            </NavLink>
          ))}
        </nav>
        <Outlet />
      </div>
    </Page>
  )
}

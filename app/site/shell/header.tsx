import { Link, NavLink, useMatches } from 'react-router'
import { useRef } from 'react'
import { labelOf } from '#app/account/session/current-user.ts'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { cx } from '#app/ui/class-names.ts'
import { shell } from '#app/content/shell.ts'
import { mainLinks, publicSite, workspaceLinks } from '#app/content/navigation.ts'
import { Drawer } from './drawer.tsx'
import { Logo } from './logo.tsx'
import type { ShellPerson } from './person.ts'

/** `menu` is the signed-in person's menu at the right end, on a live page. */
export function Header({ person, menu }: { person: ShellPerson | undefined; menu?: React.ReactNode }) {
  const links = person ? [...mainLinks, ...workspaceLinks] : mainLinks
  const hasStart = !useMatches().some(({ handle }) => typeof handle === 'object' && handle !== null && 'isDeal' in handle)
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-paper">
      <div className={cx('wrap flex h-16 items-center', person ? 'gap-4' : 'gap-4 xl:gap-6')}>
        <Link to="/" className={cx('-mx-2 flex min-h-11 items-center px-2 text-ink no-underline', person && '[anchor-name:--logo]')}>
          <Logo />
        </Link>
        {person && <LogoMenu />}
        <nav
          aria-label="Main"
          className={cx(
            'mx-auto hidden h-full items-stretch',
            person ? 'gap-2.5 text-[0.8125rem] xl:flex' : 'gap-4 text-small lg:flex xl:gap-6',
          )}
        >
          {links.map(({ to, label }) => (
            <NavLink
              key={to}
              to={to}
              className="flex items-center border-y-2 border-transparent font-medium whitespace-nowrap text-muted transition-colors hover:text-ink aria-[current=page]:border-b-grain aria-[current=page]:text-ink"
            >
              {label}
            </NavLink>
          ))}
        </nav>
        <div className={cx('ml-auto flex items-center gap-1 sm:gap-3', person ? 'xl:ml-0' : 'lg:ml-0')}>
          {person ? (menu ?? <DashboardLink person={person} />) : <LoginLink />}
          {hasStart && (
            <ButtonLink to="/contact" className="whitespace-nowrap max-sm:hidden">
              {shell.start}
            </ButtonLink>
          )}
          <Drawer person={person} groups={[{ links }]} hasStart={hasStart} className={person ? 'xl:hidden' : 'lg:hidden'} />
        </div>
      </div>
    </header>
  )
}

function LoginLink() {
  return (
    <a href="/api/login" className="hidden min-h-11 items-center px-2 text-small font-medium text-muted hover:text-ink sm:flex">
      {shell.login}
    </a>
  )
}

function DashboardLink({ person }: { person: ShellPerson }) {
  return (
    <Link to="/dashboard" className="hidden min-h-11 max-w-28 items-center truncate px-2 text-small font-medium sm:flex">
      {labelOf(person)}
    </Link>
  )
}

const ID = 'logo-menu'
const entry = 'flex min-h-11 items-center rounded-control px-3 text-small hover:bg-sunken'

/**
 * A menu beside the logo of a signed-in person, for whom `/` is the workspace: it links to the public site. A popover, so it needs no
 * JavaScript.
 */
export function LogoMenu() {
  const menu = useRef<HTMLElement>(null)
  const close = () => menu.current?.hidePopover()
  return (
    <>
      <button
        type="button"
        popoverTarget={ID}
        aria-label={shell.logoMenu.label}
        className="-ml-4 in-[.rail]:-ml-1.5 grid h-11 w-8 shrink-0 place-items-center rounded-control text-muted transition-colors hover:text-ink max-sm:hidden pointer-coarse:w-11"
      >
        <svg viewBox="0 0 12 12" aria-hidden="true" className="size-3 fill-none stroke-current stroke-2">
          <path d="m2 4 4 4 4-4" />
        </svg>
      </button>
      <nav
        ref={menu}
        id={ID}
        popover="auto"
        aria-label="Home"
        className="fixed inset-auto m-0 mt-2 w-52 rounded-card border border-line bg-surface p-1.5 text-ink [position-anchor:--logo] [position-area:bottom_span-right] not-supports-[position-area:bottom]:top-16 not-supports-[position-area:bottom]:left-10"
      >
        <Link to="/" onClick={close} className={entry}>
          {shell.logoMenu.workspace}
        </Link>
        <Link to={publicSite.to} onClick={close} className={entry}>
          {publicSite.label}
        </Link>
      </nav>
    </>
  )
}

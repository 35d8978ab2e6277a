import { Fragment, useRef } from 'react'
import { Link, NavLink } from 'react-router'
import { labelOf } from '#app/account/session/current-user.ts'
import { Avatar } from '#app/ui/avatar.tsx'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { shell } from '#app/content/shell.ts'
import { accountLinks, publicSite } from '#app/content/navigation.ts'
import type { ShellPerson } from './person.ts'

type DrawerProps = {
  person: ShellPerson | undefined
  /** The links in groups. The first group needs no title. */
  groups: readonly { title?: string; links: readonly { to: string; label: string }[] }[]
  className: string
  /** Ends with the button that leads to the contact page. */
  hasStart?: boolean
}

const ID = 'site-menu'
const iconButton = 'grid size-11 place-items-center rounded-control text-ink'

/** The header's links on a small screen. A popover, so it opens, closes and restores the focus without JavaScript. */
export function Drawer({ person, groups, className, hasStart = false }: DrawerProps) {
  const drawer = useRef<HTMLDivElement>(null)
  // A live page is not reloaded when a link is followed, so the drawer would stay open.
  const close = () => drawer.current?.hidePopover()
  return (
    <div className={className}>
      <button type="button" popoverTarget={ID} aria-label={shell.menu.open} className={`${iconButton} -mr-2.5`}>
        <svg viewBox="0 0 20 20" aria-hidden="true" className="size-5">
          <path d="M2 5h16M2 10h16M2 15h16" stroke="currentColor" strokeWidth="1.75" strokeLinecap="round" />
        </svg>
      </button>
      <div ref={drawer} id={ID} popover="auto" role="dialog" aria-label={shell.menu.title} className="drawer w-80">
        <div className="flex h-16 shrink-0 items-center justify-between border-b border-line pr-2.5 pl-6">
          <p className="eyebrow">{shell.menu.title}</p>
          <button type="button" popoverTarget={ID} popoverTargetAction="hide" aria-label={shell.menu.close} className={iconButton}>
            <svg viewBox="0 0 16 16" aria-hidden="true" className="size-4">
              <path d="m3 3 10 10M13 3 3 13" stroke="currentColor" strokeWidth="1.75" strokeLinecap="round" />
            </svg>
          </button>
        </div>
        <nav aria-label={shell.menu.title} className="grid py-3">
          {groups.map(({ title, links }) => (
            <Fragment key={title ?? ''}>
              {title && <p className="eyebrow px-6 pt-4 pb-1">{title}</p>}
              {links.map(({ to, label }) => (
                <NavLink
                  key={to}
                  to={to}
                  end={to === '/' || to === '/dashboard'}
                  onClick={close}
                  className="flex min-h-12 items-center border-l-2 border-transparent px-6 font-medium hover:bg-sunken focus-visible:-outline-offset-2 in-[.workspace]:min-h-11 aria-[current=page]:border-grain aria-[current=page]:bg-sunken"
                >
                  {label}
                </NavLink>
              ))}
            </Fragment>
          ))}
        </nav>
        <div className="mt-auto grid gap-4 border-t border-line p-6">
          {person ? <SignedIn person={person} close={close} /> : <SignedOut />}
          {hasStart && (
            <ButtonLink to="/contact" onClick={close}>
              {shell.start}
            </ButtonLink>
          )}
        </div>
      </div>
    </div>
  )
}

function SignedIn({ person, close }: { person: ShellPerson; close: () => void }) {
  const label = labelOf(person)
  return (
    <div className="grid gap-2">
      <div className="flex items-center gap-3">
        <Avatar src={person.avatarUrl} label={label} />
        <span className="min-w-0 grow truncate text-small font-medium">{label}</span>
        <a href="/api/logout" className="link flex min-h-11 items-center text-small">
          {shell.logout}
        </a>
      </div>
      <div className="flex flex-wrap gap-x-5">
        {[...accountLinks, publicSite].map(({ to, label }) => (
          <Link key={to} to={to} onClick={close} className="link flex min-h-11 w-fit items-center text-small">
            {label}
          </Link>
        ))}
      </div>
    </div>
  )
}

function SignedOut() {
  return (
    <a href="/api/login" className="link flex min-h-11 items-center text-small font-medium">
      {shell.login}
    </a>
  )
}

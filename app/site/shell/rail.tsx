import {
  BellIcon,
  Building2Icon,
  CalendarDaysIcon,
  DatabaseIcon,
  FileTextIcon,
  HouseIcon,
  InboxIcon,
  LayoutDashboardIcon,
  type LucideIcon,
  ListChecksIcon,
  MailIcon,
  MailsIcon,
  PackageIcon,
  PanelLeftCloseIcon,
  PanelLeftOpenIcon,
  ReceiptTextIcon,
  ShuffleIcon,
  Settings2Icon,
  SquareIcon,
  UsersRoundIcon,
  WebhookIcon,
} from 'lucide-react'
import { useState } from 'react'
import { Link, NavLink } from 'react-router'
import { cx } from '#app/ui/class-names.ts'
import { useIsLive } from '#app/ui/use-is-live.ts'
import { areaGroups, mainLinks } from '#app/content/navigation.ts'
import { shell } from '#app/content/shell.ts'
import { Commands } from './commands.tsx'
import { Drawer } from './drawer.tsx'
import { LogoMenu } from './header.tsx'
import { Logo } from './logo.tsx'
import type { ShellPerson } from './person.ts'

type RailProps = {
  person: ShellPerson
  /** The bell and the person's menu, on a live page. */
  menu: React.ReactNode
  /** Whether this browser folded the sidebar to its icons. */
  isNarrow: boolean
}

/** Icons of the areas by path. An area without one gets a plain square. */
const icons: Partial<Record<string, LucideIcon>> = {
  '/': HouseIcon,
  '/dashboard': LayoutDashboardIcon,
  '/dashboard/letters': MailIcon,
  '/leads': InboxIcon,
  '/tasks': ListChecksIcon,
  '/notifications': BellIcon,
  '/data-marketplace': DatabaseIcon,
  '/admin/billing': ReceiptTextIcon,
  '/admin/blog': FileTextIcon,
  '/admin/calendar': CalendarDaysIcon,
  '/admin/newsletter': MailsIcon,
  '/admin/redirects': ShuffleIcon,
  '/admin/organizations': Building2Icon,
  '/admin/products': PackageIcon,
  '/admin/users': UsersRoundIcon,
  '/admin/settings': Settings2Icon,
  '/admin/webhooks': WebhookIcon,
}

const home = { to: '/', label: shell.home }

/** Paths with pages of other areas below them. */
const exact = new Set(['/', '/dashboard'])

/** Only for screen readers while the sidebar is narrow. */
const label = 'truncate lg:group-data-[rail=narrow]/rail:sr-only'
/** Not shown while the sidebar is narrow. */
const wideOnly = 'lg:group-data-[rail=narrow]/rail:hidden'

/**
 * The header of the workspace: a sidebar on a wide screen, a bar with a drawer on a narrow one. It has the entries of the public header,
 * and the areas of the person's role in groups.
 */
export function Rail({ person, menu, isNarrow }: RailProps) {
  const [narrow, setNarrow] = useState(isNarrow)
  const groups = areaGroups(person.role)
  const drawerGroups = [
    { links: [home] },
    ...groups.map(({ group, areas }) => ({ title: group, links: areas })),
    { title: shell.publicSite, links: mainLinks },
  ]
  return (
    <header data-rail={narrow ? 'narrow' : 'wide'} className="rail group/rail">
      <div className="flex min-w-0 items-center gap-1 lg:h-14 lg:shrink-0 lg:px-4 lg:group-data-[rail=narrow]/rail:px-3.5">
        <Link
          to="/"
          title={narrow ? shell.logoMenu.workspace : undefined}
          className="flex min-h-11 items-center text-ink no-underline [anchor-name:--logo]"
        >
          <span className="lg:group-data-[rail=narrow]/rail:w-7 lg:group-data-[rail=narrow]/rail:overflow-hidden">
            <Logo />
          </span>
        </Link>
        <div className={wideOnly}>
          <LogoMenu />
        </div>
      </div>
      <Commands role={person.role} />
      <nav aria-label="Main" className="hidden min-h-0 grow flex-col gap-3 overflow-y-auto px-2 py-2 lg:flex">
        <ul>
          <Place to={home.to} text={home.label} isNarrow={narrow} />
        </ul>
        {groups.map(({ group, areas: found }) => (
          <div key={group}>
            <p aria-hidden="true" className={cx('px-2.5 pb-1 text-fine font-medium text-muted', wideOnly)}>
              {group}
            </p>
            <ul aria-label={group}>
              {found.map((area) => (
                <Place key={area.to} to={area.to} text={area.name ?? area.label} isNarrow={narrow} />
              ))}
            </ul>
          </div>
        ))}
        <div className={cx('mt-auto border-t border-line pt-2', wideOnly)}>
          <p aria-hidden="true" className="px-2.5 pb-1 text-fine font-medium text-muted">
            {shell.publicSite}
          </p>
          <ul aria-label={shell.publicSite} className="grid grid-cols-[auto_1fr]">
            {mainLinks.map((link) => (
              <li key={link.to}>
                <NavLink
                  to={link.to}
                  className="flex min-h-7 items-center rounded-control px-2.5 text-fine whitespace-nowrap text-muted hover:bg-sunken hover:text-ink focus-visible:-outline-offset-2 pointer-coarse:min-h-11"
                >
                  {link.label}
                </NavLink>
              </li>
            ))}
          </ul>
        </div>
      </nav>
      <div className="flex items-center gap-1 lg:shrink-0 lg:justify-between lg:border-t lg:border-line lg:px-2 lg:py-1.5 lg:group-data-[rail=narrow]/rail:flex-col">
        {menu}
        <FoldButton isNarrow={narrow} onFold={setNarrow} />
        <Drawer person={person} groups={drawerGroups} className="lg:hidden" />
      </div>
    </header>
  )
}

function Place({ to, text, isNarrow }: { to: string; text: string; isNarrow: boolean }) {
  const Icon = icons[to] ?? SquareIcon
  return (
    <li>
      <NavLink
        to={to}
        end={exact.has(to)}
        title={isNarrow ? text : undefined}
        className="flex min-h-8 items-center gap-2.5 rounded-control px-2.5 text-small text-muted hover:bg-sunken hover:text-ink focus-visible:-outline-offset-2 pointer-coarse:min-h-11 aria-[current=page]:bg-grain-wash aria-[current=page]:font-medium aria-[current=page]:text-ink lg:group-data-[rail=narrow]/rail:justify-center lg:group-data-[rail=narrow]/rail:px-0"
      >
        <Icon aria-hidden="true" className="size-4 shrink-0" />
        <span className={label}>{text}</span>
      </NavLink>
    </li>
  )
}

function FoldButton({ isNarrow, onFold }: { isNarrow: boolean; onFold: (isNarrow: boolean) => void }) {
  const Icon = isNarrow ? PanelLeftOpenIcon : PanelLeftCloseIcon
  const text = isNarrow ? shell.rail.unfold : shell.rail.fold
  const isLive = useIsLive()
  const fold = () => {
    remember(!isNarrow)
    onFold(!isNarrow)
  }
  return (
    <button
      type="button"
      disabled={!isLive}
      aria-label={text}
      title={text}
      onClick={fold}
      className="hidden size-9 shrink-0 place-items-center rounded-control text-muted transition-colors hover:bg-sunken hover:text-ink lg:grid pointer-coarse:size-11"
    >
      <Icon aria-hidden="true" className="size-4" />
    </button>
  )
}

const YEAR = 365 * 24 * 60 * 60

/** In a cookie, so that the server renders the sidebar in its width. */
function remember(isNarrow: boolean) {
  const secure = window.location.protocol === 'https:' ? '; Secure' : ''
  document.cookie = `rail=narrow; Path=/; Max-Age=${isNarrow ? YEAR : 0}; SameSite=Lax${secure}`
}

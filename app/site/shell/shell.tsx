import { lazy, Suspense, useEffect, useRef } from 'react'
import { useLocation, Link } from 'react-router'
import type { Theme } from '#app/platform/http/request-context.server.ts'
import { shell } from '#app/content/shell.ts'
import { Header } from './header.tsx'
import type { ShellPerson } from './person.ts'
import { UntilNextPage } from './pending-page.tsx'
import { Rail } from './rail.tsx'
import { identity } from '#app/content/identity.ts'
import { legalLinks, withdrawalLink } from '#app/content/navigation.ts'
import { ThemeSwitch } from './theme-switch.tsx'

/** Pages of the workspace do not load it. If it does not load, theirs takes its place. */
const Footer = lazy(async () =>
  import('./footer.tsx').then(
    (module) => ({ default: module.Footer }),
    () => ({ default: WorkFooter }),
  ),
)

type ShellProps = {
  person: ShellPerson | undefined
  theme: Theme
  /** Private persons find the withdrawal from a contract on every page. */
  sellsToAll: boolean
  /** Of a page of the workspace: whether its sidebar is narrow. */
  rail?: { isNarrow: boolean } | undefined
  menu?: React.ReactNode
  children: React.ReactNode
}

/** The frame of every page: skip link, header, `<main>`, footer. In the workspace the header is a sidebar, and the footer one line. */
export function Shell({ person, theme, sellsToAll, rail, menu, children }: ShellProps) {
  const legal = sellsToAll ? [...legalLinks, withdrawalLink] : legalLinks
  return (
    <>
      <a
        href="#main"
        className="absolute top-2 left-2 z-50 -translate-y-20 rounded-control bg-ink px-4 py-3 text-small font-semibold text-paper focus:translate-y-0"
      >
        {shell.skip}
      </a>
      {rail && person ? <Rail person={person} menu={menu} {...rail} /> : <Header person={person} menu={menu} />}
      <main id="main" ref={useFocusOnNavigation()} tabIndex={-1} className="flex grow flex-col">
        {/* Only in a live page: the order of a public page's own parts decides how it appears. */}
        {person ? <UntilNextPage>{children}</UntilNextPage> : children}
      </main>
      {rail ? (
        <WorkFooter theme={theme} legal={legal} />
      ) : (
        <Suspense>
          <Footer theme={theme} legal={legal} />
        </Suspense>
      )}
    </>
  )
}

/**
 * In a live page a link, or the back button, replaces the page in place: the new page starts at its top, with the focus in it, as a new
 * document does. A URL with a fragment scrolls there.
 */
function useFocusOnNavigation() {
  const main = useRef<HTMLElement>(null)
  const { pathname, hash } = useLocation()
  const last = useRef(pathname)
  // Later than a layout effect: in one, React Router restores the scroll position.
  useEffect(() => {
    if (last.current === pathname) return
    last.current = pathname
    if (!hash) window.scrollTo(0, 0)
    main.current?.focus({ preventScroll: true })
  }, [pathname, hash])
  return main
}

/** The footer of the workspace: one line. */
function WorkFooter({ theme, legal }: { theme: Theme; legal: typeof legalLinks }) {
  return (
    <footer className="mt-auto">
      <div className="wrap flex flex-wrap items-center justify-between gap-x-6 gap-y-1 py-3 text-fine text-muted">
        <nav aria-label="Footer" className="flex flex-wrap items-center gap-x-4">
          <span>
            © {identity.years} {identity.name}
          </span>
          {legal.map(({ to, label }) => (
            <Link
              key={to}
              to={to}
              className="inline-flex min-h-7 items-center underline-offset-4 hover:text-ink hover:underline pointer-coarse:min-h-11"
            >
              {label}
            </Link>
          ))}
        </nav>
        <ThemeSwitch theme={theme} />
      </div>
    </footer>
  )
}

import { Link } from 'react-router'
import type { Theme } from '#app/platform/http/request-context.server.ts'
import { identity } from '#app/content/identity.ts'
import { legalLinks } from '#app/content/navigation.ts'
import { ThemeSwitch } from './theme-switch.tsx'

/** The footer of the workspace: one line. */
export function WorkFooter({ theme }: { theme: Theme }) {
  return (
    <footer className="mt-auto">
      <div className="wrap flex flex-wrap items-center justify-between gap-x-6 gap-y-1 py-3 text-fine text-muted">
        <nav aria-label="Footer" className="flex flex-wrap items-center gap-x-4">
          <span>
            © {identity.years} {identity.name}
          </span>
          {legalLinks.map(({ to, label }) => (
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

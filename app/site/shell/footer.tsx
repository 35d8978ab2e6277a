import { Link } from 'react-router'
import type { Theme } from '#app/platform/http/request-context.server.ts'
import { cx } from '#app/ui/class-names.ts'
import { identity, isExample } from '#app/content/identity.ts'
import { offerings } from '#app/content/offerings.ts'
import { shell } from '#app/content/shell.ts'
import { Logo } from './logo.tsx'
import { companyLinks, type legalLinks } from '#app/content/navigation.ts'
import { ThemeSwitch } from './theme-switch.tsx'

function listNetworks() {
  const { messagingApp, microblog, professionalNetwork, fourthNetwork } = identity
  return [messagingApp, microblog, professionalNetwork, fourthNetwork].map(({ label, url }) => ({
    to: url,
    label,
    rel: url && !isExample(url) ? 'me noopener' : 'noopener',
  }))
}

export function Footer({ theme, legal }: { theme: Theme; legal: typeof legalLinks }) {
  return (
    <footer className="mt-auto border-t border-line bg-surface">
      <div className="wrap grid grid-cols-2 gap-x-8 gap-y-8 py-11 lg:grid-cols-12">
        <div className="grid content-start justify-items-start gap-4 col-span-2 lg:col-span-3">
          <Logo />
          <p className="text-muted">{identity.tagline}</p>
          <a href={`mailto:${identity.email}`} className="link inline-flex min-h-11 items-center font-mono text-small">
            {identity.email}
          </a>
        </div>
        <nav aria-label="Footer" className="col-span-2 grid grid-cols-subgrid gap-y-8 lg:col-span-9">
          <Column
            title={shell.footer.services}
            links={Object.values(offerings).map(({ line }) => ({ to: '/services', label: line }))}
            className="lg:col-span-3"
          />
          <Column title={shell.footer.company} links={companyLinks} className="lg:col-span-2" />
          <Column title={shell.footer.legal} links={legal} className="lg:col-span-2" />
          <Column title={shell.footer.elsewhere} links={listNetworks()} className="lg:col-span-2" />
        </nav>
      </div>
      <div className="border-t border-line">
        <div className="wrap flex flex-wrap items-center justify-between gap-4 py-5">
          <p className="text-fine text-muted">
            © {identity.years} {identity.name}
          </p>
          <ThemeSwitch theme={theme} />
        </div>
      </div>
    </footer>
  )
}

const entry = 'inline-flex min-h-11 items-center py-2.5 text-small leading-snug sm:min-h-9 sm:py-1 pointer-coarse:min-h-11'

type ColumnProps = { title: string; links: { to: string | undefined; label: string; rel?: string }[]; className: string }

function Column({ title, links, className }: ColumnProps) {
  return (
    <div className={className}>
      <h2 className="eyebrow mb-2 tracking-normal">{title}</h2>
      <ul>
        {links.map(({ to, label, rel }) => (
          <li key={label}>
            {to ? (
              <Link to={to} rel={rel} className={cx(entry, 'text-ink underline-offset-4 hover:underline')}>
                {label}
              </Link>
            ) : (
              <span className={cx(entry, 'text-muted')}>{label}</span>
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

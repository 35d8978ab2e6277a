import { useId } from 'react'
import { Link } from 'react-router'
import { Card } from '#app/ui/card.tsx'

type FrameProps = { title: string; /** The page with all of it. */ more?: { to: string; label: string }; children: React.ReactNode }

export function PanelFrame({ title, more, children }: FrameProps) {
  const id = useId()
  return (
    <Card as="section" aria-labelledby={id} className="min-w-0">
      <header className="mb-3 flex flex-wrap items-baseline justify-between gap-x-6">
        <h2 id={id} className="text-h3">
          {title}
        </h2>
        {more && (
          <Link to={more.to} className="link -my-2.5 inline-flex min-h-11 items-center text-small font-semibold">
            {more.label}
          </Link>
        )}
      </header>
      {children}
    </Card>
  )
}

/** A list of links, one per line. */
export function PanelLinks({ children }: { children: React.ReactNode }) {
  return <ul className="-mx-3 -mb-2 divide-y divide-line">{children}</ul>
}

/** One line: all of it is clickable. */
export function PanelLink({ to, children }: { to: string; children: React.ReactNode }) {
  return (
    <li>
      <Link to={to} className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-1 px-3 py-2.5 text-small hover:bg-sunken">
        {children}
      </Link>
    </li>
  )
}

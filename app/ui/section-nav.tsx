import { useEffect, useRef } from 'react'
import { Link } from 'react-router'

type Place = { to: string; label: string; note?: string | undefined; isCurrent: boolean }

/**
 * The pages of an area: a column on a wide screen. On a small one, a row that scrolls to the current page, and looks as tabs do.
 */
export function SectionNav({ label, places }: { label: string; places: Place[] }) {
  const list = useRef<HTMLElement>(null)
  const current = places.find(({ isCurrent }) => isCurrent)?.to
  useEffect(() => {
    if (current === undefined || !list.current) return undefined
    // Also after a phone is turned.
    const sizes = new ResizeObserver(() => showCurrent(list.current))
    sizes.observe(list.current)
    return () => sizes.disconnect()
  }, [current])
  return (
    <nav
      ref={list}
      aria-label={label}
      className="relative flex gap-x-4 overflow-x-auto whitespace-nowrap shadow-[inset_0_-1px_0_var(--color-line)] [scrollbar-width:none] lg:sticky lg:top-4 lg:grid lg:gap-0.5 lg:overflow-visible lg:shadow-none"
    >
      {places.map(({ to, label: name, note, isCurrent }) => (
        <Link
          key={to}
          to={to}
          preventScrollReset
          aria-current={isCurrent ? 'page' : undefined}
          className="inline-flex min-h-(--control) shrink-0 items-center justify-between gap-2 border-b-2 border-transparent px-1 text-small font-semibold text-muted transition-colors hover:text-ink focus-visible:-outline-offset-2 aria-[current=page]:border-grain aria-[current=page]:text-ink lg:rounded-control lg:border-b-0 lg:px-2.5 lg:font-normal lg:text-ink lg:hover:bg-sunken lg:aria-[current=page]:bg-grain-wash lg:aria-[current=page]:font-medium"
        >
          {name}
          {note && <span className="text-fine font-normal text-muted">{note}</span>}
        </Link>
      ))}
    </nav>
  )
}

function showCurrent(list: HTMLElement | null) {
  const link = list?.querySelector<HTMLElement>('[aria-current=page]')
  if (list && link && link.offsetLeft + link.offsetWidth > list.scrollLeft + list.clientWidth) list.scrollLeft = link.offsetLeft
}

import { useRef } from 'react'
import { Link } from 'react-router'
import { shell } from '#app/content/shell.ts'
import { publicSite } from '#app/content/navigation.ts'

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
        className="-ml-4 grid h-11 w-8 shrink-0 place-items-center rounded-control text-muted transition-colors hover:text-ink max-sm:hidden pointer-coarse:w-11"
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

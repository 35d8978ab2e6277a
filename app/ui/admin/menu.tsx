import { EllipsisIcon } from 'lucide-react'
import { laterCode } from '#app/ui/later-code.tsx'
import { MenuButton } from '#app/ui/menu-button.tsx'
import type { MenuEntry } from './open-menu.tsx'

type MenuProps = {
  /** The accessible name of its button. */
  label: string
  entries: readonly MenuEntry[]
  /** The button's content; three dots by default, as at the end of a table row. */
  children?: React.ReactNode
  className?: string
}

const dots =
  'grid size-7 shrink-0 place-items-center rounded-control text-muted hover:bg-line hover:text-ink data-[state=open]:bg-line data-[state=open]:text-ink pointer-coarse:size-11'
const code = laterCode('The menu', () => import('./open-menu.tsx'))

/** A button that opens a menu: actions of a row, columns of a table, the rarer actions of a page. */
export function Menu({ label, entries, children, className = dots }: MenuProps) {
  return (
    <MenuButton
      code={code}
      aria-label={label}
      className={className}
      face={children ?? <EllipsisIcon aria-hidden="true" className="size-4" />}
    >
      {({ OpenMenu }, trigger) => <OpenMenu entries={entries} trigger={trigger} />}
    </MenuButton>
  )
}

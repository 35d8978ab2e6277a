import { Check, Ellipsis, type LucideIcon } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { cx } from '#app/ui/class-names.ts'

/** An entry of a menu: it acts, or it is switched on and off and leaves the menu open. `line` begins a group. */
export type MenuEntry =
  | 'line'
  | {
      label: string
      icon?: LucideIcon
      isDanger?: boolean
      /** The reason why it cannot be chosen. */ unavailable?: string | undefined
      act: () => void
    }
  | { label: string; isOn: boolean; change: (isOn: boolean) => void }

type MenuProps = {
  /** The accessible name of its button. Without `children` it is the only text. */
  label: string
  entries: readonly MenuEntry[]
  /** The button's content; three dots by default, as at the end of a table row. */
  children?: React.ReactNode
  className?: string
}

const item =
  'flex min-h-8 cursor-pointer items-center gap-2 rounded-control px-2.5 text-small outline-none select-none data-disabled:cursor-not-allowed data-disabled:text-muted data-highlighted:bg-sunken pointer-coarse:min-h-11'

/** A button that opens a menu: actions of a row, columns of a table, what is not the main action of a page. */
export function Menu({ label, entries, children, className }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger
        aria-label={label}
        className={cx(
          className ??
            'grid size-7 place-items-center rounded-control text-muted hover:bg-line hover:text-ink data-[state=open]:bg-line data-[state=open]:text-ink pointer-coarse:size-11',
        )}
      >
        {children ?? <Ellipsis aria-hidden="true" className="size-4" />}
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          className="z-40 grid max-h-(--radix-dropdown-menu-content-available-height) min-w-44 overflow-y-auto rounded-card border border-line bg-surface p-1 text-ink"
        >
          {entries.map((entry, at) =>
            // A line has no name, and entries keep their places.
            // oxlint-disable-next-line react/no-array-index-key
            entry === 'line' ? (
              <DropdownMenu.Separator key={at} className="my-1 h-px bg-line" />
            ) : (
              <Entry key={entry.label} entry={entry} />
            ),
          )}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

function Entry({ entry }: { entry: Exclude<MenuEntry, 'line'> }) {
  if ('isOn' in entry) {
    const { label, isOn, change } = entry
    return (
      <DropdownMenu.CheckboxItem checked={isOn} onCheckedChange={change} onSelect={(event) => event.preventDefault()} className={item}>
        <Check aria-hidden="true" className={cx('size-4', !isOn && 'invisible')} />
        {label}
      </DropdownMenu.CheckboxItem>
    )
  }
  const { label, icon: Icon, isDanger = false, unavailable, act } = entry
  return (
    <DropdownMenu.Item
      disabled={unavailable !== undefined}
      title={unavailable}
      onSelect={act}
      className={cx(item, isDanger && 'text-alarm')}
    >
      {Icon && <Icon aria-hidden="true" className="size-4 shrink-0" />}
      {label}
    </DropdownMenu.Item>
  )
}

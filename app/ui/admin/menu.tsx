import { Check, Ellipsis, type LucideIcon } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { Fragment, useState } from 'react'
import { cx } from '#app/ui/class-names.ts'

/** An entry of a menu: it acts, or it is switched on and off and leaves the menu open. */
export type MenuEntry = { label: string; /** A line stands above it. */ startsGroup?: boolean } & (
  | { icon?: LucideIcon; isDanger?: boolean; /** The reason why it cannot be chosen. */ unavailable?: string | undefined; act: () => void }
  | { isOn: boolean; change: (isOn: boolean) => void }
)

type MenuProps = {
  /** The accessible name of its button. */
  label: string
  entries: readonly MenuEntry[]
  /** The button's content; three dots by default, as at the end of a table row. */
  children?: React.ReactNode
  className?: string
}

const dots =
  'grid size-7 place-items-center rounded-control text-muted hover:bg-line hover:text-ink data-[state=open]:bg-line data-[state=open]:text-ink pointer-coarse:size-11'
const item =
  'flex min-h-8 cursor-pointer items-center gap-2 rounded-control px-2.5 text-small outline-none select-none data-disabled:cursor-not-allowed data-disabled:text-muted data-highlighted:bg-sunken pointer-coarse:min-h-11'

/** A button that opens a menu: actions of a row, columns of a table, the rarer actions of a page. */
export function Menu({ label, entries, children, className = dots }: MenuProps) {
  const [trigger, setTrigger] = useState<HTMLElement | null>(null)
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger ref={setTrigger} aria-label={label} className={className}>
        {children ?? <Ellipsis aria-hidden="true" className="size-4" />}
      </DropdownMenu.Trigger>
      {/* Outside of the table's rows, but inside of its landmark, or of its dialog. */}
      <DropdownMenu.Portal container={trigger?.closest<HTMLElement>('dialog, main')}>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          className="z-40 grid max-h-(--radix-dropdown-menu-content-available-height) min-w-44 overflow-y-auto rounded-card border border-line bg-surface p-1 text-ink"
        >
          {entries.map((entry) => (
            <Fragment key={entry.label}>
              {entry.startsGroup && <DropdownMenu.Separator className="my-1 h-px bg-line" />}
              <Entry entry={entry} />
            </Fragment>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

function Entry({ entry }: { entry: MenuEntry }) {
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

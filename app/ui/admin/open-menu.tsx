import { CheckIcon, type LucideIcon } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { Fragment, useState } from 'react'
import { cx } from '#app/ui/class-names.ts'
import type { MenuTriggerProps } from '#app/ui/menu-button.tsx'
import { MenuTrigger } from '#app/ui/menu-trigger.tsx'

/** An entry of a menu: it acts, it is one of several states, or it is switched on and off and leaves the menu open. */
export type MenuEntry = { label: string; /** A line stands above it. */ startsGroup?: boolean } & (
  | { icon?: LucideIcon; isDanger?: boolean; /** The reason why it cannot be chosen. */ unavailable?: string | undefined; act: () => void }
  | { isChosen: boolean; /** Before its label. */ mark?: React.ReactNode; act: () => void }
  | { isOn: boolean; change: (isOn: boolean) => void }
)

const item =
  'flex min-h-8 cursor-pointer items-center gap-2 rounded-control px-2.5 text-small outline-none select-none data-disabled:cursor-not-allowed data-disabled:text-muted data-highlighted:bg-sunken pointer-coarse:min-h-11'

/** The menu of `Menu`, once its button was pressed. */
export function OpenMenu({ entries, trigger }: { entries: readonly MenuEntry[]; trigger: MenuTriggerProps }) {
  const [button, setButton] = useState<HTMLElement | null>(null)
  return (
    <DropdownMenu.Root modal={false}>
      <MenuTrigger ref={setButton} {...trigger} />
      {/* Outside of the table's rows, but inside of its landmark, or of its dialog. */}
      <DropdownMenu.Portal container={button?.closest<HTMLElement>('dialog, main')}>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          className="z-40 grid max-h-(--radix-dropdown-menu-content-available-height) min-w-44 overflow-y-auto rounded-card border border-line bg-surface p-1 text-ink"
        >
          {entries.map((entry) => (
            <Fragment key={entry.label}>
              {entry.startsGroup && <DropdownMenu.Separator className="my-1 h-px bg-line" />}
              <Entry entry={entry} leave={() => button?.focus({ preventScroll: true })} />
            </Fragment>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}

/** `leave` takes the focus back to the button before the entry acts: a dialog that opens gives it back there. */
function Entry({ entry, leave }: { entry: MenuEntry; leave: () => void }) {
  const after = (act: () => void) => () => {
    leave()
    act()
  }
  if ('isOn' in entry) {
    const { label, isOn, change } = entry
    return (
      <DropdownMenu.CheckboxItem checked={isOn} onCheckedChange={change} onSelect={(event) => event.preventDefault()} className={item}>
        <CheckIcon aria-hidden="true" className={cx('size-4', !isOn && 'invisible')} />
        {label}
      </DropdownMenu.CheckboxItem>
    )
  }
  if ('isChosen' in entry) {
    const { label, isChosen, mark, act } = entry
    return (
      <DropdownMenu.CheckboxItem role="menuitemradio" aria-checked={isChosen} checked={isChosen} onSelect={after(act)} className={item}>
        {mark}
        {label}
        <CheckIcon aria-hidden="true" className={cx('ml-auto size-4', !isChosen && 'invisible')} />
      </DropdownMenu.CheckboxItem>
    )
  }
  const { label, icon: Icon, isDanger = false, unavailable, act } = entry
  return (
    <DropdownMenu.Item
      disabled={unavailable !== undefined}
      title={unavailable}
      onSelect={after(act)}
      className={cx(item, isDanger && 'text-alarm')}
    >
      {Icon && <Icon aria-hidden="true" className="size-4 shrink-0" />}
      {label}
    </DropdownMenu.Item>
  )
}

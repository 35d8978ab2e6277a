import { DropdownMenu } from 'radix-ui'
import type { MenuTriggerProps } from '#app/ui/menu-button.tsx'
import { MenuTrigger } from '#app/ui/menu-trigger.tsx'

const item = 'rounded-control px-3 py-2 text-small outline-none data-disabled:text-muted data-highlighted:bg-sunken'

/** The menu of the gallery, whose code loads when its button is pressed. */
export function LaterMenu({ trigger }: { trigger: MenuTriggerProps }) {
  return (
    <DropdownMenu.Root modal={false}>
      <MenuTrigger {...trigger} />
      <DropdownMenu.Content sideOffset={8} className="z-40 grid w-56 rounded-card border border-line bg-surface p-1.5">
        <DropdownMenu.Item className={item}>Download</DropdownMenu.Item>
        <DropdownMenu.Item className={item} disabled>
          Request access
        </DropdownMenu.Item>
        <DropdownMenu.Separator className="my-1.5 h-px bg-line" />
        <DropdownMenu.Item className={`${item} text-alarm`}>Revoke</DropdownMenu.Item>
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  )
}

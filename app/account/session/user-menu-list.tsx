import { DropdownMenu } from 'radix-ui'
import { Link } from 'react-router'
import { accountLinks, workspaceAreas } from '#app/content/navigation.ts'
import type { MenuTriggerProps } from '#app/ui/menu-button.tsx'
import { MenuTrigger } from '#app/ui/menu-trigger.tsx'
import { toast } from '#app/ui/toast.ts'
import { signOut } from './auth.ts'

export const menuItem =
  'flex min-h-11 cursor-pointer items-center rounded-control px-3 text-small text-ink no-underline outline-none select-none data-highlighted:bg-sunken'

/** `children`: entries of later nouns, between the areas and the account. */
export function UserMenuList({ trigger, children }: { trigger: MenuTriggerProps; children?: React.ReactNode }) {
  return (
    <DropdownMenu.Root modal={false}>
      <MenuTrigger {...trigger} />
      <DropdownMenu.Content
        align="end"
        sideOffset={8}
        collisionPadding={8}
        className="z-40 grid max-h-(--radix-dropdown-menu-content-available-height) w-56 grid-cols-1 overflow-y-auto rounded-card border border-line bg-surface p-1.5"
      >
        {workspaceAreas.map(({ to, label }) => (
          <Entry key={to} to={to} label={label} />
        ))}
        <DropdownMenu.Separator className="my-1.5 h-px bg-line" />
        {children}
        {accountLinks.map((link) => (
          <Entry key={link.to} {...link} />
        ))}
        <DropdownMenu.Item className={menuItem} onSelect={() => void leave()}>
          Logout
        </DropdownMenu.Item>
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  )
}

function Entry({ to, label }: { to: string; label: string }) {
  return (
    <DropdownMenu.Item asChild>
      <Link to={to} className={menuItem}>
        {label}
      </Link>
    </DropdownMenu.Item>
  )
}

async function leave() {
  const { failure } = await signOut()
  if (failure) toast({ title: 'Sign Out Failed', description: failure.message, look: 'danger' })
  // A new document discards all data of the person.
  else window.location.assign('/')
}

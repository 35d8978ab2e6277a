import { DropdownMenu } from 'radix-ui'
import { useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import { accountLinks, workspaceAreas } from '#app/content/navigation.ts'
import { toast } from '#app/ui/toast.ts'
import { signOut } from './auth.ts'

const item =
  'flex min-h-11 cursor-pointer items-center rounded-control px-3 text-small text-ink no-underline outline-none select-none data-highlighted:bg-sunken'

type UserMenuListProps = {
  /** A popover that is open if someone pressed the button before this list was live. */
  asked: React.RefObject<HTMLElement | null>
  askedId: string
  look: string
  children: React.ReactNode
}

const never = () => () => undefined

export function UserMenuList({ asked, askedId, look, children }: UserMenuListProps) {
  const [open, setOpen] = useState(false)
  const hasPressed = useRef(false)
  const live = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  useLayoutEffect(() => {
    const popover = asked.current
    const openInstead = () => setOpen(true)
    popover?.addEventListener('beforetoggle', openInstead)
    popover?.hidePopover()
    popover?.removeEventListener('beforetoggle', openInstead)
  }, [asked])

  return (
    <DropdownMenu.Root modal={false} open={open} onOpenChange={setOpen}>
      <DropdownMenu.Trigger
        className={look}
        popoverTarget={live ? undefined : askedId}
        onPointerDown={() => (hasPressed.current = true)}
        // The menu opens on the press. A click without one began before this was live, or comes from assistive technology.
        onClick={() => {
          if (!hasPressed.current) setOpen(true)
          hasPressed.current = false
        }}
      >
        {children}
      </DropdownMenu.Trigger>
      <DropdownMenu.Content align="end" sideOffset={8} className="z-40 grid w-56 rounded-card border border-line bg-surface p-1.5">
        {workspaceAreas.map(({ to, label }) => (
          <Entry key={to} to={to} label={label} />
        ))}
        <DropdownMenu.Separator className="my-1.5 h-px bg-line" />
        {accountLinks.map((link) => (
          <Entry key={link.to} {...link} />
        ))}
        <DropdownMenu.Item className={item} onSelect={() => void leave()}>
          Logout
        </DropdownMenu.Item>
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  )
}

function Entry({ to, label }: { to: string; label: string }) {
  return (
    <DropdownMenu.Item asChild>
      <Link to={to} className={item}>
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

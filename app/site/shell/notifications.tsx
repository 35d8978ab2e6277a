import { BellIcon } from 'lucide-react'
import { useLocation } from 'react-router'
import { useOpened, useUnread } from '#app/account/notifications/use-unread.tsx'
import { shell } from '#app/content/shell.ts'
import { laterCode, useLaterCode } from '#app/ui/later-code.tsx'
import { useIsLive } from '#app/ui/use-is-live.ts'

const code = laterCode('The list of notifications', () => import('#app/account/notifications/notification-panel.tsx'))

const ID = 'notifications'

/** The bell of a signed-in person. The code of its panel is loaded when someone reaches for it; the press that it missed opens it. */
export function Notifications() {
  const { module, ask, isAsked, pending } = useLaterCode(code)
  const unread = useUnread()
  const { pathname, search } = useLocation()
  useOpened(pathname + search, unread)
  return (
    <>
      <Bell
        unread={unread}
        onPointerEnter={code.warm}
        onFocus={code.warm}
        {...(module ? { popoverTarget: ID } : { onClick: () => isAsked || ask(), 'aria-busy': isAsked || undefined })}
      />
      {pending}
      {module && <module.NotificationPanel id={ID} label={shell.notifications} />}
    </>
  )
}

function Bell({ unread, ...button }: React.ComponentProps<'button'> & { unread: number }) {
  const isLive = useIsLive()
  return (
    <button
      {...button}
      type="button"
      disabled={!isLive}
      aria-label={unread > 0 ? `${shell.notifications}, ${unread} unread` : shell.notifications}
      className="relative grid size-11 shrink-0 in-[.rail]:lg:size-9 in-[.rail]:lg:pointer-coarse:size-11 [anchor-name:--bell] place-items-center rounded-control text-muted transition-colors hover:text-ink"
    >
      <BellIcon strokeWidth={1.75} className="size-5" />
      {unread > 0 && (
        <span className="absolute top-1 right-0.5 in-[.rail]:lg:-top-0.5 in-[.rail]:lg:-right-1 min-w-4.5 rounded-full bg-grain px-1 text-center font-mono text-[0.6875rem] leading-4.5 font-semibold text-on-grain">
          {unread > 99 ? '99+' : unread}
        </span>
      )}
    </button>
  )
}

import { lazy, Suspense } from 'react'
import { shell } from '#app/content/shell.ts'

const Panel = lazy(() =>
  import('#app/account/notifications/notification-panel.tsx').then(({ NotificationPanel }) => ({ default: NotificationPanel })),
)

const ID = 'notifications'

/** The bell of a signed-in person. Its panel is loaded after the page, so that it does not delay it. */
export function Notifications() {
  return (
    <Suspense fallback={<Bell unread={0} />}>
      <Panel id={ID} label={shell.notifications}>
        {(unread) => <Bell unread={unread} />}
      </Panel>
    </Suspense>
  )
}

function Bell({ unread }: { unread: number }) {
  return (
    <button
      type="button"
      popoverTarget={ID}
      aria-label={unread > 0 ? `${shell.notifications}, ${unread} unread` : shell.notifications}
      className="relative grid size-11 shrink-0 [anchor-name:--bell] place-items-center rounded-control text-muted transition-colors hover:text-ink"
    >
      <svg
        viewBox="0 0 20 20"
        aria-hidden="true"
        className="size-5 fill-none stroke-current stroke-[1.5] [stroke-linecap:round] [stroke-linejoin:round]"
      >
        <path d="M4.5 14V8.5a5.5 5.5 0 0 1 11 0V14l1.5 1.5H3L4.5 14ZM8.25 18h3.5" />
      </svg>
      {unread > 0 && (
        <span className="absolute top-1 right-0.5 min-w-4.5 rounded-full bg-grain px-1 text-center font-mono text-[0.6875rem] leading-4.5 font-semibold text-on-grain">
          {unread > 99 ? '99+' : unread}
        </span>
      )}
    </button>
  )
}

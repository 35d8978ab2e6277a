import { useEffect } from 'react'
import { Link } from 'react-router'
import { QueryProvider } from '#app/platform/browser/query-client.tsx'
import { Button } from '#app/ui/button.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { ToastHistory } from '#app/ui/toast-history.tsx'
import { NotificationList, useMarkAllRead, useNotifications } from './notification-list.tsx'

/** In the panel; the page has all. */
const SHOWN = 8

type PanelProps = {
  id: string
  label: string
}

/** The panel of the bell. It has data of its own: the header is on every page. */
export function NotificationPanel(props: PanelProps) {
  return (
    <QueryProvider onSignedOut={() => undefined}>
      <Panel {...props} />
    </QueryProvider>
  )
}

function Panel({ id, label }: PanelProps) {
  const notifications = useNotifications()
  const markAll = useMarkAllRead()
  const [page] = notifications.data?.pages ?? []
  const newest = page?.items[0]
  const close = () => document.getElementById(id)?.hidePopover()
  // It is loaded by the press that opens it.
  useEffect(() => {
    document.getElementById(id)?.showPopover()
  }, [id])
  return (
    <div
      id={id}
      popover="auto"
      role="dialog"
      aria-label={label}
      className="fixed inset-auto m-2 max-h-[min(36rem,calc(100dvh-5rem))] w-96 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-card border border-line bg-surface text-ink [position-anchor:--bell] [position-area:bottom_span-left] [position-try-fallbacks:flip-block,flip-inline,flip-block_flip-inline] not-supports-[position-area:bottom]:top-[4.5rem] not-supports-[position-area:bottom]:right-4"
    >
      <div className="sticky top-0 z-10 flex min-h-12 items-center justify-between gap-3 border-b border-line bg-surface px-4">
        <p className="text-small font-semibold">{label}</p>
        {newest && page.unread > 0 && (
          <Button type="button" look="quiet" size="small" busy={markAll.isPending} onClick={() => markAll.mutate(newest.id)}>
            Mark all as read
          </Button>
        )}
      </div>
      {notifications.isPending && <Skeleton lines={4} className="p-4" />}
      {notifications.isError && <Failed error={notifications.error} retry={notifications.refetch} />}
      {page && page.items.length === 0 && <p className="px-4 py-6 text-small text-muted">No notifications</p>}
      {page && <NotificationList items={page.items.slice(0, SHOWN)} onOpen={close} />}
      <div className="border-t border-line">
        <Link to="/notifications" onClick={close} className="link flex min-h-11 items-center px-4 text-small font-semibold">
          All notifications
        </Link>
      </div>
      <details className="border-t border-line">
        <summary className="flex min-h-11 cursor-pointer items-center px-4 text-small text-muted">Messages of this session</summary>
        <ToastHistory />
      </details>
    </div>
  )
}

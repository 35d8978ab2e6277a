import { href, useSearchParams } from 'react-router'
import type { Handle } from '#app/access.server.ts'
import { viewerOf } from '#app/page-access.server.ts'
import { identity } from '#app/content/identity.ts'
import { onNewPath } from '#app/platform/browser/revalidate.ts'
import { ButtonLink } from '#app/ui/button-link.tsx'
import { Button } from '#app/ui/button.tsx'
import { Empty } from '#app/ui/empty.tsx'
import { Failed } from '#app/ui/failed.tsx'
import { Field } from '#app/ui/field.tsx'
import { Select } from '#app/ui/input.tsx'
import { Loading } from '#app/ui/loading.tsx'
import { Page } from '#app/ui/page.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import type { Route } from './+types/notifications.page.ts'
import { kindsFor, type NotificationFilter, notificationKinds } from './notification.ts'
import { NotificationList, useMarkAllRead, useNotifications } from './notification-list.tsx'

export const handle = { access: 'workspace.enter' } satisfies Handle

export function loader({ context }: Route.LoaderArgs) {
  return { kinds: kindsFor(viewerOf(context).viewer) }
}

/** Another filter does not change the signed-in person. */
export const shouldRevalidate = onNewPath

export function meta(): Route.MetaDescriptors {
  return [{ title: `Notifications · ${identity.name}` }, { name: 'robots', content: 'noindex' }]
}

/** Everything that the product told this person in the last 90 days. The filter is in the address. */
export default function NotificationsPage({ loaderData: { kinds } }: Route.ComponentProps) {
  const [params, setParams] = useSearchParams()
  const filter = { unread: params.get('unread') === 'true', kind: kinds.find((kind) => kind === params.get('kind')) }
  const notifications = useNotifications(filter)
  const markAll = useMarkAllRead(filter)
  const newest = notifications.data?.pages[0]?.items[0]
  const unread = notifications.data?.pages[0]?.unread ?? 0
  const change = (next: NotificationFilter) => {
    const { unread: onlyUnread, kind } = { ...filter, ...next }
    setParams({ ...(onlyUnread && { unread: 'true' }), ...(kind && { kind }) }, { replace: true, preventScrollReset: true })
  }
  return (
    <Page
      kind="work"
      title="Notifications"
      actions={
        <>
          <Button
            type="button"
            look="quiet"
            busy={markAll.isPending}
            {...(unread === 0 && { unavailable: 'All are read.' })}
            onClick={() => newest && markAll.mutate(newest.id)}
          >
            Mark all as read
          </Button>
          <ButtonLink to={href('/account/notifications')} look="quiet">
            Settings
          </ButtonLink>
        </>
      }
    >
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2 pb-3 text-small">
        <label className="flex min-h-9 items-center gap-2 pointer-coarse:min-h-11">
          <input
            type="checkbox"
            checked={filter.unread}
            onChange={({ target }) => change({ unread: target.checked })}
            className="size-4 accent-grain"
          />
          Unread only{unread > 0 && ` (${unread})`}
        </label>
        <Field label="Kind" name="kind" tool>
          <Select value={filter.kind ?? ''} onChange={({ target }) => change({ kind: kinds.find((kind) => kind === target.value) })}>
            <option value="">All</option>
            {kinds.map((kind) => (
              <option key={kind} value={kind}>
                {notificationKinds[kind].label}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <Found notifications={notifications} isFiltered={filter.unread || filter.kind !== undefined} clear={() => setParams({})} />
    </Page>
  )
}

type FoundProps = { notifications: ReturnType<typeof useNotifications>; isFiltered: boolean; clear: () => void }

function Found({ notifications, isFiltered, clear }: FoundProps) {
  if (notifications.isPending) {
    return (
      <>
        <Loading>Loading notifications...</Loading>
        <Skeleton lines={10} />
      </>
    )
  }
  if (notifications.isError) return <Failed error={notifications.error} retry={notifications.refetch} />
  const items = notifications.data.pages.flatMap((page) => page.items)
  if (items.length === 0 && isFiltered) {
    return (
      <Empty title="No matching notifications" action={<Button onClick={clear}>Clear filters</Button>}>
        <p>Nothing matches these filters.</p>
      </Empty>
    )
  }
  if (items.length === 0) {
    return (
      <Empty title="No notifications">
        <p>News about your work appears here, and in the bell on every page. It is kept for 90 days.</p>
      </Empty>
    )
  }
  return (
    <>
      <div className="max-w-4xl overflow-hidden rounded-card border border-line bg-surface">
        <NotificationList items={items} />
      </div>
      {notifications.hasNextPage && (
        <p className="pt-4">
          <Button type="button" look="quiet" busy={notifications.isFetchingNextPage} onClick={() => void notifications.fetchNextPage()}>
            {notifications.isFetchingNextPage ? 'Loading...' : 'Load more'}
          </Button>
        </p>
      )}
    </>
  )
}

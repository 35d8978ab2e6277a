import { type InfiniteData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { z } from 'zod/mini'
import { apiRequest } from '#app/platform/browser/api.ts'
import { announceChange } from '#app/platform/browser/data-changed.ts'
import { onLiveEvent } from '#app/platform/browser/live-events.ts'
import { useAction } from '#app/ui/admin/use-action.ts'
import { cx } from '#app/ui/class-names.ts'
import { formatMoment } from '#app/ui/moment.ts'
import {
  type Notification,
  type NotificationFilter,
  notificationKinds,
  NOTIFICATIONS,
  notificationPage,
  type NotificationPage,
  notificationsUrl,
} from './notification.ts'

/** The person's notifications, page by page, kept current while a component uses them. */
export function useNotifications(filter: NotificationFilter = {}) {
  useEffect(() => onLiveEvent('notifications', () => announceChange(NOTIFICATIONS)), [])
  return useInfiniteQuery({
    queryKey: [notificationsUrl(filter)],
    queryFn: async ({ pageParam, signal }) => {
      const response = await apiRequest('GET', notificationsUrl(filter, pageParam), undefined, { signal })
      return z.parse(notificationPage, await response.json())
    },
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
}

/** Shows the change immediately, and takes it back if the server refuses it. */
export function useMarkNotification() {
  const client = useQueryClient()
  return useAction({
    ...onNotifications,
    send: async ({ id, read }: { id: string; read: boolean }) => apiRequest('PATCH', `${NOTIFICATIONS}/${id}`, { read }),
    expect({ id, read }) {
      client.setQueriesData<InfiniteData<NotificationPage>>({ predicate: isNotificationQuery }, (data) => data && marked(data, id, read))
      return announce
    },
    failed: 'Could not update the notification',
  })
}

/** Of the chosen kind, or all. */
export function useMarkAllRead({ kind }: NotificationFilter = {}) {
  return useAction({
    ...onNotifications,
    send: async (upTo: string) => apiRequest('POST', `${NOTIFICATIONS}/read`, { upTo, ...(kind && { kind }) }),
    failed: 'Could not mark the notifications',
  })
}

const announce = () => announceChange(NOTIFICATIONS)

/** The count in the menu is outside of the page, so the change is announced to the whole document. */
const onNotifications = { touches: [], onDone: announce }

function isNotificationQuery({ queryKey: [url] }: { queryKey: readonly unknown[] }): boolean {
  return typeof url === 'string' && url.startsWith(NOTIFICATIONS)
}

function marked(data: InfiniteData<NotificationPage>, id: string, read: boolean): InfiniteData<NotificationPage> {
  const before = data.pages.flatMap(({ items }) => items).find((item) => item.id === id)
  const change = before && (before.readAt !== null) !== read ? (read ? -1 : 1) : 0
  return {
    ...data,
    pages: data.pages.map(({ items, unread, nextCursor }) => ({
      items: items.map((item) => (item.id === id ? { ...item, readAt: read ? new Date().toISOString() : null } : item)),
      unread: Math.max(0, unread + change),
      nextCursor,
    })),
  }
}

/** `onOpen` is called when a notification is followed. */
export function NotificationList({ items, onOpen }: { items: Notification[]; onOpen?: () => void }) {
  const mark = useMarkNotification()
  return (
    <ul className="grid">
      {items.map((item) => (
        <li
          key={item.id}
          className="group/item relative flex items-start gap-3 border-b border-line px-4 py-3 last:border-b-0 hover:bg-sunken"
        >
          <span className={cx('mt-2 size-2 shrink-0 rounded-full', item.readAt ? 'bg-transparent' : 'bg-grain')} aria-hidden="true" />
          <div className="min-w-0 grow">
            <Link
              to={item.link}
              onClick={() => {
                if (!item.readAt) mark.mutate({ id: item.id, read: true })
                onOpen?.()
              }}
              className={cx(
                'block text-small text-ink no-underline before:absolute before:inset-0 wrap-anywhere',
                item.readAt ? 'font-medium' : 'font-semibold',
              )}
            >
              {!item.readAt && <span className="sr-only">Unread: </span>}
              {item.title}
            </Link>
            {item.body && <p className="text-small text-muted wrap-anywhere">{item.body}</p>}
            <p className="mt-0.5 text-fine text-muted">
              {notificationKinds[item.kind].label} · <time dateTime={item.createdAt}>{formatMoment(item.createdAt)}</time>
            </p>
          </div>
          <button
            type="button"
            aria-label={`Mark ${item.readAt ? 'unread' : 'read'}: ${item.title}`}
            onClick={() => mark.mutate({ id: item.id, read: !item.readAt })}
            className="relative -my-1 -mr-2 grid min-h-9 min-w-9 shrink-0 place-items-center rounded-control px-2 text-fine text-muted hover:text-ink pointer-coarse:min-h-11 pointer-coarse:min-w-11"
          >
            {item.readAt ? 'Mark unread' : 'Mark read'}
          </button>
        </li>
      ))}
    </ul>
  )
}

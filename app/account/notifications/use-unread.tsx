import { useEffect, useState } from 'react'
import { z } from 'zod/mini'
import { apiRequest } from '#app/platform/browser/api.ts'
import { announceChange, onDataChanged } from '#app/platform/browser/data-changed.ts'
import { onLiveEvent } from '#app/platform/browser/live-events.ts'

const NOTIFICATIONS = '/api/notifications'
const counted = z.object({ unread: z.number() })

/** Marks the notifications that lead to a page as read while a person looks at it. */
export function useOpened(path: string | undefined, unread = 1) {
  useEffect(() => {
    if (!path || unread === 0) return undefined
    const mark = () => {
      if (document.visibilityState === 'visible') void apiRequest('POST', `${NOTIFICATIONS}/opened`, { path }).catch(() => undefined)
    }
    mark()
    document.addEventListener('visibilitychange', mark)
    return () => document.removeEventListener('visibilitychange', mark)
  }, [path, unread])
}

/** The number of unread notifications, kept current. It is 0 until it is known. The list itself is loaded only where it is shown. */
export function useUnread(): number {
  const [unread, setUnread] = useState(0)
  useEffect(() => {
    let asked = new AbortController()
    const ask = async () => {
      asked.abort()
      const { signal } = (asked = new AbortController())
      const response = await apiRequest('GET', `${NOTIFICATIONS}?limit=1`, undefined, { signal })
      setUnread(z.parse(counted, await response.json()).unread)
    }
    // The bell keeps the last number; the panel itself tells why the list does not load.
    const refresh = () => void ask().catch(() => undefined)
    refresh()
    const ends = [
      onLiveEvent('notifications', () => announceChange(NOTIFICATIONS)),
      onDataChanged((prefix) => NOTIFICATIONS.startsWith(prefix) && refresh()),
      () => asked.abort(),
    ]
    return () => ends.forEach((end) => end())
  }, [])
  return unread
}

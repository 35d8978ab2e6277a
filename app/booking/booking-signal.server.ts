import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { defineLiveTopic } from '#app/account/notifications/live-topic.server.ts'
import { gathered } from '#app/platform/database/gathered.server.ts'
import { onSignal, signal } from '#app/platform/database/signals.server.ts'
import { clearPages } from '#app/platform/page-cache/page-cache.server.ts'

/** The signal that calendars subscribe to: calls, holds and hours have changed. */
export const BOOKINGS = 'bookings'

/** The tag of cached pages with free times. */
const FREE_TIMES = 'free-times'

const listeners: (() => void)[] = []
const self = randomUUID()
const told = z.object({ from: z.string() })
// A process of another version, which runs for a moment during an update, can send something else.
onSignal(BOOKINGS, (payload) => told.safeParse(payload).data?.from !== self && tellListeners())

/** Calls back after each change of calls, holds or hours: at once after those of this process, and soon after those of others. */
export function onBookingsChange(callback: () => void): void {
  listeners.push(callback)
}

function tellListeners() {
  for (const callback of listeners) callback()
}

const tellCalendars = gathered(
  async (age) => Promise.all([signal(BOOKINGS, { from: self, age }), clearPages(FREE_TIMES)]),
  'calendars were not notified of changed calls',
)

/** Tells open calendars that calls have changed, and clears the pages with free times. */
export function announceBookings(): void {
  tellListeners()
  tellCalendars()
}

defineLiveTopic({ name: BOOKINGS, permission: 'leads.read' })

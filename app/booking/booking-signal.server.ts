import { randomUUID } from 'node:crypto'
import { defineLiveTopic } from '#app/account/notifications/live-topic.server.ts'
import { log } from '#app/platform/process/log.server.ts'
import { onSignal, signal } from '#app/platform/database/signals.server.ts'
import { clearPages } from '#app/platform/page-cache/page-cache.server.ts'

/** The signal that calendars subscribe to: calls, holds and hours have changed. */
export const BOOKINGS = 'bookings'

/** The tag of cached pages with free times. */
const FREE_TIMES = 'free-times'

const GATHER_MS = 100
let planned = false

const listeners: (() => void)[] = []
const self = randomUUID()
onSignal(BOOKINGS, (process) => process !== self && tellListeners())

/** Calls back after each change of calls, holds or hours: at once after those of this process, and soon after those of others. */
export function onBookingsChange(callback: () => void): void {
  listeners.push(callback)
}

function tellListeners() {
  for (const callback of listeners) callback()
}

/** Tells open calendars that calls have changed, and clears the pages with free times: soon, and once for a whole burst. */
export function announceBookings(): void {
  tellListeners()
  if (planned) return
  planned = true
  setTimeout(() => {
    planned = false
    Promise.all([signal(BOOKINGS, self), clearPages(FREE_TIMES)]).catch((error: unknown) =>
      log.warn({ err: error }, 'calendars were not notified of changed calls'),
    )
  }, GATHER_MS).unref()
}

defineLiveTopic({ name: BOOKINGS, permission: 'leads.read' })

import { defineLiveTopic } from '#app/account/notifications/live-topic.server.ts'
import { log } from '#app/platform/log.server.ts'
import { signal } from '#app/platform/database/signals.server.ts'

/** The signal that calendars subscribe to: calls, holds and hours have changed. */
export const BOOKINGS = 'bookings'

const GATHER_MS = 100
let planned = false

/** Tells open calendars that calls have changed: soon, and once for a whole burst. */
export function announceBookings(): void {
  if (planned) return
  planned = true
  setTimeout(() => {
    planned = false
    signal(BOOKINGS).catch((error: unknown) => log.warn({ err: error }, 'calendars were not notified of changed calls'))
  }, GATHER_MS).unref()
}

defineLiveTopic({ name: BOOKINGS, permission: 'leads.read' })

import { propertyOf } from '#app/platform/errors/property.ts'

const PAUSE_MS = 1000

/** After a booking in the calendar's frame, opens the confirmation page. */
export function followBooking(element: HTMLElement) {
  const frame = element.querySelector('iframe')
  if (!frame) return undefined
  const { origin } = new URL(frame.src)
  function follow({ data, origin: from, source }: MessageEvent<unknown>) {
    if (from !== origin || source !== frame?.contentWindow || !isBooked(data)) return
    removeEventListener('message', follow)
    tellServer(data)
    setTimeout(() => location.assign('/booking-success'), PAUSE_MS)
  }
  addEventListener('message', follow)
  return () => removeEventListener('message', follow)
}

/** Kept as unverified until the webhook of the calendar tells the same. */
function tellServer(message: unknown) {
  const call = bookedCall(message)
  if (!call) return
  const headers = { 'content-type': 'application/json' }
  // The page may be gone before the answer. A call that is not noted comes with the webhook.
  fetch('/api/booking/embedded', { method: 'POST', keepalive: true, headers, body: JSON.stringify(call) }).catch(() => undefined)
}

/** The call that a message tells of, in itself or in its payload. Most calendars tell nothing. */
export function bookedCall(message: unknown): Record<string, string> | undefined {
  const told: unknown = typeof message === 'object' && message !== null && 'payload' in message ? message.payload : message
  const entries = ['name', 'email', 'startsAt', 'endsAt'].map((name) => [name, propertyOf(told, name)] as const)
  const call = Object.fromEntries(entries.filter(([, value]) => value !== ''))
  return call['name'] && call['email'] && call['startsAt'] ? call : undefined
}

const BOOKED = 'calendar-booking-success'

/** The calendar's message after a booking: a string, or the type or event of an object. */
export function isBooked(message: unknown): boolean {
  if (message === BOOKED) return true
  if (typeof message !== 'object' || message === null) return false
  return ('type' in message && message.type === BOOKED) || ('event' in message && message.event === BOOKED)
}

const PAUSE_MS = 1000

/** After a booking in the calendar's frame, opens the confirmation page. */
export function followBooking(element: HTMLElement) {
  const frame = element.querySelector('iframe')
  if (!frame) return undefined
  const { origin } = new URL(frame.src)
  function follow({ data, origin: from, source }: MessageEvent<unknown>) {
    if (from !== origin || source !== frame?.contentWindow || !isBooked(data)) return
    removeEventListener('message', follow)
    setTimeout(() => location.assign('/booking-success'), PAUSE_MS)
  }
  addEventListener('message', follow)
  return () => removeEventListener('message', follow)
}

const BOOKED = 'calendar-booking-success'

/** The calendar's message after a booking: a string, or the type or event of an object. */
export function isBooked(message: unknown): boolean {
  if (message === BOOKED) return true
  if (typeof message !== 'object' || message === null) return false
  return ('type' in message && message.type === BOOKED) || ('event' in message && message.event === BOOKED)
}

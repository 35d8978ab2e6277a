import { isBooked } from './booking-message.ts'

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

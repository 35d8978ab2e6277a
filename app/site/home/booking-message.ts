const BOOKED = 'calendar-booking-success'

/** The calendar's message after a booking: a string, or the type or event of an object. */
export function isBooked(message: unknown): boolean {
  if (message === BOOKED) return true
  if (typeof message !== 'object' || message === null) return false
  return ('type' in message && message.type === BOOKED) || ('event' in message && message.event === BOOKED)
}

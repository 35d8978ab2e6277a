const BOOKED = 'calendar-booking-success'

/** What a calendar says when a call has been booked: the words alone, or as the type or the event of a message. */
export function isBooked(message: unknown): boolean {
  if (message === BOOKED) return true
  if (typeof message !== 'object' || message === null) return false
  return ('type' in message && message.type === BOOKED) || ('event' in message && message.event === BOOKED)
}

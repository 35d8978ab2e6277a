import { expect, test } from 'vitest'
import { isBooked } from './booking.island.ts'

test.each(['calendar-booking-success', { type: 'calendar-booking-success' }, { event: 'calendar-booking-success', id: 7 }])(
  'a calendar that says %j has booked a call',
  (message) => expect(isBooked(message)).toBe(true),
)

test.each([undefined, null, '', 'calendar-booking-failed', 7, [], {}, { type: 'resize' }, { data: 'calendar-booking-success' }])(
  'a calendar that says %j has not',
  (message) => expect(isBooked(message)).toBe(false),
)

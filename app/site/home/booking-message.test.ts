import { expect, test } from 'vitest'
import { bookedCall, isBooked } from './booking.island.ts'

test.each(['calendar-booking-success', { type: 'calendar-booking-success' }, { event: 'calendar-booking-success', id: 7 }])(
  'a calendar that says %j has booked a call',
  (message) => expect(isBooked(message)).toBe(true),
)

test.each([undefined, null, '', 'calendar-booking-failed', 7, [], {}, { type: 'resize' }, { data: 'calendar-booking-success' }])(
  'a calendar that says %j has not',
  (message) => expect(isBooked(message)).toBe(false),
)

const call = { name: 'Ada', email: 'ada@analytical.example', startsAt: '2026-12-01T09:00:00Z' }

test('a message that says who has booked which time is told to the server, and no other', () => {
  expect(bookedCall({ type: 'calendar-booking-success', ...call })).toEqual(call)
  expect(bookedCall({ type: 'calendar-booking-success', payload: { ...call, price: 0 } })).toEqual(call)
  for (const message of ['calendar-booking-success', { type: 'calendar-booking-success' }, { payload: null }, { ...call, email: '' }])
    expect(bookedCall(message)).toBeUndefined()
})

import { expect, test } from 'vitest'
import { onSignal, signal } from '#app/platform/database/signals.server.ts'
import { announceBookings, BOOKINGS, onBookingsChange } from './booking-signal.server.ts'

test('a change is told immediately here, and its signal adds nothing; signals of other processes are told, also in the form of an earlier version', async () => {
  let told = 0
  onBookingsChange(() => (told += 1))
  const { promise: heard, resolve } = Promise.withResolvers<unknown>()
  onSignal(BOOKINGS, resolve)
  announceBookings()
  expect(told).toBe(1)
  expect(await heard).toMatchObject({ age: expect.any(Number) })
  expect(told).toBe(1)
  for (const payload of [{ from: 'another process', age: 3 }, 'another process', null]) await signal(BOOKINGS, payload)
  expect(told).toBe(4)
})

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { leadCountText, formatCount, hoursSince, elapsedText, waitedSince } from './format.ts'

beforeEach(() => vi.useFakeTimers({ now: new Date('2026-10-05T12:00:00Z') }))
afterEach(() => vi.useRealTimers())

test('a number has its thousands apart and its noun in the right form', () => {
  expect(formatCount(1234567)).toBe('1,234,567')
  expect([0, 1, 2, 2000].map((count) => leadCountText(count, 'enquiry', 'enquiries'))).toEqual([
    '0 enquiries',
    '1 enquiry',
    '2 enquiries',
    '2,000 enquiries',
  ])
})

test('how long someone has waited is told in hours, and in days once they are two', () => {
  expect(waitedSince('2026-10-05T11:00:01Z')).toBe('under 1 h')
  expect(waitedSince('2026-10-05T11:00:00Z')).toBe('1 h')
  expect(waitedSince('2026-10-03T12:00:01Z')).toBe('47 h')
  expect(waitedSince('2026-10-03T12:00:00Z')).toBe('2 days')
  expect(waitedSince('2026-09-05T12:00:00Z')).toBe('30 days')
  expect(hoursSince('2026-10-05T10:30:00Z')).toBe(1.5)
})

test('a code is read as words', () => {
  expect(elapsedText('hidden_field')).toBe('hidden field')
  expect(elapsedText('too_many_links')).toBe('too many links')
})

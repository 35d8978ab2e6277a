import { expect, test } from 'vitest'
import { readSources } from '#scripts/source.ts'
import { formatDay, formatMoment } from '#app/ui/moment.ts'
import { inUtc } from '#app/auth/tokens/email-time.ts'
import { callTime } from '#app/booking/rules/call-time.ts'
import { momentText, timesText } from '#app/booking/calendar/call-text.ts'
import { shortTime } from '#app/booking/page/month.ts'
import { weekdayAndTime } from '#app/platform/time/clock.ts'

test('pages, emails and notices show one clock, with 24 hours, and dates in US order', () => {
  const at = '2026-10-05T00:05:00Z'
  const later = '2026-10-05T13:05:00Z'
  expect([formatMoment(at), formatMoment(later), formatDay(at)]).toEqual(['Oct 5, 2026, 00:05', 'Oct 5, 2026, 13:05', 'Oct 5, 2026'])
  expect(inUtc(later)).toBe('October 5, 2026 at 13:05 UTC')
  expect(callTime(later, 'America/New_York')).toBe('Monday, October 5, 2026 at 09:05 (America/New York)')
  expect(weekdayAndTime(new Date(at), 'UTC')).toBe('Monday, October 5 at 00:05 UTC')
  expect(weekdayAndTime(new Date(at), 'America/Los_Angeles')).toBe('Sunday, October 4 at 17:05 PDT')
  expect(momentText(later, 'UTC')).toBe('Mon, Oct 5, 13:05')
  expect(timesText({ startsAt: at, endsAt: later }, 'UTC')).toBe('00:05–13:05')
  expect(shortTime(Date.parse(later), 'UTC')).toBe('Mon, Oct 5, 13:05')
})

test('no file writes a time of day with a format of its own', () => {
  const own = /timeStyle|toLocaleTimeString|hour12|['"]?hour['"]?: ['"](2-digit|numeric)|DateTimeFormat\(['"]en-GB/
  const writers = readSources()
    .filter(({ part, text }) => part === 'product' && own.test(text))
    .map(({ file }) => file)
  expect(writers).toEqual(['app/platform/time/clock.ts'])
})

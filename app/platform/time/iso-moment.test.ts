import { expect, test } from 'vitest'
import { isDay, momentIn } from './iso-moment.ts'

test.each([
  ['2026-12-31', true],
  ['2028-02-29', true],
  ['2027-02-29', false],
  ['2026-02-30', false],
  ['2026-13-01', false],
  ['0000-01-01', false],
  ['2026-12-31T00:00Z', false],
  ['31.12.2026', false],
  ['', false],
])('whether “%s” is a day: %s', (text, expected) => expect(isDay(text)).toBe(expected))

test.each(['2026-02-30', '2026-02-30T10:00Z', '2026-12-31T25:00Z', 'today'])('“%s” is no moment', (text) => {
  expect(momentIn(text)).toBeUndefined()
})

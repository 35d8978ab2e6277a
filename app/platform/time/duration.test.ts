import { expect, test } from 'vitest'
import { durationText } from './duration.ts'

test.each([
  [1, 'a second'],
  [59, '59 seconds'],
  [60, 'a minute'],
  [119, 'a minute'],
  [900, '15 minutes'],
  [3599, '59 minutes'],
  [3600, 'an hour'],
  [5400, '90 minutes'],
  [7200, '2 hours'],
])('%i seconds are %s', (seconds, words) => {
  expect(durationText(seconds)).toBe(words)
})

test('a pause is rounded up, so that it has passed by then', () => {
  expect([61, 3541, 3600].map((seconds) => durationText(seconds, Math.ceil))).toEqual(['2 minutes', 'an hour', 'an hour'])
})

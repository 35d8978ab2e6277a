import { expect, test } from 'vitest'
import { conversionRate } from '#app/leads/list/lead-summary.ts'

test.each([
  [0, 0, 0],
  [5, 0, 0],
  [1, 3, 33],
  [2, 3, 67],
  [3, 2, 150],
])('%i consultations of %i contacts are %i percent', (consultations, contacts, percent) => {
  expect(conversionRate(consultations, contacts)).toBe(percent)
})

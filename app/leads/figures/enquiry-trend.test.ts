import { expect, test } from 'vitest'
import { byWeek, describeTrend, weeklyMeans } from './enquiry-trend.ts'

const days = (...counts: number[]) => counts.map((count, at) => ({ date: `2026-10-${String(at + 1).padStart(2, '0')}`, count }))

test('the line is the mean of the seven days that end there, and of fewer at the beginning', () => {
  expect(weeklyMeans(days(7, 0, 2, 0, 0, 0, 5, 0))).toEqual([7, 3.5, 3, 2.25, 1.8, 1.5, 2, 1])
})

test('the chart has a text alternative: the count, the trend, and the busiest day', () => {
  expect(describeTrend(days(1, 1, 1, 1, 1, 1, 1, 0, 9, 0, 0, 0, 0, 0))).toBe(
    '16 enquiries in 14 days. The last 7 days brought 9, the 7 before 7. Busiest: Oct 9 with 9.',
  )
  expect(describeTrend(days(0, 1))).toContain('1 enquiry in 2 days.')
})

test('days without enquiries are described as such', () => {
  expect(describeTrend(days(0, 0, 0))).toBe('No enquiries in the last 3 days.')
})

test('weeks end today and lose no day', () => {
  expect(byWeek(days(5, 1, 1, 1, 1, 1, 1, 1, 1))).toEqual([
    { from: '2026-10-01', to: '2026-10-02', count: 6 },
    { from: '2026-10-03', to: '2026-10-09', count: 7 },
  ])
})

import { expect, test } from 'vitest'
import { Pace, timeInWords } from './pace.ts'

test('a speed is that of the last seconds, and nothing while there is too little to say', () => {
  const pace = new Pace()
  pace.mark(0, 0)
  expect(pace.perSecond()).toBeUndefined()
  for (let second = 1; second <= 20; second += 1) pace.mark(second * 1000, second * 1000)
  expect(pace.perSecond()).toBeCloseTo(1000)
  for (let second = 21; second <= 40; second += 1) pace.mark(second * 1000, 20_000 + (second - 20) * 5000)
  expect(pace.perSecond()).toBeCloseTo(5000)
  pace.mark(41_000, 100)
  expect(pace.perSecond()).toBeUndefined()
})

test('what is left is said in the largest unit that still tells something', () => {
  expect([0.2, 40, 89, 91, 3600, 7500].map(timeInWords)).toEqual(['1 s', '40 s', '89 s', '2 min', '60 min', '2 h 5 min'])
})

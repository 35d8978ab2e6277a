import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bandScale, linearScale, lineThrough, roundSpan, ticksOf } from './chart-scale.ts'

test('the ticks of a chart are round numbers, also between 0 and 1', () => {
  expect(ticksOf([0, 4], 4)).toEqual([0, 1, 2, 3, 4])
  expect(ticksOf([0, 17], 4)).toEqual([0, 5, 10, 15])
  expect(ticksOf([-3, 12], 4)).toEqual([0, 5, 10])
  expect(ticksOf([0, 1], 4)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1])
  expect(ticksOf([0.1, 0.3], 2)).toEqual([0.1, 0.2, 0.3])
  expect(ticksOf([7, 7], 4)).toEqual([7])
})

test('an axis ends at round numbers that hold all values', () => {
  expect(roundSpan([0, 17], 4)).toEqual([0, 20])
  expect(roundSpan([-3, 12], 4)).toEqual([-5, 15])
  expect(roundSpan([0, 4], 4)).toEqual([0, 4])
  expect(roundSpan([2, 2], 4)).toEqual([2, 2])
  const values = fc.tuple(fc.integer({ min: -1_000_000, max: 1_000_000 }), fc.integer({ min: 1, max: 1_000_000 }))
  fc.assert(
    fc.property(values, fc.integer({ min: 2, max: 10 }), ([from, width], count) => {
      const [least, most] = roundSpan([from, from + width], count)
      const ticks = ticksOf([least, most], count)
      expect(least).toBeLessThanOrEqual(from)
      expect(most).toBeGreaterThanOrEqual(from + width)
      expect([ticks[0], ticks.at(-1)]).toEqual([least, most])
      expect(ticks.length).toBeLessThanOrEqual(2 * count + 2)
    }),
  )
})

test('a value is placed in proportion, and the only value of a chart in its middle', () => {
  const y = linearScale([0, 20], [100, 0])
  expect([y(0), y(5), y(20)]).toEqual([100, 75, 0])
  expect(linearScale([3, 3], [0, 10])(3)).toBe(5)
})

test('bars share the width, with a gap before the first and after the last', () => {
  const bars = bandScale(3, [0, 13], 0.25)
  expect([bars.step, bars.width, bars.at(0), bars.at(2)]).toEqual([4, 3, 1, 9])
  expect(bars.at(2) + bars.width).toBe(12)
})

test('a line goes through its points in order', () => {
  expect(
    lineThrough([
      [0, 4],
      [2, 3.5],
    ]),
  ).toBe('M0,4L2,3.5')
  expect(lineThrough([])).toBe('')
})

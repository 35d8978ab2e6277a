import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dollarsText, numberText } from './english-number.ts'

test('a number is written as Intl writes it', () => {
  const format = new Intl.NumberFormat('en')
  fc.assert(
    fc.property(fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.double({ noNaN: true })), (value) => {
      // `Intl` writes the sign of a negative zero, and no count has one.
      expect(numberText(value)).toBe(format.format(Object.is(value, -0) ? 0 : value))
    }),
  )
})

test('an amount of whole dollars has no cents', () => {
  const usd = { style: 'currency', currency: 'USD' } as const
  fc.assert(
    fc.property(
      fc.oneof(
        fc.integer(),
        fc.integer().map((dollars) => dollars * 100),
      ),
      (cents) => {
        const digits = cents % 100 === 0 ? { maximumFractionDigits: 0 } : {}
        expect(dollarsText(cents)).toBe(new Intl.NumberFormat('en', { ...usd, ...digits }).format(cents === 0 ? 0 : cents / 100))
      },
    ),
  )
})

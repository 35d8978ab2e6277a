import fc from 'fast-check'
import { Big } from 'big.js'
import { describe, expect, test } from 'vitest'
import { shareOf, totalsOf } from './totals.ts'

const data = { detail: '', discount: 0, supply: 'data', quantity: 1000 } as const

describe('totals', () => {
  test('tax is computed once for each rate, on the sum of its lines', () => {
    const lines = Array.from({ length: 3 }, () => ({ ...data, title: 'A dataset', unitAmount: 33 }))
    // Line by line it would be 3 × 6 = 18.
    expect(totalsOf(lines, () => ({ category: 'S', rate: 1900, reason: '' }))).toMatchObject({ net: 99, tax: 19, gross: 118 })
  })

  test('a discount is taken off before tax, and half a cent is rounded up', () => {
    const line = { ...data, title: 'Half a day', unitAmount: 12_345, quantity: 500, discount: 173 }
    expect(totalsOf([line], () => ({ category: 'S', rate: 1000, reason: '' }))).toMatchObject({ net: 6000, tax: 600, gross: 6600 })
  })

  test('a share equals that of a second implementation, whatever the sign', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.integer({ min: 0, max: 10_000 }), (amount, share) => {
        const second = new Big(amount).times(share).div(10_000).round(0, Big.roundHalfUp)
        expect(shareOf(amount, share, 4)).toBe(second.toNumber() || 0)
      }),
    )
  })
})

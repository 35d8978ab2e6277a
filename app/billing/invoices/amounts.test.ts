import { Big } from 'big.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { totalsOf, type Totals } from '#app/billing/orders/totals.ts'
import { choiceOf, netOf, ONE, orderLinesOf } from '#app/billing/proposals/proposal.ts'
import { byLength } from '#test/length.ts'
import { creditOf } from './credit.ts'
import { depositOf, restOf } from './prepayment.ts'

const rates = [0, 500, 550, 700, 810, 1900, 2000, 2550]

const line = fc.record({
  title: fc.constant('A line'),
  detail: fc.constant(''),
  quantity: fc.integer({ min: 1, max: 100_000 }),
  unitAmount: fc.integer({ min: 0, max: 5_000_000 }),
  discount: fc.integer({ min: 0, max: 1000 }),
  supply: fc.constantFrom('data', 'service'),
})

/** Lines with a rate for each supply, of the day of the deposit and of the day of the final invoice, and the share of the deposit. */
const order = fc.record({
  lines: fc
    .array(line, { minLength: 1, maxLength: 12 })
    .map((all) => all.map((one) => ({ ...one, discount: Math.min(one.discount, Math.floor((one.unitAmount * one.quantity) / 1000)) }))),
  before: fc.record({ data: fc.constantFrom(...rates), service: fc.constantFrom(...rates) }),
  now: fc.record({ data: fc.constantFrom(...rates), service: fc.constantFrom(...rates) }),
  share: fc.integer({ min: 1, max: 10_000 }),
  credits: fc.array(fc.integer({ min: 1, max: 10_000 }), { maxLength: 4 }),
})

const taxed = (by: { data: number; service: number }) => (of: { supply: 'data' | 'service' }) =>
  ({ category: by[of.supply] === 0 ? 'Z' : 'S', rate: by[of.supply], reason: '' }) as const

/** The same sums by decimals, written a second time: what each rate has in net and tax. */
function second(
  lines: readonly { quantity: number; unitAmount: number; discount: number; supply: 'data' | 'service' }[],
  by: { data: number; service: number },
) {
  const nets = new Map<number, Big>()
  for (const { quantity, unitAmount, discount, supply } of lines) {
    const net = new Big(unitAmount).times(quantity).div(1000).round(0, Big.roundHalfUp).minus(discount)
    nets.set(by[supply], (nets.get(by[supply]) ?? new Big(0)).plus(net))
  }
  const parts = [...nets].map(([rate, net]) => ({ rate, net, tax: net.times(rate).div(10_000).round(0, Big.roundHalfUp) }))
  const sum = (of: 'net' | 'tax') => parts.reduce((total, part) => total.plus(part[of]), new Big(0)).toNumber()
  return { net: sum('net'), tax: sum('tax'), gross: sum('net') + sum('tax') }
}

const sumsOf = ({ net, tax, gross }: Totals) => ({ net, tax, gross })

test('sums of lines, discounts and rates equal a second implementation; deposit and rest are the whole, whatever the rates in between', () => {
  fc.assert(
    fc.property(order, ({ lines, before: ratesBefore, now, share }) => {
      const [before, whole] = [totalsOf(lines, taxed(ratesBefore)), totalsOf(lines, taxed(now))]
      expect(sumsOf(whole)).toEqual(second(lines, now))
      const deposit = depositOf(before, share, 'Deposit')
      expect(deposit.gross).toBe(new Big(before.gross).times(share).div(10_000).round(0, Big.roundHalfUp).toNumber())
      const { net, tax, gross, taxParts } = deposit
      const rest = restOf(whole, [{ number: 'INV-2026-0001', issuedOn: '2026-12-01', net, tax, gross, taxParts }])
      expect([rest.net + net, rest.tax + tax, rest.gross + gross]).toEqual([whole.net, whole.tax, whole.gross])
      for (const totals of [deposit, rest]) {
        expect(totals.lines.reduce((sum, one) => sum + one.net, 0)).toBe(totals.net)
        // EN 16931 allows the tax of a rate to be one unit off.
        for (const part of totals.taxParts) expect(Math.abs(part.tax - (part.net * part.rate) / 10_000)).toBeLessThanOrEqual(1.5)
      }
    }),
    { numRuns: byLength(300, 10_000) },
  )
})

test('credits of any sizes share the rates, and together with the last one they are the invoice', () => {
  fc.assert(
    fc.property(order, ({ lines, now, credits }) => {
      const invoice = { number: 'INV-2026-0001', ...totalsOf(lines, taxed(now)) }
      const notes: (typeof invoice)[] = []
      let left = invoice.gross
      for (const size of [...credits, 10_000]) {
        const amount = size === 10_000 ? left : Math.floor((left * size) / 10_000)
        const note = creditOf(invoice, notes, amount)
        expect(note === undefined).toBe(amount === 0)
        if (!note) continue
        notes.push({ number: 'INV-2026-0002', ...note })
        left -= amount
        expect(note.lines.reduce((sum, one) => sum + one.net, 0)).toBe(note.net)
      }
      const of = (key: 'net' | 'tax' | 'gross') => notes.reduce((sum, note) => sum + note[key], 0)
      expect([of('net'), of('tax'), of('gross')]).toEqual([invoice.net, invoice.tax, invoice.gross])
      expect(creditOf(invoice, notes, 1)).toBeUndefined()
    }),
    { numRuns: byLength(200, 10_000) },
  )
})

const proposed = fc.record({
  id: fc.constant(''),
  title: fc.constant('A line'),
  detail: fc.constant(''),
  quantity: fc.integer({ min: 1, max: 100_000 }),
  most: fc.integer({ min: 100_001, max: 1_000_000 }),
  unitAmount: fc.integer({ min: 0, max: 5_000_000 }),
  discountShare: fc.integer({ min: 0, max: 10_000 }),
  isOptional: fc.boolean(),
  isChosen: fc.boolean(),
  wanted: fc.integer({ min: -5, max: 1_100_000 }),
})

/** A discount on the whole: a share, or an amount that may be more than what is taken costs. */
const onWhole = fc.oneof(
  fc.record({ discountShare: fc.integer({ min: 0, max: 10_000 }) }),
  fc.record({ discountAmount: fc.integer({ min: 0, max: 10_000_000 }) }),
)

test('what a client takes of a proposal, in quantities of their own and with a discount on the whole, equals a second implementation', () => {
  const half = (value: Big) => value.round(0, Big.roundHalfUp)
  fc.assert(
    fc.property(fc.array(proposed, { minLength: 1, maxLength: 8 }), onWhole, fc.constantFrom(...rates), (given, discount, rate) => {
      const lines = given.map(({ most, wanted: _wanted, ...one }, at) => ({ ...one, id: `a${at}`, range: { least: 1, most } }))
      const quantities = Object.fromEntries(given.map(({ wanted }, at) => [`a${at}`, wanted]))
      const choice = choiceOf({ lines }, { chosen: lines.filter(({ isChosen }) => isChosen).map(({ id }) => id), quantities })
      let whole = new Big(0)
      for (const { quantity, most, unitAmount, discountShare, isOptional, isChosen, wanted } of given) {
        if (isOptional && !isChosen) continue
        const steps = [quantity, 1, most].every((one) => one % ONE === 0) ? ONE : 1
        const taken = wanted >= 1 && wanted <= most && wanted % steps === 0 ? wanted : quantity
        const gross = half(new Big(unitAmount).times(taken).div(1000))
        whole = whole.plus(gross).minus(half(gross.times(discountShare).div(10_000)))
      }
      const asked = 'discountShare' in discount ? half(whole.times(discount.discountShare).div(10_000)) : new Big(discount.discountAmount)
      const net = whole.minus(asked.gt(whole) ? whole : asked)
      const content = { lines, ...discount }
      expect(netOf(content, choice)).toBe(net.toNumber())
      const totals = totalsOf(orderLinesOf(content, choice), taxed({ data: rate, service: rate }))
      expect([totals.net, totals.tax]).toEqual([net.toNumber(), half(net.times(rate).div(10_000)).toNumber()])
      expect(totals.lines.reduce((sum, one) => sum + one.net, 0)).toBe(totals.net)
    }),
    { numRuns: byLength(200, 10_000) },
  )
})

import type { OrderLine, TaxPart } from '#app/billing/orders/order.ts'
import { shareOf, type Totals } from '#app/billing/orders/totals.ts'
import type { Prepaid } from './document.ts'

/**
 * A deposit on a whole: a share of its gross, of 10,000. Each rate of the whole has its share, from which its tax is taken out, so the gross
 * is exact.
 */
export function depositOf(whole: Totals, share: number, title: string): Totals {
  const asked = shareOf(whole.gross, share, 4)
  const parts: TaxPart[] = []
  const lines: OrderLine[] = []
  let left = asked
  for (const [at, { category, rate, reason, net, tax }] of whole.taxParts.entries()) {
    const gross = at === whole.taxParts.length - 1 ? left : shareOf(net + tax, share, 4)
    left -= gross
    const own = netOf(gross, rate)
    parts.push({ category, rate, reason, net: own, tax: gross - own })
    lines.push({ ...lineOf(whole.lines, { category, rate }), title, net: own, unitAmount: own })
  }
  return summed(lines, parts)
}

/**
 * The rest of a whole after its deposits: its lines, and each deposit as lines of quantity -1 with the tax that it was invoiced with.
 * Deposits and rest are the whole, also when a rate has changed in between.
 */
export function restOf(whole: Totals, deposits: readonly Prepaid[]): Totals {
  const lines = [...whole.lines]
  const parts = new Map(whole.taxParts.map((part) => [keyOf(part), part]))
  for (const { number, issuedOn, taxParts } of deposits) {
    for (const { net, tax, ...rest } of taxParts) {
      const line = lineOf(whole.lines, rest)
      lines.push({ ...line, title: prepaymentTitle({ number, issuedOn }), quantity: -1000, unitAmount: net, net: -net })
      const before = parts.get(keyOf(rest)) ?? { ...rest, net: 0, tax: 0 }
      parts.set(keyOf(rest), { ...before, net: before.net - net, tax: before.tax - tax })
    }
  }
  return summed(lines, [...parts.values()])
}

/** The line of a final invoice that takes a deposit off. */
export function prepaymentTitle({ number, issuedOn }: Pick<Prepaid, 'number' | 'issuedOn'>): string {
  return `Prepayment ${number} of ${issuedOn}`
}

/** The net of a gross, rounded half up. */
function netOf(gross: number, rate: number): number {
  const divisor = BigInt(10_000 + rate)
  const doubled = BigInt(gross) * 20_000n + divisor
  return Number(doubled / (divisor * 2n))
}

function keyOf({ category, rate, reason }: Pick<TaxPart, 'category' | 'rate' | 'reason'>): string {
  return `${category} ${rate} ${reason}`
}

/** A line of this rate as a pattern. */
function lineOf(lines: readonly OrderLine[], { category, rate }: Pick<TaxPart, 'category' | 'rate'>): OrderLine {
  const supply = lines.find(({ taxCategory, taxRate }) => taxCategory === category && taxRate === rate)?.supply ?? 'service'
  return { title: '', detail: '', quantity: 1000, unitAmount: 0, discount: 0, net: 0, supply, taxCategory: category, taxRate: rate }
}

function summed(lines: OrderLine[], taxParts: TaxPart[]): Totals {
  const net = taxParts.reduce((sum, part) => sum + part.net, 0)
  const tax = taxParts.reduce((sum, part) => sum + part.tax, 0)
  return { lines, taxParts, net, tax, gross: net + tax }
}

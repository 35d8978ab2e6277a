import { dinero, halfAwayFromZero, multiply, toSnapshot, transformScale } from 'dinero.js/bigint'
import { moneyText } from '#app/platform/text/money.ts'
import type { OrderLine, ProviderTax, TaxPart } from './order.ts'

export type Totals = { lines: OrderLine[]; taxParts: TaxPart[]; net: number; tax: number; gross: number }

type TaxOf = (line: Omit<OrderLine, 'net' | 'taxCategory' | 'taxRate'>) => Pick<TaxPart, 'category' | 'rate' | 'reason'>

/**
 * Sums lines as EN 16931 asks: the net of each line is rounded, tax is computed once for each category and rate on the sum of its lines
 * (BR-CO-14), half up.
 */
export function totalsOf(given: readonly Omit<OrderLine, 'net' | 'taxCategory' | 'taxRate'>[], taxOf: TaxOf): Totals {
  const parts = new Map<string, TaxPart>()
  const lines = given.map((line) => {
    const { category, rate, reason } = taxOf(line)
    const net = shareOf(line.unitAmount, line.quantity, 3) - line.discount
    const key = `${category} ${rate} ${reason}`
    const part = parts.get(key) ?? { category, rate, reason, net: 0, tax: 0 }
    parts.set(key, { ...part, net: part.net + net })
    return { ...line, net, taxCategory: category, taxRate: rate }
  })
  const taxParts = [...parts.values()].map((part) => ({ ...part, tax: shareOf(part.net, part.rate, 4) }))
  const net = taxParts.reduce((sum, part) => sum + part.net, 0)
  const tax = taxParts.reduce((sum, part) => sum + part.tax, 0)
  return { lines, taxParts, net, tax, gross: net + tax }
}

/** The lines of an order with the tax that the payment provider has added to their net. */
export function withProviderTax({ lines, net }: Pick<Totals, 'lines' | 'net'>, given: ProviderTax): Totals {
  const { category, rate, reason, jurisdiction, tax } = given
  const taxed = lines.map((line) => ({ ...line, taxCategory: category, taxRate: rate }))
  return { lines: taxed, taxParts: [{ category, rate, reason, jurisdiction, net, tax }], net, tax, gross: net + tax }
}

/** Smallest units, whatever the currency. */
const UNIT = { code: '', base: 10n, exponent: 0n }

/** `amount × share ÷ 10^scale`, rounded half away from zero. Exact also where the product exceeds the integers of a double. */
export function shareOf(amount: number, share: number, scale: number): number {
  const product = multiply(dinero({ amount: BigInt(amount), currency: UNIT }), { amount: BigInt(share), scale: BigInt(scale) })
  return Number(toSnapshot(transformScale(product, 0n, halfAwayFromZero)).amount)
}

type Total = { gross: number; currency: string; taxBy: 'table' | 'provider'; providerTax: unknown }

/** The total of an order in words. The tax that the payment provider adds is not in it before the payment. */
export function totalText({ gross, currency, taxBy, providerTax }: Total): string {
  return `${moneyText(gross, currency)}${taxBy === 'provider' && !providerTax ? ' plus tax' : ''}`
}

import type { OrderLine, TaxPart } from '#app/billing/orders/order.ts'
import type { Totals } from '#app/billing/orders/totals.ts'
import type { InvoiceDocument } from './document.ts'

type Amounts = Pick<InvoiceDocument, 'number' | 'taxParts' | 'gross'>

/** The rest of each tax rate of an invoice after its credit notes. */
export function leftOf(invoice: Pick<Amounts, 'taxParts'>, credits: readonly Pick<Amounts, 'taxParts'>[]): TaxPart[] {
  return invoice.taxParts.map((part) => {
    const same = credits.flatMap(({ taxParts }) => taxParts.filter((one) => one.category === part.category && one.rate === part.rate))
    return same.reduce((rest, { net, tax }) => ({ ...rest, net: rest.net - net, tax: rest.tax - tax }), part)
  })
}

/**
 * A credit of so much of the gross of an invoice, after earlier credits of it: the rates share it in proportion to what is left of each.
 * Undefined for nothing, and for more than is left.
 */
export function creditOf(invoice: Amounts, earlier: readonly Pick<Amounts, 'taxParts'>[], amount: number): Totals | undefined {
  const left = leftOf(invoice, earlier)
  const gross = left.reduce((sum, part) => sum + part.net + part.tax, 0)
  if (amount <= 0 || amount > gross) return undefined
  const taxParts = amount === gross ? left.filter(({ net, tax }) => net !== 0 || tax !== 0) : sharesOf(left, amount, gross)
  const net = taxParts.reduce((sum, part) => sum + part.net, 0)
  return { lines: taxParts.map((part) => lineOf(part, invoice.number)), taxParts, net, tax: amount - net, gross: amount }
}

/** The same amounts with the other sign: a credit that is taken back. */
export function negative({ lines, taxParts, net, tax, gross }: Totals): Totals {
  return {
    lines: lines.map((line) => ({ ...line, quantity: 0 - line.quantity, net: 0 - line.net })),
    taxParts: taxParts.map((part) => ({ ...part, net: 0 - part.net, tax: 0 - part.tax })),
    net: 0 - net,
    tax: 0 - tax,
    gross: 0 - gross,
  }
}

/** Cents that rounding leaves over go to the largest part, which has room for them. */
function sharesOf(left: readonly TaxPart[], amount: number, gross: number): TaxPart[] {
  const shares = left.map((part) => ({ part, share: Math.trunc(proportion(part.net + part.tax, amount, gross)) }))
  const largest = shares.toSorted((one, other) => other.share - one.share)[0]
  const over = amount - shares.reduce((sum, { share }) => sum + share, 0)
  return shares
    .map(({ part, share }) => {
      const own = share + (part === largest?.part ? over : 0)
      const whole = part.net + part.tax
      const net = whole === 0 ? 0 : Math.round(proportion(part.net, own, whole))
      return { ...part, net, tax: own - net }
    })
    .filter(({ net, tax }) => net !== 0 || tax !== 0)
}

/** `value × amount ÷ whole`, exact to a thousandth. */
function proportion(value: number, amount: number, whole: number): number {
  return Number((BigInt(value) * BigInt(amount) * 1000n) / BigInt(whole)) / 1000
}

function lineOf({ category, rate, net }: TaxPart, number: string): OrderLine {
  const amounts = { quantity: 1000, unitAmount: net, discount: 0, net }
  return { title: `Credit for invoice ${number}`, detail: '', ...amounts, supply: 'data', taxCategory: category, taxRate: rate }
}

import type Stripe from 'stripe'
import type { ProviderTax } from '#app/billing/orders/order.ts'
import type { TaxAsked } from '#app/billing/payments/provider.server.ts'
import { isInEu, reasons } from '#app/billing/tax/tax.ts'
import { orMissing, stripeClient } from './stripe-client.server.ts'

type Entry = {
  amount: number
  taxable: number | null
  reason: string | null
  rate: { percent: number; place: string } | undefined
}

type Place = {
  address: Pick<Stripe.Address, 'country' | 'state'> | null | undefined
  taxIds: readonly { value: string | null }[] | null | undefined
}

/** The tax of a paid page; null while it is not computed, and where Stripe computes none. */
export function taxOfSession(session: Stripe.Checkout.Session): ProviderTax | null {
  const { automatic_tax: automatic, total_details: details, amount_subtotal: net, customer_details: customer } = session
  if (!automatic.enabled || automatic.status !== 'complete' || !details?.breakdown) return null
  const entries = details.breakdown.taxes.map(({ amount, rate, taxability_reason: reason, taxable_amount: taxable }) => {
    return { amount, taxable, reason, rate: rateOf(rate) }
  })
  return toTax({ net: net ?? 0, tax: details.amount_tax, entries }, { address: customer?.address, taxIds: customer?.tax_ids })
}

/** The tax of a period. Its invoice names the rates by their ids only. */
export async function taxOfInvoice(invoice: Stripe.Invoice): Promise<ProviderTax | null> {
  if (!invoice.automatic_tax.enabled || invoice.automatic_tax.status !== 'complete') return null
  const { taxRates } = await stripeClient()
  const entries: Entry[] = []
  for (const { amount, tax_rate_details: details, taxability_reason: reason, taxable_amount: taxable } of invoice.total_taxes ?? []) {
    const rate = details && (await orMissing(taxRates.retrieve(details.tax_rate)))
    entries.push({ amount, taxable, reason, rate: rate ? rateOf(rate) : undefined })
  }
  const tax = entries.reduce((sum, { amount }) => sum + amount, 0)
  const place = { address: invoice.customer_address, taxIds: invoice.customer_tax_ids }
  return toTax({ net: invoice.total - tax, tax, entries }, place)
}

/** The tax as it would be, for a page that shows prices with it. Stripe asks for a postcode in some countries: then it is known only on its page. */
export async function quoteStripeTax({
  amount,
  currency,
  countryCode,
}: TaxAsked & { amount: number; currency: string }): Promise<ProviderTax | undefined> {
  const { tax, errors } = await stripeClient()
  const asked = {
    currency: currency.toLowerCase(),
    line_items: [{ amount, reference: 'dataset', tax_behavior: 'exclusive' as const }],
    customer_details: { address: { country: countryCode }, address_source: 'billing' as const },
  }
  const calculation = await tax.calculations.create(asked).catch((error: unknown) => {
    if (error instanceof errors.StripeInvalidRequestError) return undefined
    throw error
  })
  if (!calculation) return undefined
  const entries = calculation.tax_breakdown.map(
    ({ amount: part, taxability_reason: reason, taxable_amount: taxable, tax_rate_details: rate }) => {
      const percent = Number(rate.percentage_decimal)
      return { amount: part, taxable, reason, rate: { percent, place: nameOf(rate.country, rate.state) } }
    },
  )
  return toTax(
    { net: amount, tax: calculation.tax_amount_exclusive, entries },
    { address: { country: countryCode, state: null }, taxIds: [] },
  )
}

function rateOf({ percentage, effective_percentage: effective, jurisdiction, display_name: name }: Stripe.TaxRate) {
  return { percent: effective ?? percentage, place: jurisdiction ?? name }
}

function nameOf(country: string | null, state: string | null): string {
  return state ?? (country && new Intl.DisplayNames('en', { type: 'region' }).of(country)) ?? ''
}

type Amounts = { net: number; tax: number; entries: readonly Entry[] }

/** One order has one part of tax. The rates of a state and its city are summed; where a rate is of a part of the net, the effective one stands. */
function toTax({ net, tax, entries }: Amounts, { address, taxIds }: Place): ProviderTax {
  const taxed = entries.filter(({ amount }) => amount !== 0)
  const isOfWhole = taxed.every(({ taxable, rate }) => taxable === net && rate !== undefined)
  const percent = isOfWhole ? taxed.reduce((sum, { rate }) => sum + (rate?.percent ?? 0), 0) : net === 0 ? 0 : (tax / net) * 100
  const country = address?.country ?? ''
  return {
    tax,
    rate: tax === 0 ? 0 : Math.round(percent * 100),
    ...(tax === 0 ? untaxed(entries, country) : { category: 'S', reason: '' }),
    jurisdiction: taxed.flatMap(({ rate }) => (rate ? `${rate.place} ${rate.percent}%` : [])).join(', '),
    countryCode: country,
    region: address?.state ?? '',
    taxId: taxIds?.[0]?.value ?? '',
  }
}

/** Why there is no tax. Reasons that Stripe may add later are out of scope, with a plain sentence. */
function untaxed(entries: readonly Entry[], country: string): Pick<ProviderTax, 'category' | 'reason'> {
  const why = entries.flatMap(({ reason }) => reason ?? [])
  if (why.includes('reverse_charge')) {
    return { category: 'AE', reason: isInEu(country) ? reasons.reverseCharge : 'Reverse charge: the recipient owes the tax.' }
  }
  if (why.includes('zero_rated')) return { category: 'Z', reason: '' }
  if (why.some((reason) => reason.includes('exempt'))) return { category: 'E', reason: 'Exempt from tax.' }
  return { category: 'O', reason: 'Not subject to tax.' }
}

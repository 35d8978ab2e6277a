import { discountOf, findDiscount } from '#app/billing/orders/discount.server.ts'
import { type Totals, totalsOf } from '#app/billing/orders/totals.ts'
import {
  isTaxedByProvider,
  refuseConsumer,
  refuseEarly,
  refuseUnexchanged,
  sellsToConsumers,
  taxAtCheckout,
  taxOf,
} from '#app/billing/tax/tax.server.ts'
import { billing } from '#app/content/billing.server.ts'
import { includesWords, type Offer } from '#app/datasets/catalog/offer.ts'
import { env } from '#app/platform/env.server.ts'
import type { Row } from '#db/tables.ts'

export type Quote = { offer: Offer; totals: Totals; discount: Row<'discountCodes'> | undefined; taxBy: Row<'orders'>['taxBy'] }

type Asked = { product: Row<'dataProducts'>; organization: Row<'organizations'>; offer: Offer; code: string }

/**
 * The current total of an offer for an organization: its price, less a discount, plus tax. Stops with a sentence where no tax rule applies. Tax of
 * the payment provider is not in it.
 */
export async function quoteOf({ product, organization, offer, code }: Asked): Promise<Quote> {
  const { currency, amount, charged, includes } = offer
  const discount =
    code.trim() === '' ? undefined : await findDiscount({ code, productId: product.id, organizationId: organization.id, currency })
  const line = {
    title: product.name,
    detail: `${includesWords[includes]}${charged === 'once' ? '' : `, billed each ${charged}`}`,
    quantity: 1000,
    unitAmount: amount,
    discount: discount ? discountOf(discount, amount) : 0,
    supply: 'data' as const,
  }
  const asked = { organization, currency, isFree: line.discount === amount }
  const [taxBy, tax] = taxFor(asked)
  return { offer, discount, taxBy, totals: totalsOf([line], tax) }
}

type Taxed = { organization: Row<'organizations'>; currency: string; isFree: boolean }

function taxFor({ organization, currency, isFree }: Taxed): [Quote['taxBy'], ReturnType<typeof taxOf>] {
  const isTest = env.PAYMENTS.includes('test')
  if (!isTaxedByProvider()) return ['table', taxOf(organization, new Date(), { isTest, currency })]
  refuseEarly(isTest)
  if (organization.kind === 'consumer' && !sellsToConsumers()) refuseConsumer()
  // A free order has no payment from which its tax could be read.
  if (!isFree) refuseUnexchanged(currency)
  return isFree ? ['table', () => ({ category: 'O', rate: 0, reason: billing.noTax })] : ['provider', taxAtCheckout]
}

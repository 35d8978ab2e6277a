import { discountOf, findDiscount } from '#app/billing/orders/discount.server.ts'
import { type Totals, totalsOf } from '#app/billing/orders/totals.ts'
import { taxOf } from '#app/billing/tax/tax.server.ts'
import { chargedWords, includesWords, type Offer } from '#app/datasets/catalog/offer.ts'
import { env } from '#app/platform/env.server.ts'
import type { Row } from '#db/tables.ts'

export type Quote = { offer: Offer; totals: Totals; discount: Row<'discountCodes'> | undefined }

type Asked = { product: Row<'dataProducts'>; organization: Row<'organizations'>; offer: Offer; code: string }

/** The current total of an offer for an organization: its price, less a discount, plus tax. Stops with a sentence where no tax rule applies. */
export async function quoteOf({ product, organization, offer, code }: Asked): Promise<Quote> {
  const { currency, amount, charged, includes } = offer
  const discount =
    code.trim() === '' ? undefined : await findDiscount({ code, productId: product.id, organizationId: organization.id, currency })
  const line = {
    title: product.name,
    detail: `${includesWords[includes]}${charged === 'once' ? '' : `, ${chargedWords[charged]}`}`,
    quantity: 1000,
    unitAmount: amount,
    discount: discount ? discountOf(discount, amount) : 0,
    supply: 'data' as const,
  }
  const tax = taxOf(organization, new Date(), { isTest: env.PAYMENTS.includes('test'), currency })
  return { offer, discount, totals: totalsOf([line], tax) }
}

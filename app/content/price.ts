import { wholeAmountText } from '#app/platform/text/english-number.ts'

/** The lowest price of an offer, in whole units of the currency, or a price that has to be agreed in a call. */
export type Price = FixedPrice | 'custom pricing'
export type FixedPrice = { readonly from: number; readonly per?: 'month' }

/** `from $800/month`. Lower case, because it is used inside sentences as well as on cards. */
export function priceText(price: Price): string {
  if (price === 'custom pricing') return price
  return `from ${wholeAmountText(price.from)}${price.per ? `/${price.per}` : ''}`
}

/** A price as Settings store it. */
export function fixedPrice(from: number, charged: 'once' | 'month'): FixedPrice {
  return { from, ...(charged === 'month' && { per: charged }) }
}

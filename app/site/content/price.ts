/** Whole US dollars, the least that an offer costs; or a price that only a talk can settle. */
export type Price = { readonly from: number; readonly per?: 'month' } | 'custom pricing'

/** `from $800/month`. Lower case, because it stands inside sentences as well as on cards. */
export function priceText(price: Price): string {
  if (price === 'custom pricing') return price
  return `from ${dollars(price.from)}${price.per ? `/${price.per}` : ''}`
}

const format = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 })

/** `$1,200`. */
export function dollars(amount: number): string {
  return format.format(amount)
}

import { dollarsAndCentsText } from '#app/platform/text/english-number.ts'
import { hasTaxAdded } from '#app/platform/text/written-form.ts'

/** Cents as text: `$19.99`, and `Free` for 0. */
export function priceInWords(cents: number): string {
  return cents === 0 ? 'Free' : dollarsAndCentsText(cents)
}

/** The same for customers: prices of the catalog are before tax. */
export function catalogPrice(cents: number): string {
  return `${priceInWords(cents)}${cents > 0 && hasTaxAdded() ? ' plus tax' : ''}`
}

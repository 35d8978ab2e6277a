import { dollarsAndCentsText } from '#app/platform/text/english-number.ts'

/** Cents as text: `$19.99`, and `Free` for 0. */
export function priceInWords(cents: number): string {
  return cents === 0 ? 'Free' : dollarsAndCentsText(cents)
}

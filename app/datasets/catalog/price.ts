/** Cents as text: `$19.99`, and `Free` for 0. */
export function priceInWords(cents: number): string {
  return cents === 0 ? 'Free' : `$${(cents / 100).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })}`
}

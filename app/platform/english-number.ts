import { later } from './later.ts'

const usd = { style: 'currency', currency: 'USD' } as const
const number = later(() => new Intl.NumberFormat('en'))
const dollars = later(() => new Intl.NumberFormat('en', { ...usd, trailingZeroDisplay: 'stripIfInteger' }))
const dollarsAndCents = later(() => new Intl.NumberFormat('en', usd))

/** `1,234`. */
export function numberText(value: number): string {
  return number().format(value)
}

/** `$2,500`, or `$2,500.05`: cents only where there are any. */
export function dollarsText(cents: number): string {
  return dollars().format(cents / 100)
}

/** `$2,500.00`. */
export function dollarsAndCentsText(cents: number): string {
  return dollarsAndCents().format(cents / 100)
}

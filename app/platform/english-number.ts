import { later } from './later.ts'

const format = later(() => new Intl.NumberFormat('en'))

/** `1,234`, as `Intl` writes it for `en`. A whole number needs no `Intl`, whose first use blocks a phone for 60 ms. */
export function numberText(value: number): string {
  return Number.isSafeInteger(value) ? String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ',') : format().format(value)
}

/** `$2,500`, or `$2,500.05`: cents only where there are any. */
export function dollarsText(cents: number): string {
  const whole = Math.trunc(Math.abs(cents) / 100)
  const rest = Math.abs(cents) % 100
  return `${cents < 0 ? '-' : ''}$${numberText(whole)}${rest === 0 ? '' : `.${String(rest).padStart(2, '0')}`}`
}

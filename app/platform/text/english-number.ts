import { later } from '#app/platform/process/later.ts'
import { writtenBy } from './written-form.ts'

const number = later(() => new Intl.NumberFormat('en'))
const percent = later(() => new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 3 }))
const money = (options: Intl.NumberFormatOptions) =>
  writtenBy(({ currency }) => new Intl.NumberFormat('en', { style: 'currency', currency, ...options }))
const shortMoney = money({ trailingZeroDisplay: 'stripIfInteger' })
const wholeMoney = money({ maximumFractionDigits: 0 })
const exactMoney = money({})

/** `1,234`. */
export function numberText(value: number): string {
  return number().format(value)
}

/** `19%`, of a share of 10,000: 1900. */
export function percentText(share: number): string {
  return percent().format(share / 10_000)
}

/** `$2,500`, or `$2,500.05`: cents only where there are any. */
export function dollarsText(cents: number): string {
  return shortMoney().format(cents / 100)
}

/** `$2,500.00`. */
export function dollarsAndCentsText(cents: number): string {
  return exactMoney().format(cents / 100)
}

/** `$1,200`, of a whole amount. */
export function wholeAmountText(amount: number): string {
  return wholeMoney().format(amount)
}

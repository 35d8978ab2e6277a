import { typedAmount } from '#app/leads/lead/written-amount.ts'
import { minorDigits } from '#app/platform/text/money.ts'

/** A typed amount in the smallest unit of a currency; NaN, which no schema takes, for what is none. */
export function amountIn(typed: string, currency: string): number {
  return wholeIn(typed, minorDigits(currency))
}

/** A typed number in units of its last decimal place, such as 1250 for 12.5 with two places. NaN for what is none, or has more places. */
export function wholeIn(typed: string, digits: number): number {
  const amount = (typedAmount(typed.trim()) ?? Number.NaN) * 10 ** digits
  const whole = Math.round(amount)
  return Math.abs(whole - amount) < 1e-6 ? whole : Number.NaN
}

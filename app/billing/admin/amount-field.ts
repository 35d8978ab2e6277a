import { typedAmount } from '#app/leads/lead/written-amount.ts'
import { minorDigits } from '#app/platform/text/money.ts'

/** A typed amount in the smallest unit of a currency; NaN, which no schema takes, for what is none. */
export function amountIn(typed: string, currency: string): number {
  const amount = (typedAmount(typed.trim()) ?? Number.NaN) * 10 ** minorDigits(currency)
  const minor = Math.round(amount)
  return Math.abs(minor - amount) < 1e-6 ? minor : Number.NaN
}

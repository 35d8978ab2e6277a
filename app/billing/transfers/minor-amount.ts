import { minorDigits } from '#app/platform/text/money.ts'

/** A plain decimal in the smallest unit of its currency: `119.5` of EUR is 11950. Undefined for other texts and for parts of the smallest unit. */
export function minorAmount(text: string, currency: string): number | undefined {
  const [, whole = '', decimals = ''] = /^(\d{1,14})(?:\.(\d{0,10}))?$/.exec(text) ?? []
  if (!whole || !/^[A-Z]{3}$/.test(currency)) return undefined
  const digits = minorDigits(currency)
  const kept = decimals.replace(/0+$/, '')
  if (kept.length > digits) return undefined
  const amount = Number(whole + kept.padEnd(digits, '0'))
  return Number.isSafeInteger(amount) ? amount : undefined
}

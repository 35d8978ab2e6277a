import { writtenForm } from './written-form.ts'

const formats = new Map<string, Intl.NumberFormat>()

function formatOf(currency: string): Intl.NumberFormat {
  const { locale } = writtenForm()
  const key = `${locale} ${currency}`
  const format = formats.get(key) ?? new Intl.NumberFormat(locale, { style: 'currency', currency })
  formats.set(key, format)
  return format
}

/** How many decimal places the smallest unit of a currency is: 2 for USD, 0 for JPY, 3 for KWD. */
export function minorDigits(currency: string): number {
  return formatOf(currency).resolvedOptions().maximumFractionDigits ?? 2
}

/** An amount of smallest units as text: `$1,249.00`. */
export function moneyText(amount: number, currency: string): string {
  return formatOf(currency).format(amount / 10 ** minorDigits(currency))
}

/** An amount of smallest units as a plain decimal, for files: `1249.00`. */
export function decimalText(amount: number, currency: string): string {
  const digits = minorDigits(currency)
  const sign = amount < 0 ? '-' : ''
  const whole = String(Math.abs(amount)).padStart(digits + 1, '0')
  return digits === 0 ? `${sign}${whole}` : `${sign}${whole.slice(0, -digits)}.${whole.slice(-digits)}`
}

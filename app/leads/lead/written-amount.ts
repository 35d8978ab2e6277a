import type { DecimalSign } from '#app/platform/reading/column-reading.ts'

const codes = [...Intl.supportedValuesOf('currency'), 'kr', 'Kč', 'Ft', 'zł', 'lei', 'Fr', 'Rs']
const CODE = `(?:${codes.join('|')})\\.?`
const SIGN = '[A-Z]{0,3}\\p{Sc}'
const CURRENCY = new RegExp(`^(?:${SIGN}|${CODE})\\s*|\\s*(?:${SIGN}|${CODE})$`, 'giu')

/** An amount of zero or more with each decimal sign. A text of other signs, as `10k` or `(500)`, has no reading. */
export function amountReadings(text: string): Record<DecimalSign, number | undefined> {
  const plain = text
    .normalize('NFKC')
    .trim()
    .replaceAll(CURRENCY, '')
    // No cents, as in `500.-` and `500,--`.
    .replace(/[.,][-–—]{1,2}$/, '')
  const joined = /^\d{1,3}(?:[ '’_]\d{3})+(?![\d ])/.test(plain) ? plain.replaceAll(/[ '’_]/g, '') : undefined
  return { '.': amountOf(joined ?? plain, '.', joined !== undefined), ',': amountOf(joined ?? plain, ',', joined !== undefined) }
}

/**
 * One amount that a person types beside amounts as `$2,500.50`, so `2,500` is in thousands. `2.500,50` has one reading only. `2.500` has none:
 * who writes three digits after a dot means thousands, or a slip.
 */
export function typedAmount(text: string): number | undefined {
  const { '.': dotted, ',': comma } = amountReadings(text)
  const isDoubtful = dotted !== undefined && comma !== undefined && dotted !== comma && text.includes('.')
  return isDoubtful ? undefined : (dotted ?? comma)
}

export const WRONG_AMOUNT = 'Enter an amount, such as 2500 or 2,500.50'

/** The cents of a typed amount: `null` for none, NaN, which no schema takes, for what is not an amount. */
export function centsIn(typed: string): number | null {
  const text = typed.trim()
  return text === '' ? null : Math.round((typedAmount(text) ?? Number.NaN) * 100)
}

/** With dots before the decimals, commas join thousands, or lakhs and crores as in `1,00,000`. */
const patterns = {
  '.': /^(?:\d+|[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d?(?:,\d{2})+,\d{3})?(?:\.\d+)?$/,
  ',': /^(?:\d+|[1-9]\d{0,2}(?:\.\d{3})+)?(?:,\d+)?$/,
}

function amountOf(text: string, sign: DecimalSign, isJoined: boolean): number | undefined {
  const other = sign === '.' ? ',' : '.'
  if (!/\d/.test(text) || !patterns[sign].test(text) || (isJoined && text.includes(other))) return undefined
  const amount = Number(text.replaceAll(other, '').replace(',', '.'))
  return amount <= 1e10 ? amount : undefined
}

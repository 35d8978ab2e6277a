/** The form that VIES reads: the country, then up to 18 characters with a digit among them. */
const FORM = String.raw`[A-Z]{2}(?=.*\d)[A-Z0-9+*]{2,18}`

export const VAT_NUMBER = new RegExp(`^${FORM}$`)

export const VAT_NUMBER_OR_NONE = new RegExp(`^(${FORM})?$`)

/** Without the spaces, dots and dashes that people write into it. */
export function cleanVatNumber(written: string): string {
  return written.replaceAll(/[\s.-]/g, '').toUpperCase()
}

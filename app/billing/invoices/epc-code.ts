import { encode } from 'uqr'
import { decimalText } from '#app/platform/text/money.ts'

export type TransferAsked = { iban: string; bic: string; name: string; amount: number; currency: string; reference: string }

/** The most euros that a code may ask for, in cents. */
const MOST = 99_999_999_999
/** Version 13 at level M, as the guideline asks. */
const LARGEST = 13

/**
 * The text of a code by the guideline EPC069-12 of the European Payments Council, which banking apps read as a transfer. Undefined for what it does not
 * know: other currencies than the euro, and more than a billion.
 */
export function epcText({ iban, bic, name, amount, currency, reference }: TransferAsked): string | undefined {
  if (currency !== 'EUR' || iban === '' || amount < 1 || amount > MOST) return undefined
  const lines = ['BCD', '002', '1', 'SCT', bic, name.slice(0, 70), iban.replaceAll(/\s/g, ''), `EUR${decimalText(amount, 'EUR')}`, '', '']
  return [...lines, reference.slice(0, 140)].join('\n')
}

/** The modules of the code, `true` for black, with its quiet zone. Undefined where a banking app could not read it as a transfer. */
export function epcCode(asked: TransferAsked): boolean[][] | undefined {
  const text = epcText(asked)
  return text === undefined ? undefined : encode(text, { ecc: 'M', boostEcc: false, maxVersion: LARGEST, border: 4 }).data
}

/** A path of squares for an SVG whose unit is a module. */
export function codePath(modules: readonly (readonly boolean[])[]): string {
  return modules.flatMap((row, y) => row.flatMap((isBlack, x) => (isBlack ? `M${x} ${y}h1v1h-1z` : []))).join('')
}

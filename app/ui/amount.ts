import { numberText } from '#app/platform/text/english-number.ts'
import { later } from '#app/platform/process/later.ts'

const figure = later(() => new Intl.NumberFormat('en', { maximumSignificantDigits: 3 }))
const units = ['bytes', 'kB', 'MB', 'GB', 'TB']

/** `1 row`, `2,000 rows`. */
export function countOf(number: number, one: string, many: string): string {
  return `${numberText(number)} ${number === 1 ? one : many}`
}

/** `1.24 MB`: three figures, in powers of 1,000. */
export function bytesInWords(bytes: number): string {
  const power = Math.min(Math.floor(Math.log10(Math.max(1, bytes)) / 3), units.length - 1)
  return bytes === 1 ? '1 byte' : `${figure().format(bytes / 1000 ** power)} ${units[power]}`
}

import { mediumDay } from '#app/platform/time/english-date.ts'
import { numberText } from '#app/platform/text/english-number.ts'
import { later } from '#app/platform/process/later.ts'
import { countOf } from '#app/ui/amount.ts'

const short = later(() => new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 }))

/** `1 row`, `1,000,000 rows`. */
export const rowsInWords = (rows: number) => countOf(rows, 'row', 'rows')

export const countInWords = numberText

/** `97.5%`. Only a full column reads 100%, and only an empty one 0%. */
export function shareInWords(share: number): string {
  const percent = share * 100
  if (percent > 99.9 && percent < 100) return '>99.9%'
  if (percent > 0 && percent < 0.1) return '<0.1%'
  return `${short().format(percent)}%`
}

/** `Oct 3, 2026`, in UTC: a cached page cannot know its reader's time zone. */
export const dayInWords = (moment: string) => mediumDay(new Date(moment))

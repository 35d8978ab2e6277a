import { dayOfMonth } from '#app/platform/time/english-date.ts'
import { dollarsText, numberText } from '#app/platform/text/english-number.ts'

/** `Oct 3`: a calendar day, the same in every time zone. */
export const formatCalendarDay = (date: string) => dayOfMonth(new Date(date))
export const formatCount = numberText

/** `1 enquiry`, `2,000 enquiries`. */
export function leadCountText(count: number, one: string, many: string): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

/** `hidden field`: a code as words. */
export const elapsedText = (code: string) => code.replaceAll('_', ' ')

/** `3 h`, `2 days`: the time since a date. */
export function waitedSince(date: string): string {
  const hours = Math.floor(hoursSince(date))
  if (hours < 1) return 'under 1 h'
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`
}

export function hoursSince(date: string): number {
  return (Date.now() - new Date(date).getTime()) / 3_600_000
}

/** `45 min`, `1.6 h`, `3 days`. */
export function minutesText(minutes: number): string {
  if (minutes < 60) return `${minutes} min`
  return minutes < 48 * 60 ? `${Math.round(minutes / 6) / 10} h` : `${Math.round(minutes / 1440)} days`
}

/** `$2,500`, or with cents where there are any. */
export const formatValue = dollarsText

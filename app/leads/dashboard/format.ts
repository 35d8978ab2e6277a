import { laterFormat } from '#app/platform/later-format.ts'

const calendarDay = laterFormat(() => new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' }))
const plain = laterFormat(() => new Intl.NumberFormat('en'))

/** `Oct 3`: a calendar day, the same in every time zone. */
export const formatCalendarDay = (date: string) => calendarDay().format(new Date(date))
export const formatCount = (count: number) => plain().format(count)

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

const money = laterFormat(() => new Intl.NumberFormat('en', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 }))
const exactMoney = laterFormat(() => new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' }))

/** `$2,500`, or with cents where there are any. */
export function formatValue(cents: number): string {
  return (cents % 100 === 0 ? money : exactMoney)().format(cents / 100)
}

const calendarDay = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const plain = new Intl.NumberFormat('en')

/** `Oct 3`, of a day that is the same everywhere. */
export const formatCalendarDay = (date: string) => calendarDay.format(new Date(date))
export const formatCount = (count: number) => plain.format(count)

/** `1 enquiry`, `2,000 enquiries`. */
export function countOf(count: number, one: string, many: string): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

/** `hidden field`: a code as words. */
export const inWords = (code: string) => code.replaceAll('_', ' ')

/** `3 h`, `2 days`: how long something has waited. */
export function waitedSince(date: string): string {
  const hours = Math.floor(hoursSince(date))
  if (hours < 1) return 'under 1 h'
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} days`
}

export function hoursSince(date: string): number {
  return (Date.now() - new Date(date).getTime()) / 3_600_000
}

import { hourAndMinute } from '#app/platform/time/clock.ts'
import { writtenForm } from '#app/platform/text/written-form.ts'

/** A moment in a zone, in words: `Thursday, November 26, 2026 at 14:30 (Europe/Berlin)`. */
export function callTime(startsAt: string | Date, zone: string): string {
  const text = new Intl.DateTimeFormat(writtenForm().locale, {
    timeZone: zone,
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    year: 'numeric',
    ...hourAndMinute,
  }).format(new Date(startsAt))
  return `${text} (${zone.replaceAll('_', ' ')})`
}

import { writtenForm } from '#app/platform/text/written-form.ts'

/** The clock of the whole product: `09:08`. People read our times in several zones, and 24 hours need no AM or PM. */
export const hourAndMinute = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const

/** `Friday, November 27 at 15:13 UTC`: without a year, for the weeks around now. */
export function weekdayAndTime(moment: Date, timeZone: string): string {
  const day = { weekday: 'long', month: 'long', day: 'numeric' } as const
  return new Intl.DateTimeFormat(writtenForm().locale, { ...day, ...hourAndMinute, timeZoneName: 'short', timeZone }).format(moment)
}

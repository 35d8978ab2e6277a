import { hourAndMinute } from '#app/platform/time/clock.ts'
import { dateFormat } from '#app/platform/text/written-form.ts'

const dayAndTime = { year: 'numeric', month: 'short', day: 'numeric', ...hourAndMinute } as const
const day = dateFormat({ dateStyle: 'medium' })
const longDay = dateFormat({ dateStyle: 'long' })
const timeOfDay = dateFormat(hourAndMinute)
const moment = dateFormat(dayAndTime)
const momentInUtc = dateFormat({ ...dayAndTime, timeZone: 'UTC' })

/** `Oct 3, 2026`, in the reader's time zone. */
export const formatDay = (date: string) => day().format(new Date(date))
/** `October 3, 2026`, in the reader's time zone. */
export const formatLongDay = (date: string) => longDay().format(new Date(date))
/** `Oct 3, 2026, 09:08`, in the reader's time zone. */
export const formatMoment = (date: string) => moment().format(new Date(date))
/** `Oct 3, 2026, 09:08 UTC`, where the reader's zone is unknown. */
export const formatMomentInUtc = (date: string) => `${momentInUtc().format(new Date(date))} UTC`
/** `09:08`, in the reader's time zone. */
export const formatTime = (at: number | Date) => timeOfDay().format(at)

/** A time as `datetime-local` writes it, in the reader's zone. */
export function localMoment(at: string): string {
  const date = new Date(at)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

import { hourAndMinute } from '#app/platform/time/clock.ts'
import { dateFormat } from '#app/platform/text/written-form.ts'

const dayAndTime = { year: 'numeric', month: 'short', day: 'numeric', ...hourAndMinute } as const
const [day, dateAlone] = inZones({ dateStyle: 'medium' })
const [longDay, longDateAlone] = inZones({ dateStyle: 'long' })
const monthAlone = dateFormat({ month: 'long', year: 'numeric', timeZone: 'UTC' })
const timeOfDay = dateFormat(hourAndMinute)
const moment = dateFormat(dayAndTime)
const momentInUtc = dateFormat({ ...dayAndTime, timeZone: 'UTC' })

/** `Oct 3, 2026`: of a moment in the reader's time zone; a date alone, such as `2026-10-03`, is the same everywhere. */
export const formatDay = (date: string) => (isDateAlone(date) ? dateAlone : day)().format(new Date(date))
/** `Oct 3, 2026 to Nov 3, 2026`. */
export const formatSpan = ({ start, end }: { start: string; end: string }) => `${formatDay(start)} to ${formatDay(end)}`
/** `October 2026`, of `2026-10`. */
export const formatMonth = (month: string) => monthAlone().format(new Date(`${month}-01`))
/** `October 3, 2026`, likewise. */
export const formatLongDay = (date: string) => (isDateAlone(date) ? longDateAlone : longDay)().format(new Date(date))
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

/** For moments, and for dates alone, which are read as the midnight of UTC. */
function inZones(options: Intl.DateTimeFormatOptions) {
  return [dateFormat(options), dateFormat({ ...options, timeZone: 'UTC' })] as const
}

function isDateAlone(date: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(date)
}

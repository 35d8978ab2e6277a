import { longDay, mediumDay, onLocalClock, timeOfDay } from '#app/platform/english-date.ts'

/** `Oct 3, 2026`, in the reader's time zone. */
export const formatDay = (date: string) => mediumDay(onLocalClock(new Date(date)))
/** `October 3, 2026`, in the reader's time zone. */
export const formatLongDay = (date: string) => longDay(onLocalClock(new Date(date)))
/** `Oct 3, 2026, 09:08`, in the reader's time zone. */
export const formatMoment = (date: string) => momentText(onLocalClock(new Date(date)))
/** `Oct 3, 2026, 09:08 UTC`, where the reader's zone is unknown. */
export const formatMomentInUtc = (date: string) => `${momentText(new Date(date))} UTC`
/** `09:08`, in the reader's time zone. */
export const formatTime = (at: number | Date) => timeOfDay(onLocalClock(new Date(at)))

const momentText = (date: Date) => `${mediumDay(date)}, ${timeOfDay(date)}`

/** A time as `datetime-local` writes it, in the reader's zone. */
export function localMoment(at: string): string {
  return onLocalClock(new Date(at)).toISOString().slice(0, 16)
}

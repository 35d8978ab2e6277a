import { laterFormat } from '#app/platform/later-format.ts'

const day = laterFormat(() => new Intl.DateTimeFormat('en', { dateStyle: 'medium' }))
const longDay = laterFormat(() => new Intl.DateTimeFormat('en', { dateStyle: 'long' }))
const moment = laterFormat(() => new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' }))

/** `Oct 3, 2026`, in the reader's time zone. */
export const formatDay = (date: string) => day().format(new Date(date))
/** `October 3, 2026`, in the reader's time zone. */
export const formatLongDay = (date: string) => longDay().format(new Date(date))
/** `Oct 3, 2026, 9:08 AM`, in the reader's time zone. */
export const formatMoment = (date: string) => moment().format(new Date(date))

/** A time as `datetime-local` writes it, in the reader's zone. */
export function localMoment(at: string): string {
  const date = new Date(at)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

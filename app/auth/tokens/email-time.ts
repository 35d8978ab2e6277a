import { hourAndMinute } from '#app/platform/time/clock.ts'
import { dateFormat } from '#app/platform/text/written-form.ts'

const day = { month: 'long', day: 'numeric', year: 'numeric' } as const
const written = dateFormat({ ...day, ...hourAndMinute, timeZone: 'UTC' })

/** `November 23, 2026 at 18:09 UTC`: the time format of emails, because the reader's time zone is unknown. */
export function inUtc(at: string): string {
  return `${written().format(new Date(at))} UTC`
}

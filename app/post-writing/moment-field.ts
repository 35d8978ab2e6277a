/** Where the writer is, as the browser knows it. */
export const timeZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

/** A moment as a field of date and time holds it: on the writer's clock, to the minute. */
export function toClock(moment: string): string {
  const date = new Date(moment)
  if (moment === '' || Number.isNaN(date.getTime())) return ''
  const two = (part: number) => String(part).padStart(2, '0')
  const day = `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`
}

/** The moment that a time on the writer's clock means. */
export function fromClock(clock: string): string {
  const date = new Date(clock)
  return clock === '' || Number.isNaN(date.getTime()) ? '' : date.toISOString()
}

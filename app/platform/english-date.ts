/**
 * Dates as `Intl` writes them for `en`, without it: the first format that a page makes takes 15 ms of a desktop's processor, and a phone four
 * times as long, while the page becomes live.
 */
const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December']

/** The same reading of the clock, in UTC. */
export const onLocalClock = (date: Date) => new Date(date.getTime() - date.getTimezoneOffset() * 60_000)

/** `October 3, 2026`, in UTC. */
export const longDay = (date: Date) => `${months[date.getUTCMonth()]} ${date.getUTCDate()}, ${date.getUTCFullYear()}`

/** `Oct 3`, in UTC. */
export const dayOfMonth = (date: Date) => `${months[date.getUTCMonth()]?.slice(0, 3)} ${date.getUTCDate()}`

/** `Oct 3, 2026`, in UTC. */
export const mediumDay = (date: Date) => `${dayOfMonth(date)}, ${date.getUTCFullYear()}`

/** `09:08`, in UTC. */
export const timeOfDay = (date: Date) => date.toISOString().slice(11, 16)

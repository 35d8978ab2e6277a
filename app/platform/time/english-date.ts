import { dateFormat } from '#app/platform/text/written-form.ts'

const utcText = (options: Intl.DateTimeFormatOptions) => {
  const format = dateFormat({ ...options, timeZone: 'UTC' })
  return (date: Date) => format().format(date)
}

/** `October 3, 2026`, in UTC. */
export const longDay = utcText({ dateStyle: 'long' })

/** `Oct 3`, in UTC. */
export const dayOfMonth = utcText({ day: 'numeric', month: 'short' })

/** `Oct 3, 2026`, in UTC. */
export const mediumDay = utcText({ dateStyle: 'medium' })

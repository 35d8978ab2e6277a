import { z } from 'zod/mini'

const MOMENT = /^[12]\d{3}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)$/

/** A moment as ISO 8601 text with `Z` or an offset. */
export function isoMoment(error: string) {
  return z.string(error).check(
    z.regex(MOMENT, error),
    z.refine((text) => momentIn(text) !== undefined, error),
  )
}

/** A day of the calendar as ISO 8601 text, such as `2026-12-31`. The 30th of February is none. */
export function isoDay(error: string) {
  return z.iso.date(error).check(z.regex(/^[12]/, error))
}

const anyDay = isoDay('')
export const isDay = (text: string) => anyDay.safeParse(text).success

const WRITTEN = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?))?\s*(Z|[+-]\d\d:?\d\d)?$/i

/** A date or a moment as ISO 8601 and other programs write it. Without a zone it is read as UTC. The 31st of February is none. */
export function momentIn(text: string): Date | undefined {
  const [, day = '', time = '00:00', zone = 'Z'] = WRITTEN.exec(text.trim()) ?? []
  const midnight = new Date(`${day}T00:00Z`)
  const moment = new Date(`${day}T${time}${zone.replace(/(\d\d)(\d\d)$/, '$1:$2').toUpperCase()}`)
  const isReal = !Number.isNaN(midnight.getTime()) && !Number.isNaN(moment.getTime()) && midnight.toISOString().startsWith(day)
  return isReal ? moment : undefined
}

import { z } from 'zod/mini'

const MOMENT = /^[12]\d{3}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)$/

/** A moment as ISO 8601 text with `Z` or an offset. */
export function isoMoment(error: string) {
  return z.string(error).check(
    z.regex(MOMENT, error),
    z.refine((text) => !Number.isNaN(Date.parse(text)), error),
  )
}

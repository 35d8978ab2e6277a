import { z } from 'zod/mini'
import { atMost } from '#app/platform/text/clean-text.ts'
import { officeWeek, type WeeklyHours } from '#app/platform/time/weekly-hours.ts'

/** Where hosts set their hours and the place of their calls. */
export const HOURS_PAGE = '/admin/calendar?tab=hours'

/** Where staff keep the call types. */
export const TYPES_PAGE = '/admin/calendar?tab=settings'

/** When a host takes calls. */
export type HostRules = {
  /** IANA name. Hours and overrides are in this zone. */
  zone: string
  hours: WeeklyHours
  /** The least time between booking and call. */
  noticeMinutes: number
  /** Calls begin at most this far ahead: days of 24 hours. */
  horizonDays: number
  bufferBeforeMinutes: number
  bufferAfterMinutes: number
  /** The most calls on one date of the host's zone. */
  dailyCap: number | null
}

/** The length of a call, the distance of two starts within a span, and the hours if they are not those of each host. */
export type CallLength = { lengthMinutes: number; stepMinutes: number; hours?: WeeklyHours | null }

/** Of a host who has set nothing. */
export const defaultRules: Omit<HostRules, 'zone'> = {
  hours: officeWeek,
  noticeMinutes: 4 * 60,
  horizonDays: 60,
  bufferBeforeMinutes: 0,
  bufferAfterMinutes: 10,
  dailyCap: null,
}

/** Questions that the business adds to the form. */
export const bookingQuestion = z.object({
  label: z
    .string('Write the question')
    .check(z.minLength(1, 'Write the question'), ...atMost(200, 'A question has at most 200 characters')),
  isRequired: z.boolean('Say whether an answer is required'),
})

export const MOST_QUESTIONS = 5

/** Where visitors book a call type. */
export const bookPath = (slug: string | null) => (slug === null ? '/book' : `/book/${slug}`)

/** A call type. Each host's own setting applies where a field is null. */
export type CallType = CallLength & {
  id: string
  /** Its address below `/book`. Null: the first one, at `/book` itself. */
  slug: string | null
  title: string
  /** The guest changes or cancels until this long before the call. */
  changeWindowMinutes: number
  questions: z.infer<typeof bookingQuestion>[]
  hours: WeeklyHours | null
  place: string | null
  noticeMinutes: number | null
  bufferBeforeMinutes: number | null
  bufferAfterMinutes: number | null
  isActive: boolean
  /** Whether visitors can book it: it is active and was not deleted. */
  isOffered: boolean
  position: number
  version: number
}

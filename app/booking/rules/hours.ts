import { z } from 'zod/mini'
import { atMost } from '#app/platform/clean-text.ts'
import { officeWeek, type WeeklyHours } from '#app/platform/weekly-hours.ts'

/** Where hosts set their hours and the place of their calls. */
export const HOURS_PAGE = '/admin/calendar?tab=hours'

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

/** The length of a call, and the distance of two starts within a span. */
export type CallLength = { lengthMinutes: number; stepMinutes: number }

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

export type BookingSettings = CallLength & {
  title: string
  /** The guest changes or cancels until this long before the call. */
  changeWindowMinutes: number
  questions: z.infer<typeof bookingQuestion>[]
}

/** Until staff change them. */
export const defaultSettings: BookingSettings = {
  title: 'Free consultation',
  lengthMinutes: 30,
  stepMinutes: 30,
  changeWindowMinutes: 120,
  questions: [],
}

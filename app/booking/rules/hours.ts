import { z } from 'zod/mini'

/** A clock time of a host's zone. `24:00` is the end of the day. */
const TIME = /^([01]\d|2[0-3]):[0-5]\d$|^24:00$/
const BAD_TIME = 'A time has the form 09:30'
const BAD_SPANS = 'Each span ends after it starts, and begins after the one before it has ended'

const time = z.string(BAD_TIME).check(z.regex(TIME, BAD_TIME))

/** Hours of one day, in order and without overlaps. None: no calls on that day. */
export const daySpans = z
  .array(z.object({ from: time, until: time }))
  .check(z.maxLength(12, 'A day has at most 12 spans'), z.refine(isInOrder, BAD_SPANS))

export type HourSpan = { from: string; until: string }

/** Seven days, Monday first. */
export const weeklyHours = z.array(daySpans).check(z.length(7, 'Give the hours of seven days, Monday first'))

export type WeeklyHours = z.infer<typeof weeklyHours>

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

const workday: HourSpan[] = [{ from: '09:00', until: '17:00' }]

/** Of a host who has set nothing. */
export const defaultRules: Omit<HostRules, 'zone'> = {
  hours: [workday, workday, workday, workday, workday, [], []],
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
    .check(z.minLength(1, 'Write the question'), z.maxLength(200, 'A question has at most 200 characters')),
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

/** Whether this is the name of a time zone. Offsets such as `+02:00` are not: they know no clock changes. */
export function isZone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]{1,63}$/.test(name)) return false
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

const BAD_ZONE = 'Choose a time zone from the list'

export const zoneName = z.string(BAD_ZONE).check(z.refine(isZone, BAD_ZONE))

function isInOrder(spans: HourSpan[]): boolean {
  return spans.every(({ from, until }, at) => from < until && from >= (spans[at - 1]?.until ?? '00:00'))
}

import { z } from 'zod/mini'

/** A clock time of a zone. `24:00` is the end of the day. */
const TIME = /^([01]\d|2[0-3]):[0-5]\d$|^24:00$/
const BAD_TIME = 'A time has the form 09:30'
const BAD_SPANS = 'Each span ends after it starts, and begins after the one before it has ended'

const time = z.string(BAD_TIME).check(z.regex(TIME, BAD_TIME))

/** Hours of one day, in order and without overlaps. None: closed on that day. */
export const daySpans = z
  .array(z.object({ from: time, until: time }))
  .check(z.maxLength(12, 'A day has at most 12 spans'), z.refine(isInOrder, BAD_SPANS))

export type HourSpan = { from: string; until: string }

const SEVEN = 'Give the hours of seven days, Monday first'

/** Seven days, Monday first. */
export const weeklyHours = z.array(daySpans).check(z.minLength(7, SEVEN), z.maxLength(7, SEVEN))

export type WeeklyHours = z.infer<typeof weeklyHours>

const workday: HourSpan[] = [{ from: '09:00', until: '17:00' }]

/** Until someone sets other hours. */
export const officeWeek: WeeklyHours = [workday, workday, workday, workday, workday, [], []]

/** The length of a week's hours, by its clock. */
export function openMinutes(week: WeeklyHours): number {
  return week.flat().reduce((sum, { from, until }) => sum + minutesOf(until) - minutesOf(from), 0)
}

function minutesOf(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
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

import { z } from 'zod/mini'
import { atMost, manyLines, oneLine } from '#app/platform/text/clean-text.ts'
import { isoDay } from '#app/platform/time/iso-moment.ts'
import { daySpans, weeklyHours, zoneName } from '#app/platform/time/weekly-hours.ts'
import { bookingQuestion, MOST_QUESTIONS } from '#app/booking/rules/hours.ts'
import { moment } from '#app/booking/rules/booking.ts'

/** The address of everything that staff set about calls. */
export const CALENDAR = '/api/staff/booking'

const whole = (sentence: string, least: number, most: number) =>
  z.number(sentence).check(
    z.refine((value) => Number.isInteger(value), sentence),
    z.minimum(least, sentence),
    z.maximum(most, sentence),
  )
const line = (sentence: string, least: number, most: number) =>
  z.string(sentence).check(z.overwrite(oneLine), z.minLength(least, sentence), ...atMost(most, sentence))

const rules = {
  isActive: z.boolean('Say whether this host takes calls'),
  name: line('A name has 1 to 100 characters', 1, 100),
  zone: zoneName,
  hours: weeklyHours,
  noticeMinutes: whole('The notice is 0 to 720 hours', 0, 720 * 60),
  horizonDays: whole('Calls can be booked 1 to 366 days ahead', 1, 366),
  bufferBeforeMinutes: whole('The time before a call is 0 to 240 minutes', 0, 240),
  bufferAfterMinutes: whole('The time after a call is 0 to 240 minutes', 0, 240),
  dailyCap: z.nullable(whole('A day has 1 to 100 calls', 1, 100)),
  place: line('The place has at most 500 characters', 0, 500),
}

/** The part that a host saves. */
export const hostBody = z.object(rules)

export type HostBody = z.infer<typeof hostBody>

export const listedHost = z.object({
  ...rules,
  id: z.string(),
  isYou: z.boolean(),
  /** Whether the reader may change these hours. */
  mayChange: z.boolean(),
  hasAddress: z.boolean(),
  /** Visitors are offered no times before the first save of hours and zone. */
  isConfirmed: z.boolean(),
  /** 0 before the first save: these are the defaults. */
  version: z.number(),
})

export type ListedHost = z.infer<typeof listedHost>

export const dateName = isoDay('A date has the form 2026-11-25')

/** Other hours on one date; no spans for a free day. */
export const overrideBody = z.object({ spans: daySpans })
export const override = z.object({ date: z.string(), spans: z.array(z.object({ from: z.string(), until: z.string() })) })

export type Override = z.infer<typeof override>

export const previewedSlots = z.object({
  /** Of the host. */
  zone: z.string(),
  slots: z.array(z.object({ startsAt: z.string(), endsAt: z.string() })),
})

export const PREVIEW_DAYS = 14

const callRules = {
  title: line('A title has 1 to 100 characters', 1, 100),
  lengthMinutes: whole('A call takes 5 to 480 minutes', 5, 480),
  stepMinutes: whole('Calls start every 5 to 480 minutes', 5, 480),
  changeWindowMinutes: whole('The change window is 0 to 720 hours', 0, 720 * 60),
  questions: z.array(bookingQuestion).check(z.maxLength(MOST_QUESTIONS, `Ask at most ${MOST_QUESTIONS} questions`)),
}

/** The part of the first call type that it has had from the beginning. */
export const settingsBody = z.object(callRules)
export type SettingsBody = z.infer<typeof settingsBody>

export const MOST_CALL_TYPES = 20
const SLUG = 'An address has 1 to 60 lowercase letters, digits and hyphens'

const ownRules = {
  /** Of the first one it is null, whatever is sent. */
  slug: z.nullable(
    z.string(SLUG).check(
      z.maxLength(60, SLUG),
      z.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, SLUG),
      z.refine((slug) => slug !== 'manage', 'This address is one of our own pages'),
    ),
  ),
  isActive: z.boolean('Say whether it can be booked'),
  /** Null, also below: as each host has it. */
  hours: z.nullable(weeklyHours),
  place: z.nullable(rules.place),
  noticeMinutes: z.nullable(rules.noticeMinutes),
  bufferBeforeMinutes: z.nullable(rules.bufferBeforeMinutes),
  bufferAfterMinutes: z.nullable(rules.bufferAfterMinutes),
}

/** A call type as staff save it. */
export const callTypeBody = z.object({ ...callRules, ...ownRules })
export type CallTypeBody = z.infer<typeof callTypeBody>

export const listedCallType = z.extend(callTypeBody, {
  id: z.string(),
  version: z.number(),
  /** Booked calls of this kind that are still to come. */
  ahead: z.number(),
  /** The first one is the owner’s. */
  mayChange: z.boolean(),
})
export type ListedCallType = z.infer<typeof listedCallType>

export const callSettings = z.extend(settingsBody, {
  /** There is one row of settings. */
  id: z.literal('settings'),
  version: z.number(),
  mayChange: z.boolean(),
})

/** A span without calls. `reason` is only of spans blocked by hand. */
export const busySpan = z.object({
  id: z.string(),
  hostId: z.string(),
  startsAt: z.string(),
  endsAt: z.string(),
  source: z.enum(['block', 'feed']),
  reason: z.nullable(z.string()),
})

export type BusySpan = z.infer<typeof busySpan>

const REASON = 'A reason has at most 200 characters'

export const blockBody = z
  .object({
    startsAt: moment,
    endsAt: moment,
    reason: z.optional(z.string(REASON).check(z.overwrite(manyLines), ...atMost(200, REASON))),
  })
  .check(
    z.refine(({ startsAt, endsAt }) => Date.parse(startsAt) < Date.parse(endsAt), {
      error: 'The end is after the start',
      path: ['endsAt'],
    }),
  )

const BAD_FEED = 'Paste the https address of a calendar in iCal format'

export const feedBody = z.object({
  label: line('A name has 1 to 60 characters', 1, 60),
  url: z.string(BAD_FEED).check(
    z.overwrite((text) => text.trim().replace(/^webcals?:\/\//i, 'https://')),
    z.maxLength(2000, BAD_FEED),
    z.refine((text) => URL.parse(text)?.protocol === 'https:', BAD_FEED),
  ),
})

export const MOST_FEEDS = 5

export const hostFeed = z.object({
  id: z.string(),
  label: z.string(),
  /** The name of the server: the address itself is a secret. */
  server: z.string(),
  state: z.enum(['new', 'ok', 'failing']),
  lastTriedAt: z.nullable(z.string()),
  lastSuccessAt: z.nullable(z.string()),
  /** Why it failed, or which part was skipped. */
  note: z.nullable(z.string()),
  /** Without success for 24 hours: its times may be wrong by now. */
  isStale: z.boolean(),
})

export type HostFeed = z.infer<typeof hostFeed>

export const privateAddress = z.object({ url: z.string() })

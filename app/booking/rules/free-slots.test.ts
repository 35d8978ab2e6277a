import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clockReaches, freeSlots, type HostDay, type TimeSpan } from './free-slots.ts'
import type { HourSpan } from '#app/platform/time/weekly-hours.ts'
import { defaultRules } from './hours.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/**
 * The second implementation knows nothing but what the clock of a zone shows at each minute (`Intl`), and asks each minute whether a call may
 * begin there. It is a thousand times slower, and has no arithmetic of dates to get wrong.
 */
class Clock {
  #format: Intl.DateTimeFormat
  #shown = new Map<number, { date: string; time: string; weekday: number }>()

  constructor(zone: string) {
    const numbers = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const
    this.#format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, hourCycle: 'h23', weekday: 'short', ...numbers })
  }

  at(moment: number) {
    const known = this.#shown.get(moment)
    if (known) return known
    const parts = Object.fromEntries(this.#format.formatToParts(moment).map(({ type, value }) => [type, value]))
    const shown = {
      date: `${parts['year']}-${parts['month']}-${parts['day']}`,
      time: `${parts['hour']}:${parts['minute']}`,
      weekday: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'].indexOf(parts['weekday'] ?? ''),
    }
    this.#shown.set(moment, shown)
    return shown
  }
}

const clocks = new Map<string, Clock>()

function clockOf(zone: string): Clock {
  const clock = clocks.get(zone) ?? new Clock(zone)
  clocks.set(zone, clock)
  return clock
}

/** The first minute of a date from which the clock shows `time` or later; of a later date, when the date ends before. */
function firstAt(clock: Clock, minutes: readonly number[], date: string, time: string): number {
  const found = minutes.find((moment) => {
    const shown = clock.at(moment)
    return shown.date > date || (shown.date === date && shown.time >= time)
  })
  return found ?? Infinity
}

type Case = { zone: string; day: string; hours: HourSpan[]; override: HourSpan[] | undefined; calls: TimeSpan[]; busy: TimeSpan[] }
type Numbers = { length: number; step: number; before: number; after: number; cap: number | null; notice: number }

function slowSlots({ zone, day, hours, override, calls, busy }: Case, numbers: Numbers, now: number): number[] {
  const clock = clockOf(zone)
  const noon = Date.parse(`${day}T12:00:00Z`)
  const minutes = Array.from({ length: 4 * 24 * 60 }, (_, at) => noon - 2 * DAY + at * MINUTE)
  const dates = [...new Set(minutes.map((moment) => clock.at(moment).date))].slice(1, -1)
  const isOpen = (date: string) =>
    numbers.cap === null || calls.filter(({ from }) => clock.at(from + numbers.before * MINUTE).date === date).length < numbers.cap
  const isFree = (startsAt: number) => {
    const blocked = { from: startsAt - numbers.before * MINUTE, until: startsAt + (numbers.length + numbers.after) * MINUTE }
    return ![...calls, ...busy].some((span) => span.from < blocked.until && span.until > blocked.from)
  }
  const starts = dates.filter(isOpen).flatMap((date) =>
    (date === day && override ? override : hours).flatMap(({ from, until }) => {
      const [opens, closes] = [firstAt(clock, minutes, date, from), firstAt(clock, minutes, date, until)]
      const count = Math.max(0, Math.floor((closes - opens - numbers.length * MINUTE) / (numbers.step * MINUTE)) + 1)
      return Array.from({ length: count }, (_, at) => opens + at * numbers.step * MINUTE)
    }),
  )
  return starts.filter((startsAt) => startsAt >= now + numbers.notice * MINUTE && isFree(startsAt)).toSorted((one, other) => one - other)
}

/** Clock changes of both hemispheres, by a half hour, at midnight, forth and back for Ramadan, over a whole day; and quiet days. */
const days: [zone: string, day: string][] = [
  ['Europe/Berlin', '2026-03-29'],
  ['Europe/Berlin', '2026-10-25'],
  ['America/New_York', '2026-03-08'],
  ['America/New_York', '2026-11-01'],
  ['Australia/Sydney', '2026-04-05'],
  ['Australia/Sydney', '2026-10-04'],
  ['Australia/Lord_Howe', '2026-04-05'],
  ['Australia/Lord_Howe', '2026-10-04'],
  ['America/Santiago', '2026-04-05'],
  ['America/Santiago', '2026-09-06'],
  ['Africa/Casablanca', '2026-02-15'],
  ['Africa/Casablanca', '2026-03-22'],
  ['Africa/Cairo', '2026-04-24'],
  ['Africa/Cairo', '2026-10-29'],
  ['Asia/Beirut', '2026-03-29'],
  ['America/Havana', '2026-11-01'],
  ['America/Sao_Paulo', '2018-11-04'],
  ['Pacific/Apia', '2011-12-30'],
  ['Pacific/Auckland', '2026-09-27'],
  ['Asia/Kathmandu', '2026-06-01'],
  ['Pacific/Chatham', '2026-04-05'],
  ['Asia/Pyongyang', '2018-05-05'],
  ['America/Caracas', '2016-05-01'],
  ['Europe/Istanbul', '2016-09-07'],
  ['UTC', '2026-12-31'],
]

const times = Array.from(
  { length: 97 },
  (_, at) => `${String(Math.floor(at / 4)).padStart(2, '0')}:${String((at % 4) * 15).padStart(2, '0')}`,
)
const spansOfDay = fc
  .uniqueArray(fc.constantFrom(...times), { minLength: 2, maxLength: 6 })
  .map((chosen) => chosen.toSorted())
  .map((chosen) => chosen.flatMap((from, at) => (at % 2 === 0 && chosen[at + 1] ? [{ from, until: chosen[at + 1] ?? '' }] : [])))

const spanNear = (noon: number) =>
  fc
    .record({ at: fc.integer({ min: -150, max: 150 }), length: fc.constantFrom(15, 30, 45, 180) })
    .map(({ at, length }) => ({ from: noon + at * 10 * MINUTE, until: noon + (at * 10 + length) * MINUTE }))

const numbers = fc.record({
  length: fc.constantFrom(15, 30, 50),
  step: fc.constantFrom(15, 30, 60),
  before: fc.constantFrom(0, 5, 15),
  after: fc.constantFrom(0, 10),
  cap: fc.constantFrom(null, 1, 3),
  notice: fc.constantFrom(0, 240),
})

const cases = fc.constantFrom(...days).chain(([zone, day]) => {
  const noon = Date.parse(`${day}T12:00:00Z`)
  return fc.record({
    given: fc.record({
      zone: fc.constant(zone),
      day: fc.constant(day),
      hours: spansOfDay,
      override: fc.option(fc.oneof(spansOfDay, fc.constant<HourSpan[]>([])), { nil: undefined }),
      calls: fc.array(spanNear(noon), { maxLength: 4 }),
      busy: fc.array(spanNear(noon), { maxLength: 3 }),
    }),
    numbers,
    now: fc.integer({ min: -36, max: 12 }).map((hours) => noon + hours * 60 * MINUTE),
  })
})

test('free times are right at 400 clock changes and quiet days, by a second implementation that only looks at the clock', () => {
  const property = fc.property(cases, ({ given, numbers: chosen, now }) => {
    const noon = Date.parse(`${given.day}T12:00:00Z`)
    const range = { from: Math.max(noon - 18 * 60 * MINUTE, now), until: noon + 18 * 60 * MINUTE }
    const host: HostDay = {
      id: 'host',
      rules: {
        ...defaultRules,
        zone: given.zone,
        hours: Array.from({ length: 7 }, () => given.hours),
        noticeMinutes: chosen.notice,
        bufferBeforeMinutes: chosen.before,
        bufferAfterMinutes: chosen.after,
        dailyCap: chosen.cap,
      },
      overrides: new Map(given.override ? [[given.day, given.override]] : []),
      calls: given.calls.map((span) => ({ ...span, startsAt: span.from + chosen.before * MINUTE })),
      busy: given.busy,
    }
    const fast = freeSlots([host], { lengthMinutes: chosen.length, stepMinutes: chosen.step }, range, now)
    const slow = slowSlots(given, chosen, now).filter((startsAt) => startsAt >= range.from && startsAt < range.until)
    expect(fast.map(({ startsAt }) => startsAt)).toEqual(slow)
  })
  fc.assert(property, { numRuns: 400, seed: 20_261_125 })
})

test.each([
  ['Europe/Berlin', '2026-03-29', '02:30', '2026-03-29T01:00:00.000Z'],
  ['Europe/Berlin', '2026-10-25', '02:30', '2026-10-25T00:30:00.000Z'],
  ['America/Santiago', '2026-09-06', '00:00', '2026-09-06T04:00:00.000Z'],
  ['Pacific/Apia', '2011-12-30', '09:00', '2011-12-30T10:00:00.000Z'],
  ['Asia/Kathmandu', '2026-06-01', '09:00', '2026-06-01T03:15:00.000Z'],
  ['Europe/Berlin', '2026-12-31', '24:00', '2026-12-31T23:00:00.000Z'],
])('the clock of %s first reaches %s %s at %s', (zone, date, time, expected) => {
  expect(new Date(clockReaches(Temporal.PlainDate.from(date), time, zone)).toISOString()).toBe(expected)
})

test('two hosts in two zones offer each time once, with both names', () => {
  const monday = Date.parse('2026-11-30T00:00:00Z')
  const host = (id: string, zone: string): HostDay => ({ id, rules: { ...defaultRules, zone }, overrides: new Map(), calls: [], busy: [] })
  const range = { from: monday, until: monday + DAY }
  const slots = freeSlots(
    [host('one', 'Europe/Berlin'), host('two', 'Europe/London')],
    { lengthMinutes: 30, stepMinutes: 30 },
    range,
    monday - DAY,
  )
  expect(slots.map(({ hostIds }) => hostIds.join('+'))).toEqual([
    ...Array.from({ length: 2 }, () => 'one'),
    ...Array.from({ length: 14 }, () => 'one+two'),
    ...Array.from({ length: 2 }, () => 'two'),
  ])
})

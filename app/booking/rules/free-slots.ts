import type { HourSpan, WeeklyHours } from '#app/platform/time/weekly-hours.ts'
import type { CallLength, HostRules } from './hours.ts'

/** A moment in milliseconds since 1970. */
type Moment = number

/** From a moment until before another. */
export type TimeSpan = { from: Moment; until: Moment }

/** One host with everything that decides when they are free. */
export type HostDay = {
  id: string
  rules: HostRules
  /** By date (`2026-11-25`) in the host's zone. No spans: a free day. */
  overrides: ReadonlyMap<string, readonly HourSpan[]>
  /** Calls, held or booked, with their buffers. `startsAt` counts for the daily cap. */
  calls: readonly (TimeSpan & { startsAt: Moment })[]
  /** From other calendars, or blocked by hand. */
  busy: readonly TimeSpan[]
}

export type Slot = { startsAt: Moment; endsAt: Moment; hostIds: string[] }

/**
 * Every time at which at least one host can take a call that begins in the range, in order. Steps are counted from the start of each span, in
 * elapsed time, so a clock change neither shortens a call nor moves it outside of the hours.
 */
export function freeSlots(hosts: readonly HostDay[], length: CallLength, range: TimeSpan, now: Moment): Slot[] {
  const found = new Map<Moment, Slot>()
  for (const host of hosts) {
    for (const startsAt of startsOf(host, length, range, now)) {
      const slot = found.get(startsAt)
      if (slot) slot.hostIds.push(host.id)
      else found.set(startsAt, { startsAt, endsAt: startsAt + length.lengthMinutes * MINUTE, hostIds: [host.id] })
    }
  }
  return [...found.values()].toSorted((one, other) => one.startsAt - other.startsAt)
}

/** The span that a call blocks, with the buffers of its host. */
export function blockedBy(startsAt: Moment, lengthMinutes: number, { bufferBeforeMinutes, bufferAfterMinutes }: HostRules): TimeSpan {
  return { from: startsAt - bufferBeforeMinutes * MINUTE, until: startsAt + (lengthMinutes + bufferAfterMinutes) * MINUTE }
}

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

function startsOf(host: HostDay, { lengthMinutes, stepMinutes, hours }: CallLength, range: TimeSpan, now: Moment): Moment[] {
  const { rules } = host
  const earliest = Math.max(range.from, now + rules.noticeMinutes * MINUTE)
  const latest = Math.min(range.until - 1, now + rules.horizonDays * DAY)
  if (earliest > latest) return []
  const taken = merged([...host.calls, ...host.busy])
  const starts: Moment[] = []
  let at = 0
  for (const { from, until } of openSpans(host, hours ?? null, { earliest, latest })) {
    const last = Math.min(latest, until - lengthMinutes * MINUTE)
    for (let startsAt = from; startsAt <= last; startsAt += stepMinutes * MINUTE) {
      if (startsAt < earliest) continue
      const blocked = blockedBy(startsAt, lengthMinutes, rules)
      while ((taken[at]?.until ?? Infinity) <= blocked.from) at += 1
      if ((taken[at]?.from ?? Infinity) >= blocked.until) starts.push(startsAt)
    }
  }
  return starts
}

/**
 * The hours of a host between two moments, in order, without dates that have all the calls they may have. `own` are those of the call type, in
 * the host's zone: dates with other hours of the host limit them.
 */
function openSpans(host: HostDay, own: WeeklyHours | null, { earliest, latest }: { earliest: Moment; latest: Moment }): TimeSpan[] {
  const { zone, hours, dailyCap } = host.rules
  const open: TimeSpan[] = []
  // A day before, because a span of the day before may still be open: 24:00, or a long gap.
  let date = dateAt(earliest, zone).subtract({ days: 1 })
  for (let begins = clockReaches(date, '00:00', zone); begins <= latest;) {
    const next = date.add({ days: 1 })
    const ends = clockReaches(next, '00:00', zone)
    const day = date.dayOfWeek - 1
    const other = host.overrides.get(date.toString())
    const spans = own ? common(own[day] ?? [], other) : (other ?? hours[day] ?? [])
    if (dailyCap === null || countWithin(host.calls, begins, ends) < dailyCap)
      for (const { from, until } of spans) open.push({ from: clockReaches(date, from, zone), until: clockReaches(date, until, zone) })
    date = next
    begins = ends
  }
  return open
}

/** Times of a clock as text compare like the times. */
function common(own: readonly HourSpan[], other: readonly HourSpan[] | undefined): readonly HourSpan[] {
  if (!other) return own
  const later = (one: string, two: string) => (one > two ? one : two)
  const sooner = (one: string, two: string) => (one < two ? one : two)
  const both = own.flatMap((span) => other.map((each) => ({ from: later(span.from, each.from), until: sooner(span.until, each.until) })))
  return both.filter(({ from, until }) => from < until).toSorted((one, two) => (one.from < two.from ? -1 : 1))
}

function countWithin(calls: HostDay['calls'], from: Moment, until: Moment): number {
  return calls.filter(({ startsAt }) => startsAt >= from && startsAt < until).length
}

/** In order and without overlaps. */
function merged(spans: readonly TimeSpan[]): TimeSpan[] {
  const joined: TimeSpan[] = []
  for (const { from, until } of spans.toSorted((one, other) => one.from - other.from)) {
    const last = joined.at(-1)
    if (last && from <= last.until) last.until = Math.max(last.until, until)
    else joined.push({ from, until })
  }
  return joined
}

function dateAt(moment: Moment, zone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(zone).toPlainDate()
}

const reached = new Map<string, Moment>()
const MOST_REMEMBERED = 20_000

/**
 * The first moment of a date at which the clock of a zone shows a time or a later one. A time in a gap is reached when the gap is passed; one
 * that comes twice is reached the first time.
 */
export function clockReaches(date: Temporal.PlainDate, time: string, zone: string): Moment {
  const key = `${zone} ${date.toString()} ${time}`
  const known = reached.get(key)
  if (known !== undefined) return known
  if (reached.size >= MOST_REMEMBERED) reached.clear()
  const moment = findClock(date, time, zone)
  reached.set(key, moment)
  return moment
}

function findClock(date: Temporal.PlainDate, time: string, zone: string): Moment {
  const plain = time === '24:00' ? date.add({ days: 1 }).toPlainDateTime() : date.toPlainDateTime(Temporal.PlainTime.from(time))
  const shown = plain.toZonedDateTime(zone, { disambiguation: 'earlier' })
  if (shown.toPlainDateTime().equals(plain)) return shown.epochMilliseconds
  return (shown.getTimeZoneTransition('next') ?? shown).epochMilliseconds
}

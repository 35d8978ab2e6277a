import ICAL from 'ical.js'
import { UNREAD_END } from './calendar-lines.ts'
import type { CalendarClock } from './calendar-time.ts'

/** Moments in milliseconds: from one until before the other. */
export type MomentSpan = { from: number; until: number }

/** A part of a calendar that cannot be understood. */
export class Unusable extends Error {}

/** One event with its exceptions: the events of its UID that name one of its repetitions. */
type EventSeries = {
  master: ICAL.Component | undefined
  exceptions: ICAL.Component[]
  /** One of them, which names the series. */ first: ICAL.Component
}

/** Busy spans of one calendar before they are joined. */
export const MOST_SPANS = 20_000
/** Repetitions of one event since it began: an hourly one of two years, a daily one of 54. */
const MOST_REPETITIONS = 20_000

export function seriesOf(events: readonly ICAL.Component[]): EventSeries[] {
  const byUid = Map.groupBy(events, (event) => String(event.getFirstPropertyValue('uid') ?? ''))
  return [...byUid].flatMap(([uid, all]) => {
    const masters = all.filter((event) => !event.hasProperty('recurrence-id'))
    const exceptions = latest(all.filter((event) => event.hasProperty('recurrence-id')))
    // Without a UID they have nothing to do with one another.
    if (!uid) return all.map((event) => ({ master: event, exceptions: [], first: event }))
    const newest = masters.reduce((most, event) => Math.max(most, sequenceOf(event)), 0)
    const [master, ...others] = masters.filter((event) => sequenceOf(event) === newest)
    const first = master ?? exceptions[0]
    const rest = others.map((other) => ({ master: other, exceptions: [], first: other }))
    return first ? [{ master, exceptions, first }, ...rest] : rest
  })
}

/** The newest version of each exception. */
function latest(exceptions: readonly ICAL.Component[]): ICAL.Component[] {
  const byMoment = Map.groupBy(exceptions, (event) => String(event.getFirstProperty('recurrence-id')?.toJSON()))
  return [...byMoment.values()].flatMap((versions) => versions.toSorted((one, other) => sequenceOf(other) - sequenceOf(one)).slice(0, 1))
}

function sequenceOf(event: ICAL.Component): number {
  return Number(event.getFirstPropertyValue('sequence') ?? 0) || 0
}

type Reading = { range: MomentSpan; /** Hears that a part of the series cannot be read. */ lose: () => void }

/** The busy spans of an event with its repetitions. What cannot be read is lost, and the rest stays busy. Throws where that is nothing. */
export function busyOfSeries({ master, exceptions }: EventSeries, clock: CalendarClock, { range, lose }: Reading): MomentSpan[] {
  const own = exceptions.map((event) => ({ event, spans: attempt(() => spansOfOne(event, clock, lose), lose) }))
  const spans = own.flatMap((exception) => exception.spans ?? [])
  if (!master) return spans
  // One that cannot be read replaces nothing.
  const moved = own.flatMap((exception) => (exception.spans && attempt(() => exceptionOf(exception.event, clock), lose)) ?? [])
  const replaced = new Set<number | string>(moved.flatMap(({ replaces, day }) => [replaces, ...(day ? [day] : [])]))
  const shifts = moved.filter(({ isFuture }) => isFuture).toSorted((one, other) => one.replaces - other.replaces)
  const times = timesOf(master, clock, lose)
  const excluded = excludedIn(master, clock)
  const add = () => {
    for (const start of startsOf(master, times, clock, { range, lose })) {
      const moment = clock.at(start.time, start.zone)
      const day = dayOf(start.time).toString()
      if ([replaced, excluded].some((moments) => moments.has(moment) || moments.has(day))) continue
      const shift = shifts.findLast(({ replaces }) => replaces <= moment)
      const span = shift ? shifted(moment, shift, clock) : isBusy(master) && { from: moment, until: start.until ?? times.endOf(start.time) }
      if (span && span.until > range.from && span.from < range.until) spans.push(span)
      if (spans.length > MOST_SPANS) throw new Unusable()
    }
  }
  attempt(add, lose)
  return spans
}

/** Runs the reading of a part. Undefined: it cannot be read. */
function attempt<Result>(read: () => Result, lose: () => void): Result | undefined {
  try {
    return read()
  } catch {
    // The library throws errors of many kinds at what strangers write.
    lose()
    return undefined
  }
}

type Exception = { event: ICAL.Component; replaces: number; /** Where it names no time. */ day: string | undefined; isFuture: boolean }

function exceptionOf(event: ICAL.Component, clock: CalendarClock): Exception {
  const property = event.getFirstProperty('recurrence-id')
  const value = property && timeOf(property)
  if (!property || !value) throw new Unusable()
  const isFuture = property.getFirstParameter('range')?.toUpperCase() === 'THISANDFUTURE'
  return { event, replaces: clock.at(value, clock.zoneOf(property)), day: value.isDate ? value.toString() : undefined, isFuture }
}

/** A repetition after one that was moved together with all that follow. */
function shifted(moment: number, { event, replaces }: Exception, clock: CalendarClock): MomentSpan | undefined {
  if (!isBusy(event)) return undefined
  const times = timesOf(event, clock, () => undefined)
  const from = moment + clock.at(times.start, times.zone) - replaces
  return { from, until: from + times.endOf(times.start) - clock.at(times.start, times.zone) }
}

function spansOfOne(event: ICAL.Component, clock: CalendarClock, lose: () => void): MomentSpan[] {
  if (!isBusy(event)) return []
  const { start, zone, endOf } = timesOf(event, clock, lose)
  return [{ from: clock.at(start, zone), until: endOf(start) }]
}

function isBusy(event: ICAL.Component): boolean {
  const said = (name: string) => String(event.getFirstPropertyValue(name) ?? '').toUpperCase()
  return said('transp') !== 'TRANSPARENT' && said('status') !== 'CANCELLED' && said('x-microsoft-cdo-busystatus') !== 'FREE'
}

type EventTimes = {
  start: ICAL.Time
  zone: ReturnType<CalendarClock['zoneOf']>
  /** The end of the repetition that starts at a time of the event's clock. */
  endOf: (start: ICAL.Time) => number
}

function timesOf(event: ICAL.Component, clock: CalendarClock, lose: () => void): EventTimes {
  const property = event.getFirstProperty('dtstart')
  const start = property && timeOf(property)
  if (!property || !start) throw new Unusable()
  const zone = clock.zoneOf(property)
  const after = (from: ICAL.Time, added: ICAL.Duration) => {
    const time = from.clone()
    time.addDuration(added)
    return clock.at(time, zone)
  }
  const ended = event.getFirstProperty('dtend')
  const end = ended && timeOf(ended)
  const lasting = event.getFirstProperty('duration')
  const duration = lasting && valueOf(lasting)
  // An event has the one or the other. Where it has both, its end counts: programs write a length of zero beside it.
  if (duration instanceof ICAL.Duration && !end) return { start, zone, endOf: (from) => after(from, bounded(duration)) }
  if (!ended || !end) {
    // The end of an event may be lost. Then it is busy for the rest of its day.
    const isLost = Boolean(ended ?? lasting) || event.hasProperty(UNREAD_END)
    if (isLost) lose()
    const whole = ICAL.Duration.fromData({ days: start.isDate || isLost ? 1 : 0 })
    return { start, zone, endOf: (from) => after(isLost ? dayOf(from) : from, whole) }
  }
  if (start.isDate) {
    const days = ICAL.Duration.fromData({ days: Math.max(1, Math.round(end.subtractDate(start).toSeconds() / 86_400)) })
    return { start, zone, endOf: (from) => after(from, days) }
  }
  // RFC 5545: an event with an end keeps its exact length across a change of the clock.
  const length = clock.at(end, clock.zoneOf(ended) ?? zone) - clock.at(start, zone)
  return { start, zone, endOf: (from) => clock.at(from, zone) + length }
}

/** Undefined for a time that no calendar has: the library makes April of the 99th day of a 13th month. */
function timeOf(property: ICAL.Property): ICAL.Time | undefined {
  const value = valueOf(property)
  return value instanceof ICAL.Time && String(property.toJSON()[3]) === value.toString() ? value : undefined
}

/** The library reads values late, and throws errors of many kinds. */
function valueOf(property: ICAL.Property) {
  return attempt(
    () => property.getFirstValue(),
    () => undefined,
  )
}

/** In seconds: five years. The library counts days one by one, so that more of them could take forever. */
const LONGEST = 5 * 366 * 86_400

function bounded(duration: ICAL.Duration): ICAL.Duration {
  if (!(Math.abs(duration.toSeconds()) <= LONGEST)) throw new Unusable()
  return duration
}

/** Moments of a period, which has an end or a length. */
export function periodOf(period: ICAL.Period, clock: CalendarClock, zone: ReturnType<CalendarClock['zoneOf']>): MomentSpan {
  if (period.duration) bounded(period.duration)
  return { from: clock.at(period.start, zone), until: clock.at(period.getEnd(), zone) }
}

/** Moments, and whole days as `2026-11-25`. One that cannot be read excludes nothing, which costs nobody a call twice. */
function excludedIn(event: ICAL.Component, clock: CalendarClock): Set<number | string> {
  const excluded = new Set<number | string>()
  const add = (property: ICAL.Property) => {
    for (const value of property.getValues()) {
      if (!(value instanceof ICAL.Time)) throw new Unusable()
      excluded.add(value.isDate ? value.toString() : clock.at(value, clock.zoneOf(property)))
    }
  }
  for (const property of event.getAllProperties('exdate'))
    attempt(
      () => add(property),
      () => undefined,
    )
  return excluded
}

type Start = { time: ICAL.Time; zone: ReturnType<CalendarClock['zoneOf']>; /** Of a period with an end of its own. */ until?: number }

/** Every start until the end of the range, the first one included, each once for a rule. */
function* startsOf(
  event: ICAL.Component,
  { start, zone, endOf }: EventTimes,
  clock: CalendarClock,
  { range, lose }: Reading,
): Generator<Start> {
  const length = endOf(start) - clock.at(start, zone)
  yield { time: start, zone }
  for (const property of event.getAllProperties('rdate')) yield* attempt(() => [...addedStarts(property, clock, zone)], lose) ?? []
  const rules = event.getAllProperties('rrule').map((property) => property.getFirstValue())
  for (const rule of rules) {
    if (!(rule instanceof ICAL.Recur)) throw new Unusable()
    if (rule.until) rule.until = lastTime(rule.until, { time: start, zone }, clock)
    yield* repetitions(rule, { time: unzoned(start), zone }, clock, { ...range, from: range.from - length })
  }
}

/** The rule counts on the clock of the event, but names its end in UTC, or a whole day. */
function lastTime(until: ICAL.Time, { time, zone }: Start, clock: CalendarClock): ICAL.Time {
  if (time.isDate) return dayOf(until)
  if (until.isDate) return ICAL.Time.fromData({ ...fieldsOf(until), hour: 23, minute: 59, second: 59, isDate: false })
  return until.zone === ICAL.Timezone.utcTimezone && time.zone !== ICAL.Timezone.utcTimezone
    ? clock.clockAt(clock.at(until, undefined), zone)
    : until
}

/** More than any zone differs from UTC. */
const TWO_DAYS = 48 * 3_600_000

function* repetitions(rule: ICAL.Recur, { time: first, zone }: Start, clock: CalendarClock, range: MomentSpan): Generator<Start> {
  const iterator = rule.iterator(first)
  for (let count = 0; count < MOST_REPETITIONS; count += 1) {
    const time = iterator.next()
    // Most repetitions of an old event are long past, and finding the exact moment is the slow part.
    if (time && time.toUnixTime() * 1000 < range.from - TWO_DAYS) continue
    if (!time || clock.at(time, zone) >= range.until) return
    if (time.compare(first) !== 0) yield { time: time.clone(), zone }
  }
  throw new Unusable()
}

function* addedStarts(property: ICAL.Property, clock: CalendarClock, zone: Start['zone']): Generator<Start> {
  const own = clock.zoneOf(property) ?? zone
  for (const value of property.getValues()) {
    if (value instanceof ICAL.Time) yield { time: value, zone: own }
    else if (value instanceof ICAL.Period) yield { time: value.start, zone: own, until: periodOf(value, clock, own).until }
    else throw new Unusable()
  }
}

/** UTC times repeat in UTC; all others on the clock of their zone, which the library does not need to know. */
function unzoned(time: ICAL.Time): ICAL.Time {
  const first = time.clone()
  if (first.zone !== ICAL.Timezone.utcTimezone) first.zone = ICAL.Timezone.localTimezone
  return first
}

function dayOf(time: ICAL.Time): ICAL.Time {
  return ICAL.Time.fromData({ ...fieldsOf(time), isDate: true })
}

function fieldsOf({ year, month, day }: ICAL.Time) {
  return { year, month, day }
}

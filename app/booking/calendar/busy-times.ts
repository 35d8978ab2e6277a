import ICAL from 'ical.js'
import { oneLine } from '#app/platform/text/clean-text.ts'
import { BrokenCalendar } from './broken-calendar.ts'
import { readPart } from './calendar-lines.ts'
import { CalendarClock, zoneNamed } from './calendar-time.ts'
import { busyOfSeries, MOST_SPANS, type MomentSpan, periodOf, seriesOf, Unusable } from './event-series.ts'

export type BusyRange = MomentSpan & {
  /** IANA name, for times without a zone and for whole days. */
  zone: string
}

export type BusyTimes = {
  spans: MomentSpan[]
  /** How many events cannot be read, or only in part. */
  skipped: number
  /** The names of the first of them. */
  unread: string[]
  /** The first names of zones that nobody knows. */
  zones: string[]
}

export type BusyWays = {
  /** Whether an event with this UID is a call of our own, which blocks its time already. */
  isOurs?: (uid: string) => boolean
  /** The places of series that are not read. */
  skip?: readonly number[]
  /** Hears the place of each series before it is read. */
  onSeries?: (at: number) => void
}

const MOST_NAMED = 3

/** The busy spans of an iCalendar text within a range, in order and joined. All that can be read of an event is busy; the rest is counted and named. */
export function busyTimesOf(text: string, range: BusyRange, { isOurs, skip = [], onSeries }: BusyWays = {}): BusyTimes {
  const { events, freeBusy, zones, calendarZone, unread } = partsOf(text)
  const [clock, other] = [
    new CalendarClock(calendarZone ?? range.zone, zones),
    new CalendarClock(calendarZone ?? range.zone, zones, 'other'),
  ]
  const spans: MomentSpan[] = []
  const readInto = (component: ICAL.Component, read: (by: CalendarClock, lose: () => void) => MomentSpan[]) => {
    const lose = () => void unread.set(component, nameOf(component))
    take(spans, range, lose, () => read(clock, lose))
    // A zone that nobody knows: busy in both readings.
    if (clock.takeDoubt()) take(spans, range, lose, () => read(other, lose))
  }
  const all = seriesOf(events.filter((event) => !isOurs?.(uidOf(event))))
  for (const [at, series] of all.entries()) {
    onSeries?.(at)
    if (skip.includes(at)) unread.set(series.first, nameOf(series.first))
    else readInto(series.first, (by, lose) => busyOfSeries(series, by, { range, lose }))
  }
  for (const component of freeBusy) readInto(component, (by) => periodsOf(component, by))
  const names = [...new Set(unread.values())].filter(Boolean).slice(0, MOST_NAMED)
  return { spans: joined(spans, range), skipped: unread.size, unread: names, zones: clock.unknownZones().slice(0, MOST_NAMED) }
}

function take(spans: MomentSpan[], range: MomentSpan, lose: () => void, read: () => MomentSpan[]): void {
  try {
    for (const span of read()) if (span.until > range.from && span.from < range.until && span.from < span.until) spans.push(span)
  } catch {
    // The library throws errors of many kinds at what strangers write.
    lose()
  }
  if (spans.length > MOST_SPANS) throw new BrokenCalendar('The calendar has too many events in the coming months.')
}

type Parts = {
  events: ICAL.Component[]
  freeBusy: ICAL.Component[]
  zones: ICAL.Component[]
  calendarZone: string | undefined
  /** Parts that cannot be read, or only in part, with the names of events. */
  unread: Map<object, string>
}

const COMPONENT = /^BEGIN:(VEVENT|VTIMEZONE|VFREEBUSY)[ \t]*\r?\n[\s\S]*?^END:\1[ \t]*\r?$/gim

/** Each part is read alone, so one that is broken does not take the others with it. */
function partsOf(given: string): Parts {
  const text = given.replace(/^\uFEFF/, '').replaceAll(/\r\n?|\n/g, '\n')
  if (!/^\s*BEGIN:VCALENDAR\s/i.test(text)) throw new BrokenCalendar('The address doesn’t lead to a calendar.')
  if (!/^END:VCALENDAR\s*$/im.test(text.slice(-200))) throw new BrokenCalendar('The calendar ends in the middle.')
  const parts: Parts = { events: [], freeBusy: [], zones: [], calendarZone: zoneIn(text), unread: new Map() }
  const lists = { VEVENT: parts.events, VTIMEZONE: parts.zones, VFREEBUSY: parts.freeBusy }
  for (const [part] of text.matchAll(COMPONENT)) {
    const read = readPart(part)
    const list = read && Object.entries(lists).find(([name]) => name.toLowerCase() === read.component.name)?.[1]
    if (list && read) list.push(read.component)
    if (!list || !read) parts.unread.set({}, '')
    else if (read.lost) parts.unread.set(read.component, nameOf(read.component))
  }
  const begun = text.match(/^BEGIN:VEVENT[ \t]*$/gim)?.length ?? 0
  const found = text.match(COMPONENT)?.filter((part) => /^BEGIN:VEVENT/i.test(part)).length ?? 0
  for (let missing = found; missing < begun; missing += 1) parts.unread.set({}, '')
  return parts
}

function zoneIn(text: string): string | undefined {
  const name = /^X-WR-TIMEZONE:(.+)$/im.exec(text)?.[1]?.trim()
  return name === undefined ? undefined : zoneNamed(name)
}

function uidOf(event: ICAL.Component): string {
  return String(event.getFirstPropertyValue('uid') ?? '')
}

/** As its host knows an event: by its title and the day on which it starts. */
function nameOf(event: ICAL.Component): string {
  const title = oneLine(String(event.getFirstPropertyValue('summary') ?? '')).slice(0, 60)
  // As it is written: reading a value that makes no sense throws.
  const start = String(event.getFirstProperty('dtstart')?.toJSON()[3] ?? '')
  const day = /^\d{4}-\d\d-\d\d/.exec(start)?.[0] ?? ''
  return [title && `“${title}”`, day].filter(Boolean).join(', ')
}

/** Calendars that are published as free and busy only. */
function periodsOf(component: ICAL.Component, clock: CalendarClock): MomentSpan[] {
  return component.getAllProperties('freebusy').flatMap((property) => {
    if (property.getFirstParameter('fbtype')?.toUpperCase() === 'FREE') return []
    return property.getValues().map((period) => {
      if (!(period instanceof ICAL.Period)) throw new Unusable()
      return periodOf(period, clock, undefined)
    })
  })
}

/** Clipped to the range, in order, without overlaps. */
function joined(spans: readonly MomentSpan[], range: MomentSpan): MomentSpan[] {
  const result: MomentSpan[] = []
  for (const span of spans.toSorted((one, other) => one.from - other.from)) {
    const from = Math.max(span.from, range.from)
    const until = Math.min(span.until, range.until)
    const last = result.at(-1)
    if (last && from <= last.until) last.until = Math.max(last.until, until)
    else result.push({ from, until })
  }
  return result
}

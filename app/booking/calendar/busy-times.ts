import ICAL from 'ical.js'
import { isZone } from '#app/platform/weekly-hours.ts'
import { BrokenCalendar } from './broken-calendar.ts'
import { CalendarClock } from './calendar-time.ts'
import { busyOfSeries, MOST_SPANS, seriesOf, type MomentSpan, Unusable } from './event-series.ts'

export type BusyRange = MomentSpan & {
  /** IANA name, for times without a zone and for whole days. */
  zone: string
}

/** `skipped` counts events that cannot be read. */
export type BusyTimes = { spans: MomentSpan[]; skipped: number }

/**
 * The busy spans of an iCalendar text within a range, in order and joined. An event that cannot be read is skipped and counted. `isOurs` tells
 * by its UID whether an event is a call of our own, which blocks its time already.
 */
export function busyTimesOf(text: string, range: BusyRange, isOurs: (uid: string) => boolean = () => false): BusyTimes {
  const { events, freeBusy, zones, calendarZone, broken } = partsOf(text)
  const clock = new CalendarClock(calendarZone ?? range.zone, zones)
  const spans: MomentSpan[] = []
  let skipped = broken
  const add = (read: () => MomentSpan[]) => {
    try {
      for (const span of read()) if (span.until > range.from && span.from < range.until && span.from < span.until) spans.push(span)
    } catch (error) {
      // The library throws errors of many kinds at what strangers write.
      if (error instanceof BrokenCalendar) throw error
      skipped += 1
    }
    if (spans.length > MOST_SPANS) throw new BrokenCalendar('The calendar has too many events in the coming months.')
  }
  for (const series of seriesOf(events.filter((event) => !isOurs(uidOf(event))))) add(() => busyOfSeries(series, clock, range))
  for (const component of freeBusy) add(() => periodsOf(component, clock))
  return { spans: joined(spans, range), skipped }
}

type Parts = {
  events: ICAL.Component[]
  freeBusy: ICAL.Component[]
  zones: ICAL.Component[]
  calendarZone: string | undefined
  broken: number
}

const COMPONENT = /^BEGIN:(VEVENT|VTIMEZONE|VFREEBUSY)[ \t]*\r?\n[\s\S]*?^END:\1[ \t]*\r?$/gim

/** Each part is read alone, so one that is broken does not take the others with it. */
function partsOf(given: string): Parts {
  const text = given.replace(/^\uFEFF/, '').replaceAll(/\r\n?|\n/g, '\n')
  if (!/^\s*BEGIN:VCALENDAR\s/i.test(text)) throw new BrokenCalendar('The address doesn’t lead to a calendar.')
  if (!/^END:VCALENDAR\s*$/im.test(text.slice(-200))) throw new BrokenCalendar('The calendar ends in the middle.')
  const parts: Parts = { events: [], freeBusy: [], zones: [], calendarZone: zoneIn(text), broken: 0 }
  const lists = { VEVENT: parts.events, VTIMEZONE: parts.zones, VFREEBUSY: parts.freeBusy }
  for (const [part] of text.matchAll(COMPONENT)) {
    const component = readPart(part)
    const list = component && Object.entries(lists).find(([name]) => name.toLowerCase() === component.name)?.[1]
    if (list && component) list.push(component)
    else parts.broken += 1
  }
  const begun = text.match(/^BEGIN:VEVENT[ \t]*$/gim)?.length ?? 0
  return { ...parts, broken: parts.broken + Math.max(0, begun - parts.events.length - parts.broken) }
}

function readPart(text: string): ICAL.Component | undefined {
  try {
    const parsed: unknown = ICAL.parse(text)
    return Array.isArray(parsed) ? new ICAL.Component(parsed) : undefined
  } catch {
    return undefined
  }
}

function zoneIn(text: string): string | undefined {
  const name = /^X-WR-TIMEZONE:(.+)$/im.exec(text)?.[1]?.trim()
  return name !== undefined && isZone(name) ? name : undefined
}

function uidOf(event: ICAL.Component): string {
  return String(event.getFirstPropertyValue('uid') ?? '')
}

/** Calendars that are published as free and busy only. */
function periodsOf(component: ICAL.Component, clock: CalendarClock): MomentSpan[] {
  return component.getAllProperties('freebusy').flatMap((property) => {
    if (property.getFirstParameter('fbtype')?.toUpperCase() === 'FREE') return []
    return property.getValues().map((period) => {
      if (!(period instanceof ICAL.Period)) throw new Unusable()
      return { from: clock.at(period.start, undefined), until: clock.at(period.getEnd(), undefined) }
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

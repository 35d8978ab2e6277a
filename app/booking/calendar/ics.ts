import ICAL from 'ical.js'
import { manyLines, oneLine } from '#app/platform/text/clean-text.ts'
import { timeZoneComponent } from './vtimezone.ts'

/** Someone at a call, by name and address. */
type CalendarPerson = { name: string; email: string }

/** One call as calendars show it. */
export type CalendarEvent = {
  uid: string
  /** Rises with each change: a calendar ignores what is older than it has. */
  sequence: number
  startsAt: Date
  endsAt: Date
  /** The IANA zone in which the times are written. */
  zone: string
  title: string
  description: string
  place: string
  organizer: CalendarPerson
  attendee?: CalendarPerson
  createdAt: Date
  updatedAt: Date
  status: 'CONFIRMED' | 'CANCELLED'
}

export type CalendarMethod = 'REQUEST' | 'CANCEL' | 'PUBLISH'

/** The iCalendar text of one call (RFC 5545, RFC 5546): an invitation, its withdrawal, or a file to add to a calendar. */
export function icsOf({ method, ...event }: CalendarEvent & { method: CalendarMethod }): string {
  return calendarOf(method, [event])
}

/** The iCalendar text that withdraws several calls together. */
export function withdrawalOf(events: readonly CalendarEvent[]): string {
  return calendarOf('CANCEL', events)
}

/** The iCalendar text of many calls, for a calendar program that subscribes to it under this name. */
export function subscriptionOf(name: string, events: readonly CalendarEvent[]): string {
  return calendarOf('PUBLISH', events, name)
}

const PRODUCT = '-//Calls//EN'

// The library counts a continued line without the blank that it begins with, so that it would be 76 octets long.
ICAL.foldLength = 74

function calendarOf(method: CalendarMethod, given: readonly CalendarEvent[], name?: string): string {
  const events = given.map(inUniqueTime)
  const calendar = new ICAL.Component('vcalendar')
  calendar.addPropertyWithValue('prodid', PRODUCT)
  calendar.addPropertyWithValue('version', '2.0')
  calendar.addPropertyWithValue('calscale', 'GREGORIAN')
  calendar.addPropertyWithValue('method', method)
  if (name !== undefined) addName(calendar, oneLine(name))
  for (const component of timeZonesOf(events)) calendar.addSubcomponent(component)
  for (const event of events) calendar.addSubcomponent(eventComponent(event, method))
  return `${calendar.toString()}\r\n`
}

/** In an hour that the clock of the zone shows twice, programs take different ones of the two, so such a call is in UTC. */
function inUniqueTime(event: CalendarEvent): CalendarEvent {
  const isShownTwice = (at: Date) => {
    const shown = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(event.zone)
    const moments = (['earlier', 'later'] as const).map((disambiguation) =>
      shown.toPlainDateTime().toZonedDateTime(event.zone, { disambiguation }),
    )
    return moments.some((moment) => !moment.equals(shown))
  }
  return isShownTwice(event.startsAt) || isShownTwice(event.endsAt) ? { ...event, zone: 'UTC' } : event
}

/** Calendar programs ask again once an hour. */
function addName(calendar: ICAL.Component, name: string): void {
  calendar.addPropertyWithValue('name', name)
  calendar.addPropertyWithValue('x-wr-calname', name)
  const refresh = new ICAL.Property('refresh-interval')
  refresh.resetType('duration')
  refresh.setValue(ICAL.Duration.fromString('PT1H'))
  calendar.addProperty(refresh)
}

function timeZonesOf(events: readonly CalendarEvent[]): ICAL.Component[] {
  const zones = [...new Set(events.map(({ zone }) => zone))].filter((zone) => zone !== 'UTC')
  return zones.map((zone) => {
    const inZone = events.filter((event) => event.zone === zone)
    const from = Math.min(...inZone.map(({ startsAt }) => startsAt.getTime()))
    const until = Math.max(...inZone.map(({ endsAt }) => endsAt.getTime()))
    return timeZoneComponent(zone, new Date(from), new Date(until))
  })
}

function eventComponent(event: CalendarEvent, method: CalendarMethod): ICAL.Component {
  const component = new ICAL.Component('vevent')
  component.addPropertyWithValue('uid', oneLine(event.uid))
  component.addPropertyWithValue('sequence', event.sequence)
  component.addPropertyWithValue('dtstamp', utc(event.updatedAt))
  component.addPropertyWithValue('created', utc(event.createdAt))
  component.addPropertyWithValue('last-modified', utc(event.updatedAt))
  component.addProperty(timeProperty('dtstart', event.startsAt, event.zone))
  component.addProperty(timeProperty('dtend', event.endsAt, event.zone))
  component.addPropertyWithValue('status', event.status)
  component.addPropertyWithValue('transp', event.status === 'CANCELLED' ? 'TRANSPARENT' : 'OPAQUE')
  component.addPropertyWithValue('summary', oneLine(event.title))
  if (event.description) component.addPropertyWithValue('description', manyLines(event.description))
  if (event.place) component.addPropertyWithValue('location', oneLine(event.place))
  component.addProperty(personProperty('organizer', event.organizer))
  // RFC 5546 has no attendees in what is published.
  if (event.attendee && method !== 'PUBLISH') component.addProperty(attendeeProperty(event.attendee))
  return component
}

/** The guest chose the time, so nobody waits for a reply. */
function attendeeProperty(person: CalendarPerson): ICAL.Property {
  const property = personProperty('attendee', person)
  property.setParameter('cutype', 'INDIVIDUAL')
  property.setParameter('role', 'REQ-PARTICIPANT')
  property.setParameter('partstat', 'ACCEPTED')
  property.setParameter('rsvp', 'FALSE')
  return property
}

/** An address is not escaped in the file, so it loses whatever could begin a line or a parameter. */
function personProperty(kind: 'organizer' | 'attendee', { name, email }: CalendarPerson): ICAL.Property {
  const property = new ICAL.Property(kind)
  property.setParameter('cn', oneLine(name))
  property.setValue(`mailto:${email.replaceAll(/[\s\p{C}\p{Zl}\p{Zp}"<>,;:\\]/gu, '')}`)
  return property
}

function timeProperty(kind: 'dtstart' | 'dtend', at: Date, zone: string): ICAL.Property {
  const property = new ICAL.Property(kind)
  if (zone === 'UTC') {
    property.setValue(utc(at))
    return property
  }
  const wall = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone).toPlainDateTime()
  property.setParameter('tzid', zone)
  property.setValue(ICAL.Time.fromDateTimeString(wall.toString({ smallestUnit: 'second' })))
  return property
}

function utc(at: Date): ICAL.Time {
  return ICAL.Time.fromDateTimeString(`${at.toISOString().slice(0, 19)}Z`)
}

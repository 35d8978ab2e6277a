import ICAL from 'ical.js'
import nodeIcal from 'node-ical'
import { describe, expect, test } from 'vitest'
import { type CalendarEvent, type CalendarMethod, icsOf, subscriptionOf } from './ics.ts'

const HOUR_MS = 3_600_000
const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Sao_Paulo',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Africa/Casablanca',
  'America/St_Johns',
  'Pacific/Apia',
]

/** Booked on the hour, with every fifth one across a change of a clock. */
function startOf(index: number): number {
  const changes = ['2027-03-28T00:30:00Z', '2027-11-07T05:30:00Z', '2027-04-03T14:30:00Z', '2027-10-31T00:30:00Z']
  return index % 5 === 0 ? Date.parse(changes[(index / 5) % 4] ?? '') : Date.UTC(2027, 0, 1) + index * 89 * HOUR_MS
}

const texts = [
  'Free consultation',
  'Größe, Preis; „Ziele“\\',
  '価格データ😀'.repeat(12),
  'Line one\nLine two\r\nLine three',
  'x'.repeat(300),
]

function eventOf(index: number): CalendarEvent & { method: CalendarMethod } {
  const startsAt = new Date(startOf(index))
  return {
    uid: `call-${index}@example.com`,
    sequence: 0,
    method: 'REQUEST',
    startsAt,
    endsAt: new Date(startsAt.getTime() + HOUR_MS / 2),
    zone: zones[index % zones.length] ?? 'UTC',
    title: `Call ${index}`,
    description: texts[index % texts.length] ?? '',
    place: 'https://meet.example.com/a,b;c',
    organizer: { name: 'Ada "the first" Lovelace', email: 'ada@example.com' },
    attendee: { name: 'Grace; Hopper', email: 'grace@example.com' },
    createdAt: new Date('2026-11-25T10:00:00Z'),
    updatedAt: new Date('2026-11-25T10:00:00Z'),
    status: 'CONFIRMED',
  }
}

const moved = (event: ReturnType<typeof eventOf>) => ({
  ...event,
  sequence: event.sequence + 1,
  startsAt: new Date(event.startsAt.getTime() + 25 * HOUR_MS),
  endsAt: new Date(event.endsAt.getTime() + 25 * HOUR_MS),
})
const cancelled = (event: ReturnType<typeof eventOf>) => ({
  ...event,
  sequence: event.sequence + 1,
  method: 'CANCEL' as const,
  status: 'CANCELLED' as const,
})

/** The three files that a guest gets in turn. */
const lives = Array.from({ length: 100 }, (_, index) => {
  const booked = eventOf(index)
  return [booked, moved(booked), cancelled(moved(booked))]
}).flat()

const factsOf = ({ uid, startsAt, endsAt, sequence, status, method, description }: ReturnType<typeof eventOf>) => ({
  uid,
  startsAt: startsAt.toISOString(),
  endsAt: endsAt.toISOString(),
  sequence,
  status,
  method,
  description: description.replaceAll('\r\n', '\n'),
})

describe('300 files of 100 calls that were booked, moved and cancelled', () => {
  test('one library reads the same identity, times and sequence from each', () => {
    for (const event of lives) expect(readByIcalJs(icsOf(event))).toEqual(factsOf(event))
  })

  test('and so does another one, with its own parser and its own time zones', () => {
    for (const event of lives) expect(readByNodeIcal(icsOf(event))).toEqual(factsOf(event))
  })

  test('no line is longer than 75 octets, each ends with CRLF, and no character is cut in two', () => {
    for (const event of lives) {
      const file = icsOf(event)
      expect(file.replaceAll('\r\n', '')).not.toMatch(/[\r\n\uFFFD]/)
      expect(Math.max(...file.split('\r\n').map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75)
    }
  })
})

test.each([
  ['America/New_York', '2027-11-07T06:30:00Z'],
  ['Europe/Berlin', '2027-10-31T01:00:00Z'],
  ['America/New_York', '2027-11-07T05:45:00Z'],
])('a call in an hour that the clock of %s shows twice is at its own moment: %s', (zone, at) => {
  const startsAt = new Date(at)
  const endsAt = new Date(startsAt.getTime() + HOUR_MS / 2)
  const event = Object.values(nodeIcal.sync.parseICS(icsOf({ ...eventOf(0), zone, startsAt, endsAt }))).find(
    (each) => each?.type === 'VEVENT',
  )
  expect(event && 'start' in event && [event.start.toISOString(), event.end?.toISOString()]).toEqual([
    startsAt.toISOString(),
    endsAt.toISOString(),
  ])
})

test('a name, an address or a text cannot add a line of its own', () => {
  const evil = 'x\r\nATTENDEE:mailto:evil@example.com\nX-EVIL:1\u2028BEGIN:VALARM'
  const person = { name: evil, email: `a@example.com${evil}` }
  const file = icsOf({ ...eventOf(1), uid: evil, title: evil, description: evil, place: evil, organizer: person, attendee: person })
  const names = file
    .replaceAll('\r\n ', '')
    .split('\r\n')
    .map((line) => line.split(/[:;]/)[0])
  expect(names.filter((name) => name === 'ATTENDEE')).toHaveLength(1)
  expect(names).not.toContain('X-EVIL')
  expect(names.filter((name) => name === 'BEGIN')).toHaveLength(
    file.match(/^BEGIN:(VCALENDAR|VTIMEZONE|STANDARD|DAYLIGHT|VEVENT)\r$/gm)?.length ?? 0,
  )
})

test('a file to add to a calendar names no attendee, and a subscription has its name, its calls and each zone once', () => {
  expect(icsOf({ ...eventOf(1), method: 'PUBLISH' })).not.toContain('ATTENDEE')
  const file = subscriptionOf('Calls of Ada', [eventOf(1), eventOf(11), eventOf(2)])
  expect(file.match(/^BEGIN:VEVENT/gm)).toHaveLength(3)
  expect(file.match(/^TZID:.*$/gm)).toEqual(['TZID:Europe/Berlin', 'TZID:America/New_York'])
  expect(file).toContain('X-WR-CALNAME:Calls of Ada')
})

function readByIcalJs(file: string) {
  const calendar = new ICAL.Component(ICAL.parse(file))
  for (const zone of calendar.getAllSubcomponents('vtimezone')) {
    ICAL.TimezoneService.register(new ICAL.Timezone(zone), String(zone.getFirstPropertyValue('tzid')))
  }
  const component = calendar.getFirstSubcomponent('vevent') ?? undefined
  const event = new ICAL.Event(component)
  return {
    uid: event.uid,
    startsAt: event.startDate.toJSDate().toISOString(),
    endsAt: event.endDate.toJSDate().toISOString(),
    sequence: event.sequence,
    status: component?.getFirstPropertyValue('status'),
    method: calendar.getFirstPropertyValue('method'),
    description: event.description,
  }
}

function readByNodeIcal(file: string) {
  const event = Object.values(nodeIcal.parseICS(file)).find((part) => part?.type === 'VEVENT')
  if (event?.type !== 'VEVENT') throw new Error('no event')
  return {
    uid: event.uid,
    startsAt: event.start.toISOString(),
    endsAt: event.end?.toISOString(),
    sequence: Number(event.sequence),
    status: event.status,
    method: event.method,
    description: event.description,
  }
}

import { expect, test } from 'vitest'
import { readBusyTimes } from './busy-thread.server.ts'

const range = { from: Date.parse('2026-11-23T00:00Z'), until: Date.parse('2027-02-01T00:00Z'), zone: 'Europe/Berlin' }
const work = (...parts: string[]) => ({
  text: ['BEGIN:VCALENDAR', ...parts, 'END:VCALENDAR', ''].join('\r\n'),
  range,
  ownUids: '@localhost',
})
const read = (...parts: string[]) => readBusyTimes(work(...parts))
/** In milliseconds: less than in the product, because the reading of the worst ones uses all of it. */
const SHORT = 4000
/** For what is refused in any case. */
const SHORTER = 1500
const event = (id: number | string, ...lines: string[]) => ['BEGIN:VEVENT', `UID:${id}`, ...lines, 'END:VEVENT'].join('\r\n')
const NINE = ['DTSTART:20261124T090000Z', 'DTEND:20261124T100000Z']
const nine = { from: Date.parse('2026-11-24T09:00Z'), until: Date.parse('2026-11-24T10:00Z') }

test('a calendar of 5 MB with an event every five hours for fourteen years is read', async () => {
  const many = Array.from({ length: 25_000 }, (_, at) => {
    const start = new Date(Date.UTC(2013, 0, 1) + at * 5 * 3_600_000).toISOString().replaceAll(/[-:]|\.000/g, '')
    return event(at, `DTSTART:${start}`, 'DURATION:PT1H', `DESCRIPTION:${'x'.repeat(120)}`)
  })
  expect(many.join('\r\n').length).toBeGreaterThan(4.8 * 1024 * 1024)
  const { spans, skipped } = await read(...many)
  expect([spans.length, skipped]).toEqual([Math.round((range.until - range.from) / (5 * 3_600_000)), 0])
})

const rules = [
  'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
  'FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=2',
  'FREQ=SECONDLY;BYSECOND=59;BYMONTH=2;BYMONTHDAY=30',
  'FREQ=MINUTELY;INTERVAL=999999999',
  'FREQ=DAILY;INTERVAL=0',
  'FREQ=DAILY;COUNT=999999999999',
  'FREQ=HOURLY;BYHOUR=25',
  'FREQ=WEEKLY;BYDAY=99MO',
  'FREQ=YEARLY;BYYEARDAY=366;INTERVAL=1000',
  'FREQ=YEARLY;BYDAY=-53SU;BYSETPOS=-366',
]

test.each(rules)('the rule %s ends with the busy times of the other events, or a reason', async (rule) => {
  const started = performance.now()
  const calendar = work(event('a', 'DTSTART:20200101T000000Z', 'DURATION:PT1M', `RRULE:${rule}`), event('b', ...NINE))
  const outcome = await readBusyTimes(calendar, SHORT).catch((error: unknown) => String(error))
  // The limit of the thread, and its start on a busy machine.
  expect(performance.now() - started).toBeLessThan(SHORT + 10_000)
  const isRead = typeof outcome !== 'string' && outcome.spans.some(({ from, until }) => from <= nine.from && until >= nine.until)
  expect(isRead ? 'read' : outcome).toMatch(/read$|takes too long to read/)
})

test('an event that never ends is left out and named, and the others are read', async () => {
  const endless = event('a', 'SUMMARY:Leap', 'DTSTART:20200101T000000Z', 'RRULE:FREQ=SECONDLY;BYSECOND=59;BYMONTH=2;BYMONTHDAY=30')
  const { spans, unread } = await readBusyTimes(work(endless, event('b', ...NINE)), SHORT)
  expect([spans, unread]).toEqual([[nine], ['“Leap”, 2020-01-01']])
})

test('a thousand events of each second together are too much, and said', async () => {
  const greedy = Array.from({ length: 1000 }, (_, at) => event(at, 'DTSTART:20200101T000000Z', 'RRULE:FREQ=SECONDLY'))
  await expect(readBusyTimes(work(...greedy), SHORTER)).rejects.toThrow('takes too long to read')
})

test('the server answers while a calendar is read', async () => {
  let turns = 0
  const turning = setInterval(() => (turns += 1), 5)
  await read(...Array.from({ length: 20 }, (_, at) => event(at, 'DTSTART:20200101T000000Z', 'RRULE:FREQ=MINUTELY')))
  clearInterval(turning)
  expect(turns).toBeGreaterThan(20)
})

import { describe, expect, test } from 'vitest'
import { BrokenCalendar } from './broken-calendar.ts'
import { busyTimesOf } from './busy-times.ts'

/** From Monday, November 23, 2026, for ten weeks, read by a host in Berlin (UTC+1 in winter). */
const range = { from: Date.parse('2026-11-23T00:00Z'), until: Date.parse('2027-02-01T00:00Z'), zone: 'Europe/Berlin' }

const calendar = (...parts: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Corpus//EN', ...parts, 'END:VCALENDAR', ''].join('\r\n')
const event = (...lines: string[]) => ['BEGIN:VEVENT', 'UID:1@corpus', 'DTSTAMP:20261101T000000Z', ...lines, 'END:VEVENT'].join('\r\n')
const one = (...lines: string[]) => calendar(event(...lines))

/** `11-24 09:00–10:00` in UTC. */
const textOf = ({ from, until }: { from: number; until: number }) => {
  const [start, end] = [new Date(from).toISOString(), new Date(until).toISOString()]
  const short = (iso: string) => iso.slice(iso.startsWith('2026') ? 5 : 0, 16).replace('T', ' ')
  return start.slice(0, 10) === end.slice(0, 10) ? `${short(start)}–${end.slice(11, 16)}` : `${short(start)} – ${short(end)}`
}
const read = (text: string) => {
  const { spans, skipped, zones } = busyTimesOf(text, range)
  return [...spans.map(textOf), ...(skipped > 0 ? [`${skipped} skipped`] : []), ...zones.map((name) => `unknown ${name}`)]
}

const NINE = ['DTSTART;TZID=Europe/Berlin:20261124T090000', 'DTEND;TZID=Europe/Berlin:20261124T100000']
const NINE_UTC = '11-24 08:00–09:00'
const exception = (moment: string, ...lines: string[]) => event(`RECURRENCE-ID;TZID=Europe/Berlin:${moment}`, ...lines)

/** A zone that only the calendar knows: UTC+5 all year. */
const OWN_ZONE = `BEGIN:VTIMEZONE
TZID:Office clock
BEGIN:STANDARD
DTSTART:19700101T000000
TZOFFSETFROM:+0500
TZOFFSETTO:+0500
END:STANDARD
END:VTIMEZONE`
const LIC_ZONE = OWN_ZONE.replace('TZID:Office clock', 'TZID:Office clock\nX-LIC-LOCATION:Asia/Tokyo')

const corpus: [name: string, text: string, ...busy: string[]][] = [
  // Zones and kinds of time.
  ['a time in UTC', one('DTSTART:20261124T090000Z', 'DTEND:20261124T100000Z'), '11-24 09:00–10:00'],
  ['a time in an IANA zone', one(...NINE), NINE_UTC],
  ['a zone far east', one('DTSTART;TZID=Pacific/Kiritimati:20261125T090000', 'DURATION:PT1H'), '11-24 19:00–20:00'],
  ['a zone with a quarter of an hour', one('DTSTART;TZID=Asia/Kathmandu:20261124T090000', 'DURATION:PT30M'), '11-24 03:15–03:45'],
  ['a floating time, which is the host’s', one('DTSTART:20261124T090000', 'DTEND:20261124T100000'), NINE_UTC],
  [
    'a floating time in a calendar with a zone',
    calendar('X-WR-TIMEZONE:America/New_York', event('DTSTART:20261124T090000', 'DURATION:PT1H')),
    '11-24 14:00–15:00',
  ],
  ['a Windows zone', one('DTSTART;TZID=W. Europe Standard Time:20261124T090000', 'DURATION:PT1H'), NINE_UTC],
  ['a Windows zone in quotes', one('DTSTART;TZID="Pacific Standard Time":20261124T090000', 'DURATION:PT1H'), '11-24 17:00–18:00'],
  ['a Windows zone without a clock change', one('DTSTART;TZID=India Standard Time:20261124T090000', 'DURATION:PT1H'), '11-24 03:30–04:30'],
  [
    'a zone below the name of a program',
    one('DTSTART;TZID=/citadel.org/20260101_1/Europe/Berlin:20261124T090000', 'DURATION:PT1H'),
    NINE_UTC,
  ],
  ['a zone of three parts', one('DTSTART;TZID=/example/America/Argentina/Salta:20261124T090000', 'DURATION:PT1H'), '11-24 12:00–13:00'],
  [
    'a zone that the calendar describes',
    calendar(OWN_ZONE, event('DTSTART;TZID=Office clock:20261124T090000', 'DURATION:PT1H')),
    '11-24 04:00–05:00',
  ],
  [
    'a described zone with a known place',
    calendar(LIC_ZONE, event('DTSTART;TZID=Office clock:20261124T090000', 'DURATION:PT1H')),
    '11-24 00:00–01:00',
  ],
  [
    'a zone that nobody knows: the host’s and UTC',
    one('DTSTART;TZID=Nowhere/Land:20261124T090000', 'DURATION:PT30M'),
    '11-24 08:00–08:30',
    '11-24 09:00–09:30',
    'unknown Nowhere/Land',
  ],
  [
    'a zone that nobody knows, described without rules',
    calendar('BEGIN:VTIMEZONE\r\nTZID:Empty\r\nEND:VTIMEZONE', event('DTSTART;TZID=Empty:20261124T090000', 'DURATION:PT30M')),
    '11-24 08:00–08:30',
    '11-24 09:00–09:30',
    'unknown Empty',
  ],
  ['an offset as a zone', one('DTSTART;TZID=GMT-0600:20261124T090000', 'DURATION:PT1H'), '11-24 15:00–16:00'],
  ['an offset with a colon', one('DTSTART;TZID=UTC+05:30:20261124T090000', 'DURATION:PT1H'), '11-24 03:30–04:30'],
  ['the opposite sign of Etc/GMT', one('DTSTART;TZID=Etc/GMT+6:20261124T090000', 'DURATION:PT1H'), '11-24 15:00–16:00'],
  [
    'a zone as Windows shows it, by its cities',
    one(
      'DTSTART;TZID="(UTC+01:00) Amsterdam, Berlin, Bern, Rome":20260724T090000',
      'DURATION:PT1H',
      'RRULE:FREQ=DAILY;INTERVAL=123;COUNT=2',
    ),
    NINE_UTC,
  ],
  [
    'a zone as Windows shows it, by its time, without quotes',
    one(
      'DTSTART;TZID=(UTC-05:00) Eastern Time (US & Canada):20261124T090000',
      'DTEND;TZID=(UTC-05:00) Eastern Time (US & Canada):20261124T100000',
    ),
    '11-24 14:00–15:00',
  ],
  [
    'an offset with a name that nobody knows: with and without summer time',
    one('DTSTART;TZID="(UTC-05:00) My office":20261124T090000', 'DURATION:PT15M'),
    '11-24 13:00–13:15',
    '11-24 14:00–14:15',
    'unknown (UTC-05:00) My office',
  ],
  [
    'start and end in two zones',
    one('DTSTART;TZID=Europe/Berlin:20261124T090000', 'DTEND;TZID=America/New_York:20261124T050000'),
    '11-24 08:00–10:00',
  ],
  // Days and lengths.
  ['a whole day', one('DTSTART;VALUE=DATE:20261124', 'DTEND;VALUE=DATE:20261125'), '11-23 23:00 – 11-24 23:00'],
  ['a whole day without an end', one('DTSTART;VALUE=DATE:20261124'), '11-23 23:00 – 11-24 23:00'],
  ['a week away', one('DTSTART;VALUE=DATE:20261130', 'DTEND;VALUE=DATE:20261207'), '11-29 23:00 – 12-06 23:00'],
  ['a day that ends on itself', one('DTSTART;VALUE=DATE:20261124', 'DTEND;VALUE=DATE:20261124'), '11-23 23:00 – 11-24 23:00'],
  ['a length of two days', one('DTSTART;VALUE=DATE:20261124', 'DURATION:P2D'), '11-23 23:00 – 11-25 23:00'],
  ['a moment without a length', one('DTSTART:20261124T090000Z')],
  ['an end before the start', one('DTSTART:20261124T090000Z', 'DTEND:20261124T080000Z')],
  ['over midnight', one('DTSTART:20261124T230000Z', 'DTEND:20261125T010000Z'), '11-24 23:00 – 11-25 01:00'],
  ['begun before the range', one('DTSTART:20261120T000000Z', 'DTEND:20261123T080000Z'), '11-23 00:00–08:00'],
  ['outside of the range', one('DTSTART:20260101T090000Z', 'DTEND:20260101T100000Z')],
  // Free, tentative, cancelled.
  ['shown as free', one(...NINE, 'TRANSP:TRANSPARENT')],
  ['shown as busy', one(...NINE, 'TRANSP:OPAQUE'), NINE_UTC],
  ['shown as free in Outlook', one(...NINE, 'X-MICROSOFT-CDO-BUSYSTATUS:FREE')],
  ['tentative', one(...NINE, 'STATUS:TENTATIVE'), NINE_UTC],
  ['cancelled', one(...NINE, 'STATUS:CANCELLED')],
  // Repetitions.
  ['three days in a row', one(...NINE, 'RRULE:FREQ=DAILY;COUNT=3'), NINE_UTC, '11-25 08:00–09:00', '11-26 08:00–09:00'],
  [
    'since years ago',
    one('DTSTART;TZID=Europe/Berlin:20160104T090000', 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY;UNTIL=20261201T000000Z;BYDAY=MO'),
    '11-23 08:00–09:00',
    '11-30 08:00–09:00',
  ],
  [
    'across a change of the clock',
    one('DTSTART;TZID=America/New_York:20261030T090000', 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY;COUNT=5'),
    '11-27 14:00–15:00',
  ],
  [
    'in UTC, whatever the clocks do',
    one('DTSTART:20261001T080000Z', 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY;UNTIL=20261127T080000Z'),
    '11-26 08:00–09:00',
  ],
  [
    'until its last time, in UTC',
    one('DTSTART;TZID=Europe/Berlin:20261124T233000', 'DURATION:PT15M', 'RRULE:FREQ=DAILY;UNTIL=20261125T223000Z'),
    '11-24 22:30–22:45',
    '11-25 22:30–22:45',
  ],
  ['until a day', one(...NINE, 'RRULE:FREQ=DAILY;UNTIL=20261125'), NINE_UTC, '11-25 08:00–09:00'],
  [
    'the last Friday of each month',
    one('DTSTART:20261127T090000Z', 'DURATION:PT1H', 'RRULE:FREQ=MONTHLY;BYDAY=-1FR'),
    '11-27 09:00–10:00',
    '12-25 09:00–10:00',
    '2027-01-29 09:00–10:00',
  ],
  [
    'every other week on two days',
    one('DTSTART:20261124T090000Z', 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH;COUNT=4'),
    '11-24 09:00–10:00',
    '11-26 09:00–10:00',
    '12-08 09:00–10:00',
    '12-10 09:00–10:00',
  ],
  [
    'the last working day of the month',
    one('DTSTART:20261130T090000Z', 'DURATION:PT1H', 'RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=2'),
    '11-30 09:00–10:00',
    '12-31 09:00–10:00',
  ],
  [
    'whole days each year',
    one('DTSTART;VALUE=DATE:20101224', 'DTEND;VALUE=DATE:20101227', 'RRULE:FREQ=YEARLY'),
    '12-23 23:00 – 12-26 23:00',
  ],
  ['day after day, joined', one('DTSTART;VALUE=DATE:20261124', 'RRULE:FREQ=DAILY;COUNT=3'), '11-23 23:00 – 11-26 23:00'],
  [
    'a rule that the start does not follow',
    one('DTSTART:20261124T090000Z', 'DURATION:PT1H', 'RRULE:FREQ=WEEKLY;BYDAY=WE;UNTIL=20261126T000000Z'),
    '11-24 09:00–10:00',
    '11-25 09:00–10:00',
  ],
  [
    'more dates',
    one(...NINE, 'RDATE;TZID=Europe/Berlin:20261126T090000,20261127T110000'),
    NINE_UTC,
    '11-26 08:00–09:00',
    '11-27 10:00–11:00',
  ],
  [
    'a period as one more date',
    one('DTSTART:20261124T090000Z', 'DURATION:PT1H', 'RDATE;VALUE=PERIOD:20261126T090000Z/PT3H'),
    '11-24 09:00–10:00',
    '11-26 09:00–12:00',
  ],
  // Exceptions.
  [
    'without one date',
    one(...NINE, 'RRULE:FREQ=DAILY;COUNT=3', 'EXDATE;TZID=Europe/Berlin:20261125T090000'),
    NINE_UTC,
    '11-26 08:00–09:00',
  ],
  [
    'without dates in UTC',
    one(...NINE, 'RRULE:FREQ=DAILY;COUNT=4', 'EXDATE:20261125T080000Z,20261126T080000Z'),
    NINE_UTC,
    '11-27 08:00–09:00',
  ],
  ['without a whole day', one(...NINE, 'RRULE:FREQ=DAILY;COUNT=3', 'EXDATE;VALUE=DATE:20261125'), NINE_UTC, '11-26 08:00–09:00'],
  [
    'whole days without one',
    one('DTSTART;VALUE=DATE:20261124', 'RRULE:FREQ=WEEKLY;COUNT=3', 'EXDATE;VALUE=DATE:20261201'),
    '11-23 23:00 – 11-24 23:00',
    '12-07 23:00 – 12-08 23:00',
  ],
  [
    'one moved',
    calendar(
      event(...NINE, 'RRULE:FREQ=DAILY;COUNT=3'),
      exception('20261125T090000', 'DTSTART;TZID=Europe/Berlin:20261125T140000', 'DURATION:PT2H'),
    ),
    NINE_UTC,
    '11-25 13:00–15:00',
    '11-26 08:00–09:00',
  ],
  [
    'one moved, named in UTC',
    calendar(
      event(...NINE, 'RRULE:FREQ=DAILY;COUNT=2'),
      event('RECURRENCE-ID:20261125T080000Z', 'DTSTART:20261125T200000Z', 'DURATION:PT1H'),
    ),
    NINE_UTC,
    '11-25 20:00–21:00',
  ],
  [
    'one cancelled',
    calendar(
      event(...NINE, 'RRULE:FREQ=DAILY;COUNT=3'),
      exception('20261125T090000', 'DTSTART;TZID=Europe/Berlin:20261125T090000', 'STATUS:CANCELLED'),
    ),
    NINE_UTC,
    '11-26 08:00–09:00',
  ],
  [
    'one moved twice: the newest counts',
    calendar(
      event(...NINE, 'RRULE:FREQ=DAILY;COUNT=2'),
      exception('20261125T090000', 'SEQUENCE:1', 'DTSTART:20261125T120000Z', 'DURATION:PT1H'),
      exception('20261125T090000', 'SEQUENCE:2', 'DTSTART:20261125T180000Z', 'DURATION:PT1H'),
    ),
    NINE_UTC,
    '11-25 18:00–19:00',
  ],
  [
    'this and all that follow moved',
    calendar(
      event(...NINE, 'RRULE:FREQ=DAILY;COUNT=4'),
      event(
        'RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20261126T090000',
        'DTSTART;TZID=Europe/Berlin:20261126T110000',
        'DURATION:PT2H',
      ),
    ),
    NINE_UTC,
    '11-25 08:00–09:00',
    '11-26 10:00–12:00',
    '11-27 10:00–12:00',
  ],
  [
    'an exception without its series',
    calendar(exception('20261125T090000', 'DTSTART;TZID=Europe/Berlin:20261125T140000', 'DURATION:PT1H')),
    '11-25 13:00–14:00',
  ],
  // Whole calendars.
  ['no event', calendar()],
  [
    'overlapping events, joined',
    calendar(
      event('DTSTART:20261124T090000Z', 'DURATION:PT1H'),
      event('DTSTART:20261124T093000Z', 'DURATION:PT1H').replace('UID:1@', 'UID:2@'),
    ),
    '11-24 09:00–10:30',
  ],
  [
    'folded lines and line feeds only',
    one('DTSTART:2026\r\n 1124T090000Z', 'DURATION:PT1H', `SUMMARY:${'ä'.repeat(30)}\r\n ${'ö'.repeat(30)}`).replaceAll('\r\n', '\n'),
    '11-24 09:00–10:00',
  ],
  [
    'free and busy only',
    calendar(
      'BEGIN:VFREEBUSY\r\nFREEBUSY;FBTYPE=BUSY:20261124T090000Z/20261124T100000Z,20261125T090000Z/PT1H\r\nFREEBUSY;FBTYPE=FREE:20261126T090000Z/PT1H\r\nEND:VFREEBUSY',
    ),
    '11-24 09:00–10:00',
    '11-25 09:00–10:00',
  ],
  [
    'an alarm inside, and tasks beside',
    calendar(
      'BEGIN:VTODO\r\nDTSTART:20261124T120000Z\r\nDURATION:PT1H\r\nEND:VTODO',
      event(...NINE, 'BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT10M\r\nEND:VALARM'),
    ),
    NINE_UTC,
  ],
  // What no standard allows, with a clear meaning.
  ['an end and a length of zero: the end counts', one(...NINE, 'DURATION:PT0S'), NINE_UTC],
  ['an end and a longer length: the end counts', one(...NINE, 'DURATION:PT5H'), NINE_UTC],
  ['a day that does not say that it is one', one('DTSTART:20261124', 'DTEND:20261125'), '11-23 23:00 – 11-24 23:00'],
  ['a time that says that it is a day', one('DTSTART;VALUE=DATE:20261124T090000Z', 'DURATION:PT1H'), '11-24 09:00–10:00'],
  ['a time without seconds', one('DTSTART:20261124T0900Z', 'DTEND:20261124T1000Z'), '11-24 09:00–10:00'],
  ['times with dashes and colons', one('DTSTART:2026-11-24T09:00:00Z', 'DTEND:2026-11-24T10:00:00Z'), '11-24 09:00–10:00'],
  [
    'without a day that does not say that it is one, and without a time beside it',
    one(...NINE, 'RRULE:FREQ=DAILY;COUNT=4', 'EXDATE;TZID=Europe/Berlin:20261125,20261126T090000'),
    NINE_UTC,
    '11-27 08:00–09:00',
  ],
  // What cannot be read goes, and the rest stays busy.
  ['a line of a program without a colon', one(...NINE, 'X-VENDOR-RADIUS=49.9'), NINE_UTC],
  ['an exception that cannot be read', one(...NINE, 'RRULE:FREQ=DAILY;COUNT=2', 'EXDATE:someday'), NINE_UTC, '11-25 08:00–09:00'],
  [
    'an end that cannot be read: the rest of the host’s day',
    one('DTSTART:20261124T090000Z', 'DTEND:later'),
    '11-24 09:00–23:00',
    '1 skipped',
  ],
  [
    'an impossible end: the rest of the host’s day',
    one('DTSTART:20261124T090000Z', 'DTEND:20261399T250000Z'),
    '11-24 09:00–23:00',
    '1 skipped',
  ],
  ['a length that cannot be read', one('DTSTART:20261124T090000Z', 'DURATION:PXH'), '11-24 09:00–23:00', '1 skipped'],
  [
    'one moved whose place in the series cannot be read: both are busy',
    calendar(
      event(...NINE, 'RRULE:FREQ=DAILY;COUNT=2'),
      event('RECURRENCE-ID:20261399T250000Z', 'DTSTART:20261126T200000Z', 'DURATION:PT1H'),
    ),
    NINE_UTC,
    '11-25 08:00–09:00',
    '11-26 20:00–21:00',
    '1 skipped',
  ],
  [
    'one moved to a time that cannot be read: its series stays busy',
    calendar(event(...NINE, 'RRULE:FREQ=DAILY;COUNT=2'), exception('20261125T090000', 'DTSTART:20261399T250000Z', 'DURATION:PT1H')),
    NINE_UTC,
    '11-25 08:00–09:00',
    '1 skipped',
  ],
  [
    'more dates that cannot be read',
    one(...NINE, 'RDATE;VALUE=PERIOD:20261126T090000Z/P99999999999D', 'RDATE:20261127T090000Z'),
    NINE_UTC,
    '11-27 09:00–10:00',
    '1 skipped',
  ],
  [
    'a length of millions of years',
    calendar(event('DTSTART:20261124T120000Z', 'DURATION:P99999999999D'), event(...NINE).replace('UID:1@', 'UID:2@')),
    NINE_UTC,
    '1 skipped',
  ],
  [
    'a start that is none',
    calendar(event('DTSTART:INVALIDDATE', 'DURATION:PT1H'), event(...NINE).replace('UID:1@', 'UID:2@')),
    NINE_UTC,
    '1 skipped',
  ],
  // Broken parts: the others count, and the host learns of these.
  ['an event without a start', calendar(event('SUMMARY:x'), event(...NINE).replace('UID:1@', 'UID:2@')), NINE_UTC, '1 skipped'],
  [
    'an impossible date',
    calendar(event('DTSTART:20261399T250000Z', 'DURATION:PT1H'), event(...NINE).replace('UID:1@', 'UID:2@')),
    NINE_UTC,
    '1 skipped',
  ],
  ['a line that is none', calendar(event('this is no property'), event(...NINE).replace('UID:1@', 'UID:2@')), NINE_UTC, '1 skipped'],
  [
    'a rule that makes no sense',
    calendar(event(...NINE, 'RRULE:FREQ=SOMETIMES'), event(...NINE).replace('UID:1@', 'UID:2@')),
    NINE_UTC,
    '1 skipped',
  ],
  [
    'each second for years',
    calendar(event('DTSTART:20200101T000000Z', 'RRULE:FREQ=SECONDLY'), event(...NINE).replace('UID:1@', 'UID:2@')),
    NINE_UTC,
    '1 skipped',
  ],
]

describe('a corpus of calendars', () => {
  test(`${corpus.length} calendars, at least 60`, () => expect(corpus.length).toBeGreaterThanOrEqual(60))

  test.each(corpus)('%s', (_name, text, ...busy) => expect(read(text)).toEqual(busy))
})

test.each([
  ['a page', '<!doctype html><title>Sign in</title>', 'doesn’t lead to a calendar'],
  ['nothing', '', 'doesn’t lead to a calendar'],
  ['a calendar that was cut off', one(...NINE).slice(0, -40), 'ends in the middle'],
])('%s is no calendar, and the reason is said', (_name, text, reason) => {
  expect(() => busyTimesOf(text, range)).toThrow(BrokenCalendar)
  expect(() => busyTimesOf(text, range)).toThrow(reason)
})

test('calls of our own in another calendar block nothing twice', () => {
  expect(busyTimesOf(one(...NINE), range, { isOurs: (uid) => uid === '1@corpus' }).spans).toEqual([])
})

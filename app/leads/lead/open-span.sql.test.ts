import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { officeWeek, type WeeklyHours } from '#app/platform/time/weekly-hours.ts'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { db, transaction } from '#app/platform/database/db.server.ts'
import { queryRow } from '#app/platform/database/sql.server.ts'
import { breachInstantOf, type BusinessHours } from './open-span.server.ts'
import { applyServiceHours } from './service-hours.server.ts'

beforeAll(openDatabase)
afterAll(closeDatabase)

const berlin: BusinessHours = { zone: 'Europe/Berlin', week: officeWeek, holidays: [] }
const everyDay = (from: string, until: string): WeeklyHours => Array.from({ length: 7 }, () => [{ from, until }])
const around = (...spans: [string, string][]): WeeklyHours =>
  Array.from({ length: 7 }, () => spans.map(([from, until]) => ({ from, until })))
const inZone = (zone: string, week: WeeklyHours, holidays: string[] = []): BusinessHours => ({ zone, week, holidays })

type Case = [name: string, open: BusinessHours | undefined, since: string, hours: number, breach: string]

const cases: Case[] = [
  ['all hours', undefined, '2026-11-27T22:00:00Z', 2, '2026-11-28T00:00:00Z'],
  ['all hours over a clock change', undefined, '2026-03-28T12:00:00Z', 24, '2026-03-29T12:00:00Z'],
  ['within one day', berlin, '2026-11-25T09:10:11Z', 2, '2026-11-25T11:10:11Z'],
  ['until the very end of the day', berlin, '2026-11-25T14:00:00Z', 2, '2026-11-25T16:00:00Z'],
  ['over the night', berlin, '2026-11-25T15:00:01Z', 2, '2026-11-26T09:00:01Z'],
  ['before the opening', berlin, '2026-11-25T03:00:00Z', 2, '2026-11-25T10:00:00Z'],
  ['after the end of the day', berlin, '2026-11-25T16:00:00Z', 2, '2026-11-26T10:00:00Z'],
  ['over a weekend, to the second', berlin, '2026-11-27T15:30:17Z', 2, '2026-11-30T09:30:17Z'],
  ['on a Saturday', berlin, '2026-11-28T12:00:00Z', 2, '2026-11-30T10:00:00Z'],
  ['24 business hours are three days', berlin, '2026-11-25T10:00:00Z', 24, '2026-11-30T10:00:00Z'],
  ['over one holiday', { ...berlin, holidays: ['2026-11-26'] }, '2026-11-25T15:00:00Z', 2, '2026-11-27T09:00:00Z'],
  [
    'over holidays back to back and a weekend',
    { ...berlin, holidays: ['2026-12-24', '2026-12-25', '2026-12-26', '2026-12-28'] },
    '2026-12-23T15:00:00Z',
    2,
    '2026-12-29T09:00:00Z',
  ],
  ['on a holiday', { ...berlin, holidays: ['2026-11-25'] }, '2026-11-25T10:00:00Z', 2, '2026-11-26T10:00:00Z'],
  ['over the clock change of spring', berlin, '2026-03-27T15:00:00Z', 2, '2026-03-30T08:00:00Z'],
  ['over the clock change of fall', berlin, '2026-10-23T14:00:00Z', 2, '2026-10-26T09:00:00Z'],
  ['a day of 23 hours', inZone('Europe/Berlin', everyDay('00:00', '24:00')), '2026-03-28T23:00:00Z', 24, '2026-03-29T23:00:00Z'],
  ['a night of 25 hours', inZone('Europe/Berlin', everyDay('00:00', '06:00')), '2026-10-24T22:00:00Z', 7, '2026-10-25T05:00:00Z'],
  ['an opening that spring skips', inZone('Europe/Berlin', everyDay('02:30', '05:00')), '2026-03-28T20:00:00Z', 2, '2026-03-29T03:00:00Z'],
  ['an end that spring skips', inZone('Europe/Berlin', everyDay('01:00', '02:30')), '2026-03-29T00:00:00Z', 1, '2026-03-29T01:00:00Z'],
  [
    'more than an end that spring skips',
    inZone('Europe/Berlin', everyDay('01:00', '02:30')),
    '2026-03-29T00:00:00Z',
    2,
    '2026-03-30T00:00:00Z',
  ],
  [
    'a span that spring skips as a whole',
    inZone('Europe/Berlin', around(['02:00', '03:00'], ['10:00', '12:00'])),
    '2026-03-29T00:00:00Z',
    2,
    '2026-03-29T10:00:00Z',
  ],
  [
    'a time that happens twice is the first',
    inZone('Europe/Berlin', everyDay('02:30', '04:00')),
    '2026-10-25T00:00:00Z',
    2,
    '2026-10-25T02:30:00Z',
  ],
  [
    'New York, where the change comes on another day',
    inZone('America/New_York', officeWeek),
    '2026-03-06T21:30:00Z',
    2,
    '2026-03-09T14:30:00Z',
  ],
  ['New York in fall', inZone('America/New_York', officeWeek), '2026-10-30T20:30:00Z', 2, '2026-11-02T15:30:00Z'],
  ['Kathmandu, 5 hours and 45 minutes ahead', inZone('Asia/Kathmandu', officeWeek), '2026-11-25T10:30:00Z', 2, '2026-11-26T04:30:00Z'],
  [
    'Lord Howe, whose clocks change by half an hour',
    inZone('Australia/Lord_Howe', everyDay('01:00', '04:00')),
    '2026-10-03T14:30:00Z',
    2,
    '2026-10-03T16:30:00Z',
  ],
  [
    'Cairo, where a day begins at one',
    inZone('Africa/Cairo', everyDay('00:00', '02:00')),
    '2026-04-23T21:30:00Z',
    1,
    '2026-04-23T23:00:00Z',
  ],
  [
    'open across midnight',
    inZone('UTC', around(['00:00', '06:00'], ['22:00', '24:00'])),
    '2026-11-25T23:00:00Z',
    2,
    '2026-11-26T01:00:00Z',
  ],
  ['a lunch break', inZone('UTC', around(['09:00', '12:00'], ['13:00', '17:00'])), '2026-11-25T11:30:00Z', 2, '2026-11-25T14:30:00Z'],
  [
    'one open day a week',
    inZone('UTC', [[], [], [{ from: '09:00', until: '14:00' }], [], [], [], []]),
    '2026-11-26T00:00:00Z',
    24,
    '2026-12-30T13:00:00Z',
  ],
  ['into the next year', berlin, '2026-12-31T15:30:00Z', 2, '2027-01-01T09:30:00Z'],
  ['on a leap day', berlin, '2028-02-28T15:30:00Z', 2, '2028-02-29T09:30:00Z'],
]

describe('the instant of a breach, to the second', () => {
  test.each(cases)('%s', async (_name, open, since, hours, breach) => {
    const start = new Date(since)
    expect(breachInstantOf(start, hours, open).toISOString()).toBe(new Date(breach).toISOString())
    expect(await breachInDatabase(open, start, hours)).toEqual(new Date(breach))
  })

  test('the database agrees with the calendar in every hour of two years', async () => {
    const open = inZone('Europe/Berlin', around(['00:00', '02:30'], ['08:15', '12:00'], ['22:00', '24:00']), ['2026-03-29', '2026-12-25'])
    const start = Date.UTC(2026, 0, 1)
    const moments = Array.from({ length: 600 }, (_, at) => new Date(start + at * 29.2 * 3_600_000 + at * 1000))
    await transaction((trx) => applyServiceHours(trx, open, new Date(start)))
    const { due } = await queryRow(
      db,
      { due: z.array(z.coerce.date()) },
      sql`SELECT array_agg(breach_instant_of(since, 24) ORDER BY since) AS due FROM unnest(${moments}::timestamptz[]) AS since`,
    )
    expect(due.map((moment) => moment.getTime())).toEqual(moments.map((moment) => breachInstantOf(moment, 24, open).getTime()))
  })
})

async function breachInDatabase(open: BusinessHours | undefined, since: Date, hours: number): Promise<Date> {
  await transaction((trx) => applyServiceHours(trx, open, since))
  const { due } = await queryRow(db, { due: z.date() }, sql`SELECT breach_instant_of(${since}::timestamptz, ${hours}) AS due`)
  return due
}

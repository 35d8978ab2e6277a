import { expect, test } from 'vitest'
import { datesOfWeek, lanesOf, mondayOf, piecesOf, shownHours } from './week.ts'

const span = (startsAt: string, endsAt: string) => ({ startsAt, endsAt })
const dates = datesOfWeek('2026-11-30')
const read = (startsAt: string, endsAt: string, zone = 'Europe/Berlin') =>
  piecesOf([span(startsAt, endsAt)], zone, dates).map(({ date, from, until }) => [date, from, until])

test('a call is on its date in the zone of the reader, and a night is cut at midnight', () => {
  expect(read('2026-12-01T08:00Z', '2026-12-01T08:30Z')).toEqual([['2026-12-01', 540, 570]])
  expect(read('2026-12-01T08:00Z', '2026-12-01T08:30Z', 'America/New_York')).toEqual([['2026-12-01', 180, 210]])
  expect(read('2026-12-01T22:00Z', '2026-12-02T00:30Z')).toEqual([
    ['2026-12-01', 1380, 1440],
    ['2026-12-02', 0, 90],
  ])
  expect(read('2026-11-28T00:00Z', '2026-12-01T23:00Z')).toEqual([
    ['2026-11-30', 0, 1440],
    ['2026-12-01', 0, 1440],
  ])
})

test('a call in the hour that the clock repeats keeps its place', () => {
  const autumn = datesOfWeek('2027-10-25')
  expect(piecesOf([span('2027-10-31T00:45Z', '2027-10-31T01:15Z')], 'Europe/Berlin', autumn)).toMatchObject([
    { date: '2027-10-31', from: 165, until: 166 },
  ])
})

test('calls at the same time stand beside each other, and a later one has the whole width again', () => {
  const piece = (item: string, from: number, until: number) => ({ item, date: '', from, until })
  const laned = lanesOf([piece('a', 0, 60), piece('b', 30, 90), piece('c', 60, 120), piece('d', 120, 150)])
  expect(laned.map(({ item, lane, lanes }) => [item, lane, lanes])).toEqual([
    ['a', 0, 2],
    ['b', 1, 2],
    ['c', 0, 2],
    ['d', 0, 1],
  ])
})

test('the grid shows office hours, and more where something is', () => {
  expect(shownHours([], [[{ from: '08:30', until: '12:00' }], [], [], [], [], [], []])).toEqual({ first: 7, last: 18 })
  expect(shownHours([{ from: 0, until: 1440 }], [])).toEqual({ first: 0, last: 24 })
})

test('a week begins on Monday', () =>
  expect(['2026-11-30', '2026-12-03', '2026-12-06', '2026-12-07'].map(mondayOf)).toEqual([
    '2026-11-30',
    '2026-11-30',
    '2026-11-30',
    '2026-12-07',
  ]))

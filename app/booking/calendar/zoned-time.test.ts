import { expect, test } from 'vitest'
import { byLength } from '#test/length.ts'
import { addDays, clockAt, clockText, momentOnClock, dayOfWeek } from './zoned-time.ts'

const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Pacific/Apia', 'America/St_Johns']

/** In milliseconds. */
const STEP = byLength(5, 1) * 97 * 60_000

test('the clock of a zone is the same as a second implementation says, also around clock changes', () => {
  for (const zone of zones) {
    for (let moment = Date.UTC(2027, 0, 1); moment < Date.UTC(2028, 0, 1); moment += STEP) {
      const there = Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(zone)
      const said = clockAt(moment, zone)
      expect([zone, said.date, clockText(said.minutes)]).toEqual([
        zone,
        there.toPlainDate().toString(),
        there.toPlainTime().toString().slice(0, 5),
      ])
    }
  }
})

test('a time of the clock becomes the moment that a second implementation finds', () => {
  for (const zone of zones) {
    for (let day = 0; day < 365; day += 1) {
      const date = addDays('2027-01-01', day)
      for (const minutes of [0, 90, 135, 150, 540, 1439]) {
        const plain = Temporal.PlainDate.from(date).toPlainDateTime(clockText(minutes))
        expect([zone, date, minutes, momentOnClock({ date, minutes }, zone)]).toEqual([
          zone,
          date,
          minutes,
          plain.toZonedDateTime(zone).epochMilliseconds,
        ])
      }
    }
  }
})

test('a week begins on Monday', () => expect(['2026-11-30', '2026-12-06'].map(dayOfWeek)).toEqual([0, 6]))

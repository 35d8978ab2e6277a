import { writtenForm } from '#app/platform/text/written-form.ts'

/** A date (`2026-11-25`) and the minutes since its midnight, as the clock of a zone shows them. */
export type ClockTime = { date: string; minutes: number }

const MINUTE = 60_000
const DAY = 24 * 60

const formats = new Map<string, Intl.DateTimeFormat>()

/** The clock of a zone at a moment. Browsers have no Temporal yet. */
export function clockAt(moment: number, zone: string): ClockTime {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(moment)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? 0
  const date = new Date(Date.UTC(part('year'), part('month') - 1, part('day'))).toISOString().slice(0, 10)
  return { date, minutes: part('hour') * 60 + part('minute') }
}

/** The moment at which the clock of a zone shows a time. In a gap: the time by the clock of before it. Twice: the first. */
export function momentOnClock({ date, minutes }: ClockTime, zone: string): number {
  const wall = Date.parse(`${date}T00:00Z`) + minutes * MINUTE
  // The offset differs by the side of a change on which the guess lies: a day to either side shows both.
  const offsets = [wall - DAY * MINUTE, wall + DAY * MINUTE].map((guess) => wallOf(guess, zone) - guess)
  const moments = offsets.map((offset) => wall - offset)
  const right = moments.filter((moment) => wallOf(moment, zone) === wall)
  return right.length > 0 ? Math.min(...right) : (moments[0] ?? wall)
}

export function addDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00Z`) + days * DAY * MINUTE).toISOString().slice(0, 10)
}

/** 0 is Monday. */
export function dayOfWeek(date: string): number {
  return (new Date(`${date}T00:00Z`).getUTCDay() + 6) % 7
}

/** `09:30`; `24:00` at the end of the day. */
export function clockText(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}

export function minutesOf(text: string): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number)
  return hours * 60 + minutes
}

/** `Mon, Nov 30`, of a date without a zone. */
export function dayText(date: string, options: Intl.DateTimeFormatOptions = { weekday: 'short', month: 'short', day: 'numeric' }): string {
  return dayFormatOf(options).format(new Date(`${date}T12:00Z`))
}

const dayFormats = new Map<string, Intl.DateTimeFormat>()

function dayFormatOf(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const { locale } = writtenForm()
  const name = locale + JSON.stringify(options)
  const format = dayFormats.get(name) ?? new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
  dayFormats.set(name, format)
  return format
}

function wallOf(moment: number, zone: string): number {
  const { date, minutes } = clockAt(moment, zone)
  return Date.parse(`${date}T00:00Z`) + minutes * MINUTE
}

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  const numeric = 'numeric' as const
  const fields = { year: numeric, month: numeric, day: numeric, hour: numeric, minute: numeric }
  const made = new Intl.DateTimeFormat('en', { timeZone: zone, hourCycle: 'h23', calendar: 'gregory', ...fields })
  formats.set(zone, made)
  return made
}

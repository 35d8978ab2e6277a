/** Free times of one month, as a visitor reads them in their own zone. */
export type FreeTime = { startsAt: string; text: string }
export type MonthDay = { date: string; number: number; isFree: boolean }
export type MonthView = {
  /** `2026-12` */
  month: string
  title: string
  previous: string | undefined
  next: string | undefined
  /** The weeks from Monday to Sunday; undefined outside of the month. */
  weeks: (MonthDay | undefined)[][]
  /** The chosen day with its times. */
  day: { date: string; title: string; times: FreeTime[] } | undefined
}

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/

/** The month that is asked for, within the horizon; otherwise the month of `fallback`. */
export function monthOf(
  wish: string | null,
  { now, until, zone, fallback }: { now: number; until: number; zone: string; fallback: number },
) {
  const [first, last] = [monthAt(now, zone), monthAt(until, zone)]
  const asked = wish && MONTH.test(wish) ? Temporal.PlainYearMonth.from(wish) : monthAt(fallback, zone)
  if (Temporal.PlainYearMonth.compare(asked, first) < 0) return first
  return Temporal.PlainYearMonth.compare(asked, last) > 0 ? last : asked
}

/** The instants, in milliseconds, at which a month of a zone starts and ends. */
export function spanOf(month: Temporal.PlainYearMonth, zone: string): { from: number; until: number } {
  const start = (each: Temporal.PlainYearMonth) => each.toPlainDate({ day: 1 }).toZonedDateTime(zone).epochMilliseconds
  return { from: start(month), until: start(month.add({ months: 1 })) }
}

type Shown = {
  month: Temporal.PlainYearMonth
  zone: string
  slots: readonly { startsAt: number }[]
  now: number
  until: number
  day: string | null
}

/** The calendar of a month. The first free day is chosen when none, or one without times, is asked for. */
export function viewMonth({ month, zone, slots, now, until, day }: Shown): MonthView {
  const days = Map.groupBy(slots, ({ startsAt }) => zoned(startsAt, zone).toPlainDate().toString())
  const isNamed = day !== null && day.startsWith(month.toString()) && days.has(day)
  const [earliest] = days.keys()
  const chosen = isNamed ? day : earliest
  const cells: (MonthDay | undefined)[] = Array.from({ length: month.toPlainDate({ day: 1 }).dayOfWeek - 1 }, () => undefined)
  for (let number = 1; number <= month.daysInMonth; number += 1) {
    const date = month.toPlainDate({ day: number }).toString()
    cells.push({ date, number, isFree: days.has(date) })
  }
  while (cells.length % 7 !== 0) cells.push(undefined)
  const near = (step: number) => month.add({ months: step })
  return {
    month: month.toString(),
    title: month.toPlainDate({ day: 1 }).toLocaleString('en-US', { month: 'long', year: 'numeric' }),
    previous: Temporal.PlainYearMonth.compare(near(-1), monthAt(now, zone)) >= 0 ? near(-1).toString() : undefined,
    next: Temporal.PlainYearMonth.compare(near(1), monthAt(until, zone)) <= 0 ? near(1).toString() : undefined,
    weeks: Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7)),
    day: chosen
      ? {
          date: chosen,
          title: Temporal.PlainDate.from(chosen).toLocaleString('en-US', { weekday: 'long', month: 'long', day: 'numeric' }),
          times: (days.get(chosen) ?? []).map(({ startsAt }) => ({
            startsAt: new Date(startsAt).toISOString(),
            text: clockTime(startsAt, zone),
          })),
        }
      : undefined,
  }
}

/** `14:30` in a zone. */
export function clockTime(instant: number, zone: string): string {
  return zoned(instant, zone).toPlainTime().toString({ smallestUnit: 'minute' })
}

/** `Thu, Dec 3, 14:30` in a zone. */
export function shortTime(instant: number, zone: string): string {
  const date = zoned(instant, zone).toPlainDate().toLocaleString('en-US', { weekday: 'short', month: 'short', day: 'numeric' })
  return `${date}, ${clockTime(instant, zone)}`
}

function monthAt(instant: number, zone: string): Temporal.PlainYearMonth {
  return zoned(instant, zone).toPlainDate().toPlainYearMonth()
}

function zoned(instant: number, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone)
}

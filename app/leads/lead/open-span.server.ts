import type { StoredSettings } from '#app/content/settings/sections.server.ts'

/** When a business is open: weekly hours and holidays of a zone. */
export type BusinessHours = Pick<StoredSettings['hours'], 'zone' | 'week' | 'holidays'>

/** Open from one instant until another, in milliseconds. */
export type OpenSpan = { opensAt: number; closesAt: number }

const MOST_YEARS = 20

/**
 * The open spans that end after a moment, in order and without overlaps. A clock time that a clock change skips is the instant of the
 * change; one that happens twice is the first.
 */
export function* openSpans({ zone, week, holidays }: BusinessHours, after: number): Generator<OpenSpan, void> {
  const closed = new Set(holidays)
  // The day before can reach into this one by a clock change at midnight.
  let date = Temporal.Instant.fromEpochMilliseconds(after).toZonedDateTimeISO(zone).toPlainDate().subtract({ days: 1 })
  const last = date.add({ years: MOST_YEARS })
  let closedUntil = Number.NEGATIVE_INFINITY
  for (; Temporal.PlainDate.compare(date, last) < 0; date = date.add({ days: 1 })) {
    if (closed.has(date.toString())) continue
    for (const { from, until } of week[date.dayOfWeek - 1] ?? []) {
      const opensAt = Math.max(instantAt(date, from, zone), closedUntil)
      const closesAt = instantAt(date, until, zone)
      if (closesAt <= opensAt) continue
      closedUntil = closesAt
      if (closesAt > after) yield { opensAt, closesAt }
    }
  }
}

/**
 * The instant at which a promise is broken: so many hours after `since`, of all hours, or of business hours. The function
 * `breach_instant_of` of the database returns the same, and a trigger stores it in `lead_clocks.due_at`.
 */
export function breachInstantOf(since: Date, hours: number, open?: BusinessHours): Date {
  let left = hours * 3_600_000
  if (!open) return new Date(since.getTime() + left)
  for (const { opensAt, closesAt } of openSpans(open, since.getTime())) {
    const start = Math.max(opensAt, since.getTime())
    if (start + left <= closesAt) return new Date(start + left)
    left -= closesAt - start
  }
  throw new Error('These business hours never reach the deadline.')
}

function instantAt(date: Temporal.PlainDate, time: string, zone: string): number {
  const isEnd = time === '24:00'
  const plain = (isEnd ? date.add({ days: 1 }) : date).toPlainDateTime(isEnd ? '00:00' : time)
  const zoned = plain.toZonedDateTime(zone)
  if (zoned.toPlainDateTime().equals(plain)) return zoned.epochMilliseconds
  // Skipped: a nanosecond later, so that a change at this very instant counts as the previous one.
  return zoned.add({ nanoseconds: 1 }).getTimeZoneTransition('previous')?.epochMilliseconds ?? zoned.epochMilliseconds
}

/** The date in a time zone, such as `2026-12-31`. */
export function businessDay(at: Date, zone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone).toPlainDate().toString()
}

export function daysLater(day: string, days: number): string {
  return Temporal.PlainDate.from(day).add({ days }).toString()
}

/** The moment at which a day begins in a time zone. */
export function startOfDay(day: string, zone: string): Date {
  return new Date(Temporal.PlainDate.from(day).toZonedDateTime(zone).epochMilliseconds)
}

/** The moment of something whose day alone is known: its noon, so that readers in near zones see the same day. */
export function noonOf(day: string, zone: string): Date {
  return new Date(Temporal.PlainDate.from(day).toZonedDateTime({ timeZone: zone, plainTime: '12:00' }).epochMilliseconds)
}

/** The date in a time zone, such as `2026-12-31`. */
export function businessDay(at: Date, zone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone).toPlainDate().toString()
}

export function daysLater(day: string, days: number): string {
  return Temporal.PlainDate.from(day).add({ days }).toString()
}

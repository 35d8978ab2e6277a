/** The last moment of a day (`2026-12-31`) in local time, as ISO 8601; null for an empty one. */
export function endOfDay(day: string): string | null {
  const moment = new Date(`${day}T23:59:59.999`)
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString()
}

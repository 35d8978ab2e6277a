/** The last moment of a day (`2026-12-31`) where its writer is, as ISO 8601; null for none. */
export function endOfDay(day: string): string | null {
  const moment = new Date(`${day}T23:59:59.999`)
  return Number.isNaN(moment.getTime()) ? null : moment.toISOString()
}

const DAY = 24 * 60 * 60 * 1000

/** Adds days to a date like `2026-09-30`. */
export function dayAfter(day: string, count: number): string {
  return new Date(Date.parse(day) + count * DAY).toISOString().slice(0, 10)
}

/** 0 is Sunday. */
export function weekdayOf(day: string): number {
  return new Date(day).getUTCDay()
}

/** A time of a day in UTC, to the second. */
export function momentOf(day: string, secondOfDay: number): string {
  return `${new Date(Date.parse(day) + secondOfDay * 1000).toISOString().slice(0, 19)}Z`
}

import { leadCountText, formatCalendarDay } from '#app/leads/lead/format.ts'

export type Day = { date: string; count: number }

const WEEK = 7

/** The mean of the week that ends with each day; the first days have fewer to average. */
export function weeklyMeans(days: readonly Day[]): number[] {
  return days.map((_, at) => {
    const week = days.slice(Math.max(0, at - WEEK + 1), at + 1)
    return sum(week) / week.length
  })
}

/** The text alternative of the chart, also for readers in a hurry. */
export function describeTrend(days: readonly Day[]): string {
  const busiest = days.reduce((most, day) => (day.count > most.count ? day : most), { date: '', count: 0 })
  if (busiest.count === 0) return `No enquiries in the last ${days.length} days.`
  const [last, before] = [sum(days.slice(-WEEK)), sum(days.slice(-2 * WEEK, -WEEK))]
  return [
    `${leadCountText(sum(days), 'enquiry', 'enquiries')} in ${days.length} days.`,
    `The last 7 days brought ${last}, the 7 before ${before}.`,
    `Busiest: ${formatCalendarDay(busiest.date)} with ${busiest.count}.`,
  ].join(' ')
}

/** Whole weeks, the last one ending today, oldest first: the same figures as a short table. */
export function byWeek(days: readonly Day[]): { from: string; to: string; count: number }[] {
  const weeks = []
  for (let end = days.length; end > 0; end -= WEEK) {
    const week = days.slice(Math.max(0, end - WEEK), end)
    weeks.unshift({ from: week[0]?.date ?? '', to: week.at(-1)?.date ?? '', count: sum(week) })
  }
  return weeks
}

function sum(days: readonly Day[]): number {
  return days.reduce((total, { count }) => total + count, 0)
}

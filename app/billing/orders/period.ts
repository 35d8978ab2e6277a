type Interval = 'month' | 'quarter' | 'year'

const months: Record<Interval, number> = { month: 1, quarter: 3, year: 12 }

/** The end of a period that begins at a moment: the same day of the month, or its last one, as providers count. */
export function endOfPeriod(start: Date, every: Interval): Date {
  const end = new Date(start)
  end.setUTCDate(1)
  end.setUTCMonth(end.getUTCMonth() + months[every])
  const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate()
  end.setUTCDate(Math.min(start.getUTCDate(), lastDay))
  return end
}

import { firstDatasets } from './first-datasets.ts'
import { dayOfMonth, mediumDay } from '#app/platform/time/english-date.ts'
import recorded from './demonstration.json'

type Shape = { name: string; bars?: readonly number[]; values?: readonly { value: string; count: number }[] }
type WatchedShop = { name: string; steps: readonly { day: number; cents: number }[] }

const DAY_MS = 86_400_000
const shown: readonly Shape[] = recorded.dataset.shown

/**
 * Rows of the sample catalog, for the pictures of the home page. They are recorded, because the page must not need a database. The test
 * beside this file compares them with the sample catalog.
 */
export const demonstration = {
  product: recorded.product,
  dataset: { ...recorded.dataset, shown, about: firstDatasets['daily-shop-prices'] },
  prices: { ...toHistory(recorded.prices), about: firstDatasets['price-change-feed'] },
}

/** The price of each day in each shop, in cents, and the lowest one. */
function toHistory({ firstDay, days, shops }: { firstDay: string; days: number; shops: readonly WatchedShop[] }) {
  const every = Array.from({ length: days }, (_, day) => day)
  const lines = shops.map(({ name, steps }) => ({
    name,
    changes: steps.length - 1,
    cents: every.map((day) => steps.findLast((step) => step.day <= day)?.cents ?? 0),
  }))
  const lowest = every.map((day) => Math.min(...lines.map(({ cents }) => cents[day] ?? Infinity)))
  const dates = every.map((day) => new Date(Date.parse(firstDay) + day * DAY_MS))
  const [first, last] = [dates[0], dates.at(-1)]
  const period = first && last ? `${dayOfMonth(first)} to ${mediumDay(last)}` : ''
  return { dates, period, lines, lowest, changes: lines.reduce((sum, line) => sum + line.changes, 0) }
}

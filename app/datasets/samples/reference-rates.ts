import { chanceOf } from './chance.ts'
import type { SampleCell, SampleSheet } from './csv.ts'
import { dayAfter, weekdayOf } from './days.ts'

const FIRST = '2021-10-01'
const DAYS = 1826

const columns = ['day', 'series', 'base', 'rate', 'previous', 'change_percent', 'average_30_days', 'invented']

/** Fictional currencies, so no rate is mistaken for a real one: name, initial rate, usual daily change in percent. */
const units = [
  { name: 'XAL', first: 1.084, spread: 0.42 },
  { name: 'XBO', first: 0.861, spread: 0.38 },
  { name: 'XCR', first: 148.2, spread: 0.55 },
  { name: 'XDE', first: 10.47, spread: 0.47 },
  { name: 'XEL', first: 7.214, spread: 0.22 },
  { name: 'XFI', first: 83.1, spread: 0.31 },
  { name: 'XGA', first: 1.352, spread: 0.36 },
  { name: 'XHO', first: 5.02, spread: 0.9 },
  { name: 'XIR', first: 17.9, spread: 0.74 },
  { name: 'XJU', first: 0.913, spread: 0.33 },
] as const

const WINDOW = 30

/** A rate for each working day of five years. */
export function referenceRates(): SampleSheet {
  const series = units.flatMap((unit) => [...rowsOf(unit)])
  return { columns, rows: series.toSorted((one, other) => String(one[0]).localeCompare(String(other[0]), 'en')) }
}

function* rowsOf({ name, first, spread }: (typeof units)[number]): Generator<SampleCell[]> {
  const chance = chanceOf(name)
  const lately: number[] = []
  let rate: number = first
  for (let index = 0; index < DAYS; index += 1) {
    const day = dayAfter(FIRST, index)
    if ([0, 6].includes(weekdayOf(day)) || /-(12-2[56]|01-01)$/.test(day)) continue
    const before = lately.at(-1)
    // Pulled back toward the initial rate, because it would drift away in five years.
    rate *= 1 + chance.around(0, spread) / 100 + (first / rate - 1) * 0.004
    const shown = Number(rate.toPrecision(6))
    lately.push(shown)
    const window = lately.slice(-WINDOW)
    const average = window.reduce((sum, value) => sum + value, 0) / window.length
    const change = before === undefined ? null : Math.round((shown / before - 1) * 100_000) / 1000
    yield [day, `USD/${name}`, 'USD', shown, before ?? null, change, window.length < WINDOW ? null : Number(average.toPrecision(6)), true]
  }
}

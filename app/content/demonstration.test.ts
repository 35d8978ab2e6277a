import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { SampleCell, SampleSheet } from '#app/datasets/samples/csv.ts'
import { sheets } from '#app/datasets/samples/sheets.ts'
import { demonstration } from './demonstration.ts'

const PRODUCT = 'Dunmere 32-inch Monitor One'
const SHOWN = ['observed_at', 'shop', 'shop_country', 'price', 'in_stock', 'delivery_days', 'rating']
const MOST_BARS = 20
const MOST_VALUES = 3
const MOST_ROWS = 8
const DAY_MS = 86_400_000

const file = path.join(import.meta.dirname, 'demonstration.json')

test('the pictures of the home page show the data of the sample catalog', () => {
  const now = { product: PRODUCT, prices: pricesOfFeed(sheets['price-change-feed']()), dataset: datasetPage(sheets['daily-shop-prices']()) }
  if (process.env['RECORD']) writeFileSync(file, `${JSON.stringify(now, undefined, 2)}\n`)
  expect(JSON.parse(readFileSync(file, 'utf8')), 'Run this file once with RECORD=1').toEqual(now)
})

test('a price changes as often as the chart says', () => {
  const { lines, changes } = demonstration.prices
  const steps = lines.flatMap(({ cents }) => cents.slice(1).filter((price, day) => price !== cents[day]))
  expect(steps).toHaveLength(changes)
})

/** The price of one product in every shop: its first price, then each change of the feed. */
function pricesOfFeed({ columns, rows }: SampleSheet) {
  const read = readerOf(columns)
  const all = [...rows]
  const firstDay = all.map((row) => read(row, 'changed_at').slice(0, 10)).toSorted()[0] ?? ''
  const shops = new Map<string, { day: number; cents: number }[]>()
  for (const row of all) {
    const [before, after] = [read(row, 'old_price'), read(row, 'new_price')].map((price) => Math.round(Number(price) * 100))
    if (read(row, 'product') !== PRODUCT || before === undefined || after === undefined || before === after) continue
    const steps = shops.get(read(row, 'shop')) ?? [{ day: 0, cents: before }]
    const day = Math.floor((Date.parse(read(row, 'changed_at')) - Date.parse(firstDay)) / DAY_MS)
    // Two events of one day, such as the end of a promotion and a new price, have one result.
    shops.set(read(row, 'shop'), [...steps.filter((step) => step.day !== day), { day, cents: after }])
  }
  const lastDay =
    all
      .map((row) => read(row, 'changed_at'))
      .toSorted()
      .at(-1) ?? ''
  const days = Math.floor((Date.parse(lastDay) - Date.parse(firstDay)) / DAY_MS) + 1
  return { firstDay, days, shops: Array.from(shops, ([name, steps]) => ({ name, steps })) }
}

/** The page of the daily prices with one filter: its columns with their shape, and the first rows. */
function datasetPage({ columns, rows }: SampleSheet) {
  const read = readerOf(columns)
  const all = [...rows]
  const matching = all.filter((row) => read(row, 'product') === PRODUCT)
  return {
    rows: all.length,
    columns: columns.length,
    matching: matching.length,
    shown: SHOWN.map((name) => ({ name, ...shapeOf(all.map((row) => read(row, name))) })),
    sample: matching.slice(0, MOST_ROWS).map((row) => SHOWN.map((name) => read(row, name))),
  }
}

function readerOf(columns: readonly string[]) {
  return (row: readonly SampleCell[], name: string) => String(row[columns.indexOf(name)] ?? '')
}

/** As the import makes them: bars of equal width from the least to the greatest value; of other columns, the most frequent values. */
function shapeOf(values: readonly string[]) {
  const isMoment = /^\d{4}-\d\d-\d\dT/.test(values[0] ?? '')
  const filled = values.filter(Boolean)
  const numbers = filled.map((value) => (isMoment ? Date.parse(value) / 1000 : Number(value)))
  if (numbers.some(Number.isNaN)) return { values: mostFrequent(filled) }
  const least = numbers.reduce((one, other) => Math.min(one, other))
  const span = numbers.reduce((one, other) => Math.max(one, other)) - least
  const width = isMoment || !numbers.every(Number.isInteger) ? span / MOST_BARS : Math.ceil(span / MOST_BARS)
  const bars = Array.from({ length: Math.min(MOST_BARS, Math.ceil(span / width)) }, () => 0)
  for (const number of numbers) {
    const bar = Math.min(bars.length - 1, Math.floor((number - least) / width))
    bars[bar] = (bars[bar] ?? 0) + 1
  }
  return { bars }
}

function mostFrequent(values: readonly string[]) {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts]
    .toSorted(([one, few], [other, many]) => many - few || one.localeCompare(other))
    .slice(0, MOST_VALUES)
    .map(([value, count]) => ({ value, count }))
}

import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { productBody } from '#app/datasets/catalog/product.ts'
import { firstDatasets } from '#app/content/first-datasets.ts'
import { type SampleCell, csvOf, type SampleSheet } from './csv.ts'
import { firstSlugs, sheets } from './sheets.ts'

const hashOf = (sheet: SampleSheet) =>
  createHash('sha256')
    .update([...csvOf(sheet)].join(''))
    .digest('hex')
const read = (slug: keyof typeof sheets) => {
  const { columns, rows } = sheets[slug]()
  return [...rows].map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index] ?? null])))
}

describe('the first datasets', () => {
  test.each(firstSlugs)('%s comes out the same each time, and each of its columns is explained', (slug) => {
    const { name, changes: _changes, ...texts } = firstDatasets[slug]
    expect(productBody.parse({ slug, name, ...texts })).toMatchObject({ slug, hidden: true })
    const sheet = sheets[slug]()
    expect(Object.keys(texts.columnDescriptions).toSorted()).toEqual([...sheet.columns].toSorted())
    const rows = [...sheet.rows]
    expect(rows.length).toBeGreaterThan(1000)
    expect(rows.every((row) => row.length === sheet.columns.length)).toBe(true)
    expect(hashOf(sheets[slug]())).toBe(hashOf({ columns: sheet.columns, rows }))
  })

  test('none is left out', () => expect([...firstSlugs]).toEqual(Object.keys(sheets)))

  test('none has a price, because none is real but the clock changes, and one is had through the API alone', () => {
    const all: { price: number; hasFile?: boolean }[] = Object.values(firstDatasets)
    expect(all.filter(({ price }) => price !== 0)).toEqual([])
    expect(all.filter(({ hasFile = true }) => !hasFile)).toHaveLength(1)
  })

  test('nobody can be reached: addresses belong to no one and telephones to stories', () => {
    for (const { contact_email: email, website, contact_phone: phone } of read('company-leads')) {
      expect([email, website]).toEqual([expect.stringMatching(/\.example$/), expect.stringMatching(/^https:\/\/[\w-]+\.example$/)])
      expect(phone ?? '+1 200 555 0100').toMatch(/^\+1 \d{3} 555 01\d\d$/)
    }
  })

  test('changes of the clock are those of the world', () => {
    const berlin = read('world-clock-changes').filter(
      ({ zone, changes_at_utc: at }) => zone === 'Europe/Berlin' && String(at).startsWith('2026'),
    )
    expect(berlin).toMatchObject([
      {
        changes_at_utc: '2026-03-29T01:00:00Z',
        offset_before: '+01:00',
        offset_after: '+02:00',
        local_before: '2026-03-29T01:59:59',
        local_after: '2026-03-29T03:00:00',
      },
      { changes_at_utc: '2026-10-25T01:00:00Z', shift_minutes: -60, clocks_go: 'back' },
    ])
  })

  test('the feed tells the changes of the daily prices: on the last day both say the same', () => {
    const changed = new Map<string, SampleCell>()
    for (const { shop, product_id: product, new_price: price } of read('price-change-feed'))
      changed.set(`${shop} ${product}`, price ?? null)
    const last = new Map<string, SampleCell>()
    for (const { shop, product_id: product, price, day } of read('daily-shop-prices'))
      if (day === '2026-09-30') last.set(`${shop} ${product}`, price ?? null)
    const both = [...last].filter(([offer]) => changed.has(offer))
    expect(both.length).toBeGreaterThan(500)
    expect(both.filter(([offer, price]) => changed.get(offer) !== price)).toHaveLength(0)
  })
})

test('a cell with commas, quotes and line breaks stays one cell', () => {
  const text = [...csvOf({ columns: ['a', 'b'], rows: [['one, "two"\nthree', null]] })].join('')
  expect(text).toBe('a,b\n"one, ""two""\nthree",\n')
})

import { expect, test } from 'vitest'
import { cellsOf, wordsOf } from '#test/dashboard.tsx'
import { pricesDetail, showMarket } from '#test/marketplace.tsx'
import { RowsPanel } from './rows-panel.tsx'
import { countUrl, rowsUrl } from './row-view.ts'

const rows = [
  { shop: 'North', price: 12.5 },
  { shop: '<b>South</b>', price: null },
]

function show(query = '', page: unknown = { data: rows, nextCursor: null }, count?: number) {
  const params = new URLSearchParams(query)
  return showMarket(<RowsPanel detail={pricesDetail} />, `/data-marketplace/shop-prices?${query}`, {
    [rowsUrl('shop-prices', params)]: page,
    ...(count !== undefined && { [countUrl(pricesDetail.id, params)]: { rows: count } }),
  })
}

test('rows stand under the heads of their columns, as text; what is missing is an empty cell', () => {
  const html = show()
  expect(cellsOf(html)).toEqual([
    ['North', '12.5'],
    ['&lt;b&gt;South&lt;/b&gt;', ''],
  ])
  expect(html).not.toContain('<b>')
  expect(wordsOf(html)).toContain('4,000 rows')
})

test('each bar and each common value above a column is a button that says what it stands for and whether it is chosen', () => {
  const html = show('price[gte]=20&price[lte]=40', undefined, 498)
  const buttons = [...html.matchAll(/<button[^>]*aria-pressed="(true|false)"[^>]*>(.*?)<\/button>/gs)].map(
    ([tag, isPressed, inside = '']) => [/aria-label="([^"]*)"/.exec(tag)?.[1] ?? wordsOf(inside), isPressed],
  )
  expect(buttons).toEqual([
    ['North 3,000', 'false'],
    ['South 1,000', 'false'],
    ['0 to 20: 3,500', 'false'],
    ['20 to 40: 498', 'true'],
  ])
  // Each histogram is one tab stop: its pressed bar, or the first.
  expect(html.match(/tabindex="0"[^>]*aria-pressed="true"/g)).toHaveLength(1)
  expect(html.match(/tabindex="-1"[^>]*aria-pressed="false"/g)).toHaveLength(1)
})

test('what chooses the rows is said, counted, and can be taken away', () => {
  const html = show('shop[eq]=North&sort=-price', undefined, 3000)
  expect(wordsOf(html)).toContain('3,000 of 4,000 rows')
  expect(html).toMatch(/<button[^>]*aria-label="Remove filter: shop is North"/)
  expect(html).toMatch(/<th[^>]*aria-sort="descending"[^>]*><a[^>]*href="[^"]*\?shop%5Beq%5D=North"[^>]*>price/)
})

test('the next page begins after the last row; without more there is none', () => {
  expect(show()).not.toContain('rel="next"')
  const first = show('', { data: rows, nextCursor: 'abc' })
  expect(first).toMatch(/href="[^"]*\?cursor=abc"[^>]*rel="next"|rel="next"[^>]*href="[^"]*\?cursor=abc"/)
  expect(wordsOf(first)).toContain('Rows 1 to 2')
  // In a shared URL, the number of previous pages is unknown.
  const later = wordsOf(show('cursor=abc', { data: rows, nextCursor: null }))
  expect(later).toContain('First rows')
  expect(later).not.toContain('Rows 1 to')
})

test('a list on its way, and one without a match, say so', () => {
  expect(wordsOf(showMarket(<RowsPanel detail={pricesDetail} />, '/data-marketplace/shop-prices'))).toContain('Loading rows...')
  expect(wordsOf(show('shop[eq]=East', { data: [], nextCursor: null }, 0))).toMatch(
    /0 of 4,000 rows.*No matches No rows match all of these filters./,
  )
})

test('only the columns that are chosen are shown', () => {
  expect(cellsOf(show('select=price'))).toEqual([['12.5'], ['']])
})

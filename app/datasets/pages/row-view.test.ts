import { describe, expect, test } from 'vitest'
import { withChanges } from '#app/ui/admin/view.ts'
import { columnTypes } from '#app/datasets/catalog/column.ts'
import { operatorsOf } from '#app/datasets/rows/row-choice.ts'
import { barFilters, mergeBars, valueFilters } from './bars.ts'
import { pricesDetail } from '#test/marketplace.tsx'
import {
  countUrl,
  filterInWords,
  filtersOf,
  isChosen,
  nextSort,
  operatorsFor,
  pressed,
  rowsUrl,
  selectOf,
  selectedColumnsText,
  shownColumns,
  withoutFilters,
} from './row-view.ts'

const view = (query: string) => new URLSearchParams(query)
const after = (query: string, changes: Record<string, string | undefined>) => decodeURIComponent(withChanges(view(query), changes))
const bar = barFilters('price', { from: '0', to: '20', count: 1 }, false)

describe('the address of a page of rows', () => {
  test('is the address of the API, a page of 100 rows at a time; what is not its business stays out of it', () => {
    expect(
      decodeURIComponent(rowsUrl('prices', view('price[gte]=5&shop[eq]=North&sort=-price&select=shop,price&cursor=abc&utm=x&q=1'))),
    ).toBe('/api/v1/datasets/prices/rows?price[gte]=5&shop[eq]=North&sort=-price&select=shop,price&cursor=abc&limit=100')
    expect(decodeURIComponent(countUrl('7', view('price[gte]=5&sort=-price&cursor=abc')))).toBe('/api/data-products/7/count?price[gte]=5')
  })

  test('a column may be called like anything: what stands in brackets last is the condition', () => {
    expect(filtersOf(view('a[b][eq]=1&limit[gte]=2&select[in]=x,y'))).toEqual([
      { column: 'a[b]', operator: 'eq', value: '1' },
      { column: 'limit', operator: 'gte', value: '2' },
      { column: 'select', operator: 'in', value: 'x,y' },
    ])
    expect(filtersOf(view('price[drop]=1&[eq]=2&price=3&price[gt]='))).toEqual([])
  })

  test('names no column twice, and shows all where it names none that there is', () => {
    const names = (query: string) => shownColumns(view(query), pricesDetail.columns).map(({ name }) => name)
    expect(names('select=price,price')).toEqual(['price'])
    expect(selectOf(view(new URLSearchParams({ select: selectedColumnsText(['a,b', 'say "x"', 'c']) }).toString()))).toEqual([
      'a,b',
      'say "x"',
      'c',
    ])
    expect(names('select=gone')).toEqual(['shop', 'price'])
    expect(names('')).toEqual(['shop', 'price'])
  })
})

describe('a press', () => {
  test('on a bar asks for its rows from the first one on; pressed again, for all', () => {
    const once = after('sort=-price&cursor=abc', pressed(view('sort=-price&cursor=abc'), bar))
    expect(once).toBe('?sort=-price&price[gte]=0&price[lt]=20')
    expect(isChosen(view(once), bar)).toBe(true)
    expect(after(once, pressed(view(once), bar))).toBe('?sort=-price')
  })

  test('on another bar or a value takes the place of what was asked of that column, and of no other', () => {
    const next = barFilters('price', { from: '20', to: '40', count: 1 }, true)
    const query = 'price[gte]=0&price[lt]=20&shop[eq]=North'
    expect(after(query, pressed(view(query), next))).toBe('?price[gte]=20&shop[eq]=North&price[lte]=40')
    expect(after(query, pressed(view(query), valueFilters('shop', 'South')))).toBe('?price[gte]=0&price[lt]=20&shop[eq]=South')
  })

  test('on the head of a column orders up, down, and as in the file', () => {
    expect([nextSort(view(''), 'price'), nextSort(view('sort=price'), 'price'), nextSort(view('sort=-price'), 'price')]).toEqual([
      'price',
      '-price',
      undefined,
    ])
    expect(nextSort(view('sort=-price'), 'shop')).toBe('shop')
  })

  test('takes all filters away, and leaves order and columns', () => {
    const query = 'price[gte]=0&shop[eq]=North&sort=shop&select=shop'
    expect(after(query, withoutFilters(view(query)))).toBe('?sort=shop&select=shop')
  })
})

test('neighbouring bars are put together until a finger can tell them apart; no row is lost', () => {
  const bars = Array.from({ length: 20 }, (_, at) => ({ from: String(at), to: String(at + 1), count: at }))
  const merged = mergeBars(bars)
  expect(merged).toHaveLength(10)
  expect(merged.reduce((sum, { count }) => sum + count, 0)).toBe(190)
  expect([merged[0], merged.at(-1)]).toEqual([
    { from: '0', to: '2', count: 1 },
    { from: '18', to: '20', count: 37 },
  ])
  expect(mergeBars(bars.slice(0, 12))).toEqual(bars.slice(0, 12))
  expect(mergeBars([])).toEqual([])
})

test('conditions are said in words, and only those that a type can answer are offered', () => {
  expect(filterInWords({ column: 'price', operator: 'gte', value: '5' })).toBe('price ≥ 5')
  expect(filterInWords({ column: 'day', operator: 'lte', value: '2026-01-31' })).toBe('day on or before 2026-01-31')
  expect(filterInWords({ column: 'note', operator: 'null', value: 'true' })).toBe('note is empty')
  expect(filterInWords({ column: 'note', operator: 'null', value: 'false' })).toBe('note has a value')
  const [shop, price] = pricesDetail.columns
  expect(shop && operatorsFor(shop)).toContain('contains')
  expect(price && operatorsFor(price)).not.toContain('contains')
  for (const type of columnTypes) expect(operatorsOf(type)).toEqual(expect.arrayContaining(price ? operatorsFor({ ...price, type }) : []))
})

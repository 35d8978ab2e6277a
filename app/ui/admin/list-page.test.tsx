import { expect, test } from 'vitest'
import { z } from 'zod/mini'
import { cellsOf, showDashboard, wordsOf } from '#test/dashboard.tsx'
import { rareChoice } from './filter-dialog.tsx'
import { isRare } from './list-filters.tsx'
import { type ListLook, ListPage } from './list-page.tsx'
import { useListQuery } from './use-list-query.ts'

const page = z.object({ rows: z.array(z.object({ id: z.string(), name: z.string() })), next: z.nullable(z.string()) })

type Row = z.infer<typeof page>['rows'][number]

const look: ListLook<Row> = {
  name: 'things',
  caption: 'Things',
  one: 'thing',
  many: 'things',
  loading: 'Loading things...',
  empty: { title: 'No things yet', text: 'Things appear here.' },
  none: 'No thing matches.',
  nameOf: ({ name }) => name,
  filters: [
    { key: 'q', label: 'Search', placeholder: 'Search things' },
    {
      key: 'kind',
      label: 'Kind',
      options: [
        { value: '', label: 'All' },
        { value: 'old', label: 'Old' },
      ],
    },
    { key: 'days', label: 'For', usual: '30', options: [{ value: '30', label: '30 days' }], within: { key: 'kind', value: 'old' } },
    { key: 'tag', label: 'Tag', isGiven: true },
    {
      key: 'state',
      label: 'State',
      isRare: true,
      isMany: true,
      options: [
        { value: '1', label: 'New' },
        { value: '2', label: 'Worn' },
      ],
    },
    { key: 'maker', label: 'Maker', isRare: true, type: 'text' },
    { key: 'first', label: 'First day', isDay: true },
    { key: 'last', label: 'Last day', isDay: true, atLeast: 'first' },
    { key: 'least', label: 'Price from', isRare: true, type: 'amount' },
    { key: 'most', label: 'Price up to', isRare: true, type: 'amount', atLeast: 'least' },
  ],
  columns: [{ key: 'name', head: 'Name', view: ({ name }) => name }],
}

function Things() {
  const list = useListQuery('/api/things', page, look.filters)
  return (
    <ListPage
      {...look}
      list={list}
      rows={list.data?.rows}
      place={{ next: list.data?.next }}
      opens={({ id }) => ({ to: `/things/${id}` })}
      bulk={[{ label: 'Delete', act: () => undefined }]}
      files="/api/things"
    />
  )
}

const show = (query: string, answers: Record<string, unknown>) => showDashboard(<Things />, { at: `/dashboard${query}`, answers })
const some = { rows: [{ id: 'a', name: 'Anvil' }], next: 'c2' }
const nothing = { rows: [], next: null }

test('a list asks for the view in the address, and its rows, files and next page keep that view', () => {
  const html = show('?q=iron&kind=old&other=1', { '/api/things?q=iron&kind=old': some })
  expect(cellsOf(html)).toEqual([['', 'Anvil']])
  expect(html).toContain('href="/things/a"')
  expect(html).toContain('href="/dashboard?q=iron&amp;kind=old&amp;other=1&amp;cursor=c2"')
  expect(html).toContain('href="/api/things.csv?q=iron&amp;kind=old"')
  expect(html).toContain('href="/api/things.csv?q=iron&amp;kind=old&amp;format=xlsx"')
})

test('a filter within another one is there with it alone, and one that a row set can be removed', () => {
  expect(wordsOf(show('', { '/api/things': some }))).not.toContain('30 days')
  const html = show('?kind=old&tag=new', { '/api/things?kind=old&tag=new': some })
  expect(wordsOf(html)).toContain('30 days')
  expect(html).toContain('aria-label="Remove the filter: tag new"')
  expect(html).toContain('href="/dashboard?kind=old"')
})

test('rare filters are in a dialog, and each value in use stands below the toolbar, from where it is removed', () => {
  const html = show('?state=1,2&maker=Acme', { '/api/things?state=1%2C2&maker=Acme': some })
  expect(wordsOf(html)).toContain('Filters')
  expect(html.match(/aria-label="Remove the filter [^"]+"/g)).toEqual(
    ['State: New', 'State: Worn', 'Maker: Acme'].map((text) => `aria-label="Remove the filter ${text}"`),
  )
  expect(wordsOf(show('', { '/api/things': some }))).not.toContain('Clear all')
})

test('a range that ends before it begins is told at the field of its end, in the list and in the dialog of rare filters', () => {
  const days = (first: string, last: string) =>
    show(`?first=${first}&last=${last}`, { [`/api/things?first=${first}&last=${last}`]: nothing })
  const html = days('2026-10-05', '2026-10-04')
  expect(html).toMatch(/<input[^>]*id="filter-last"[^>]*aria-describedby="filter-last-error" aria-invalid="true"/)
  expect(wordsOf(html)).toContain('No matches Last day: This day is before “First day”. Show all')
  const same = days('2026-10-05', '2026-10-05')
  expect(same).not.toContain('aria-invalid="true"')
  expect(wordsOf(same)).toContain('No matches No thing matches.')

  const rare = (look.filters ?? []).filter(isRare)
  const prices = (least: string, most: string) => {
    const texts = { state: '', maker: '', least, most }
    const checked = rareChoice(rare).safeParse(texts)
    return checked.success ? checked.data : checked.error.issues.map(({ path, message }) => [path.join(), message])
  }
  expect(prices('1000', '900')).toEqual([['most', 'This amount is less than “Price from”.']])
  expect(prices('900', '1000')).toMatchObject({ least: '900', most: '1000' })
  expect(prices('900', '')).toMatchObject({ most: '' })
})

test('a list says that it loads, what will appear in it, and that nothing matches', () => {
  expect(wordsOf(show('', {}))).toContain('Loading things...')
  const empty = show('', { '/api/things': nothing })
  expect(wordsOf(empty)).toContain('No things yet Things appear here.')
  expect(empty).not.toContain('Search things')
  const none = show('?q=gold', { '/api/things?q=gold': nothing })
  expect(wordsOf(none)).toContain('No matches No thing matches. Show all')
  expect(none).toContain('Search things')
})

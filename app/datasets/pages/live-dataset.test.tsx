import { beforeAll, describe, expect, test } from 'vitest'
import { OWN_DOWNLOADS, PRODUCTS } from '#app/datasets/catalog/addresses.ts'
import type { ProductDetail } from '#app/datasets/catalog/product.ts'
import { rowsUrl } from './row-view.ts'
import { wordsOf } from '#test/dashboard.tsx'
import { prices, pricesDetail, showMarket } from '#test/marketplace.tsx'
import { LiveDataset, requestCode, sampleCode } from './live-dataset.tsx'
import { type OwnAccess, ownAccessUrl } from './own-access.ts'

const AT = '/data-marketplace/shop-prices'
const nothing: OwnAccess = { askedAt: null, outcome: null, grantedAt: null, grantedUntil: null, versionsUntil: null }

type Given = { detail?: Partial<ProductDetail>; access?: OwnAccess; downloads?: { productId: string }[] }

function show({ detail = {}, access = nothing, downloads = [] }: Given = {}) {
  return showMarket(<LiveDataset slug="shop-prices" name="Shop prices" />, AT, {
    [`${PRODUCTS}/shop-prices`]: { ...pricesDetail, ...detail },
    [OWN_DOWNLOADS]: downloads,
    [ownAccessUrl(prices.id)]: access,
    [rowsUrl('shop-prices', new URLSearchParams())]: { data: [{ shop: 'A row of the data', price: 1 }], nextCursor: null },
  })
}

beforeAll(async () => Promise.all([requestCode.load(), sampleCode.load()]))

describe('who has a dataset', () => {
  const granted = { access: 'granted' } as const

  test('reads its rows, takes each file with its checksum beside it, and finds the API with its own address', () => {
    const html = show({ detail: granted })
    const text = wordsOf(html)
    expect(text).toContain('A row of the data')
    expect(text).toContain('a'.repeat(64))
    expect(html).toMatch(/<button[^>]*aria-label="Download shop-prices-v2.parquet"/)
    expect(text).toContain('/api/v1/datasets/shop-prices/rows?shop%5Beq%5D=North&amp;limit=100'.replace('&amp;', '&'))
    expect(html).toContain('href="/data-marketplace/shop-prices/query"')
    expect(text).not.toContain('Request access')
  })

  test('reads that it was downloaded, and can download it again', () => {
    expect(show({ detail: granted })).toMatch(/<button[^>]*>Download<\/button>/)
    expect(wordsOf(show({ detail: granted, downloads: [{ productId: prices.id }] }))).toContain('Downloaded')
  })

  test('reads of each version what changed', () => {
    expect(wordsOf(show({ detail: granted }))).toContain(
      'Version 2 Oct 3, 2026 Current Eight shops instead of seven. Compared with version 1: 500 rows added, 3 rows removed; new columns: note.',
    )
  })

  test('of one without data yet, reads that its first version is on its way', () => {
    const text = wordsOf(
      show({
        detail: { ...granted, updatedAt: null, versions: [], files: [], columns: [], downloadUrl: undefined, apiEndpoint: undefined },
      }),
    )
    expect(text).toContain('First version in preparation')
    expect(text).not.toContain('Rows')
  })
})

test('until its words have come, the page says which dataset it is, and leads back', () => {
  const html = showMarket(<LiveDataset slug="shop-prices" name="Shop prices" />, AT)
  expect(html).toMatch(/<h1[^>]*>Shop prices<\/h1>/)
  expect(html).toContain('href="/data-marketplace"')
  expect(wordsOf(html)).toContain('Loading the dataset...')
})

describe('who has to pay (D7)', () => {
  test('sees the sample and no row beyond it, and a place to ask', () => {
    const html = show()
    expect(html).toMatch(/<section id="request-access"/)
    expect(html).toMatch(/<a[^>]*href="[^"]*#request-access"[^>]*>Request access</)
    expect(wordsOf(html)).toContain('2026-10-01 North 12.5')
    expect(html).not.toContain('A row of the data')
    expect(html).not.toMatch(/<button[^>]*aria-pressed/)
    expect(html).not.toContain('aria-label="Download shop-prices')
  })

  test.each<[string, OwnAccess, string, boolean]>([
    ['asked', { ...nothing, askedAt: '2026-10-05T10:00:00Z' }, 'You requested access on Oct 5, 2026', false],
    ['declined', { ...nothing, askedAt: '2026-10-05T10:00:00Z', outcome: 'declined' }, 'Your last request was declined', true],
    ['ended', { ...nothing, askedAt: '2026-10-05T10:00:00Z', outcome: 'granted' }, 'Your access has ended', true],
  ])('reads that it was %s', (_state, access, words, mayAsk) => {
    const html = show({ access })
    expect(wordsOf(html)).toContain(words)
    expect(html.includes('<textarea')).toBe(mayAsk)
  })

  test('reads until when it was granted', () => {
    const access = { ...nothing, grantedAt: '2026-10-05T10:00:00Z', grantedUntil: '2027-10-05T10:00:00Z' }
    expect(wordsOf(show({ detail: { access: 'granted' }, access }))).toContain('Access until Oct 5, 2027')
  })
})

test('whose address is not confirmed reads so in place of the buttons', () => {
  const text = wordsOf(show({ detail: { access: 'confirm' } }))
  expect(text).toContain('Confirm your email address first')
  expect(text).not.toContain('A row of the data')
})

test('a dataset on its way says so', () => {
  expect(wordsOf(showMarket(<LiveDataset slug="shop-prices" name="Shop prices" />, AT))).toContain('Loading the dataset...')
})

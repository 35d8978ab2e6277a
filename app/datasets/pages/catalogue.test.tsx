import { describe, expect, test } from 'vitest'
import { OWN_DOWNLOADS, PRODUCTS } from '#app/datasets/catalog/addresses.ts'
import { priceInWords } from '#app/datasets/catalog/price.ts'
import { dataProduct } from '#app/datasets/catalog/product.ts'
import { wordsOf } from '#test/dashboard.tsx'
import { cities, prices, showMarket } from '#test/marketplace.tsx'
import { Catalog, chooseProducts, listCategories, readCatalogueChoice } from './catalogue.tsx'

const AT = '/data-marketplace'
const VIEW = 'Show as a list'

const show = (
  products: unknown,
  { at = AT, downloads = [] }: { at?: string; downloads?: { productId: string; organization?: object }[] } = {},
) => showMarket(<Catalog />, at, { [PRODUCTS]: products, [OWN_DOWNLOADS]: downloads })
const cardsOf = (html: string) => [...html.matchAll(/<h2[^>]*>.*?<\/h2>/gs)].map(([head]) => wordsOf(head))
const labelsOf = (html: string) =>
  [...html.matchAll(/<button([^>]*)>(.*?)<\/button>/gs)]
    .filter(([, tag]) => !tag?.includes('role="tab"'))
    .map(([, , label = '']) => wordsOf(label))
    .filter((label) => label !== VIEW)

describe('the catalogue', () => {
  test("the tabs are 'all' and each distinct category, and the open one shows its products", () => {
    const html = show([prices, cities, { ...prices, id: 'another' }])
    const tabs = [...html.matchAll(/<button[^>]*role="tab"[^>]*>(.*?)<\/button>/gs)].map(([, label = '']) => wordsOf(label))
    expect(tabs).toEqual(['all 3', 'Prices 2', 'Geography 1'])
    expect(cardsOf(html)).toHaveLength(3)
    expect(cardsOf(show([prices, cities], { at: `${AT}?category=Geography` }))).toEqual(['World cities'])
    // An unknown category in the URL shows all products.
    expect(cardsOf(show([prices, cities], { at: `${AT}?category=Gone` }))).toHaveLength(2)
  })

  test('a card shows category, price, name, description and the first rows of its sample', () => {
    const text = wordsOf(show([prices]))
    for (const said of ['Prices', '$19.99', 'Shop prices', prices.description, '4,000 rows', '1.5 MB', 'Oct 3, 2026'])
      expect(text).toContain(said)
    expect(text).toContain('Sample of Shop prices day shop price 2026-10-01 North 12.5 2026-10-02 South 13 and 1 more column')
  })

  test("'File Download' stands on what has a downloadUrl, 'API Access' on what has an apiEndpoint", () => {
    const badges = (given: object) => wordsOf(show([{ ...prices, ...given }]).replaceAll(/<button.*?<\/button>/gs, ''))
    expect(badges({})).toMatch(/File Download.*API Access/)
    expect(badges({ downloadUrl: undefined })).not.toContain('File Download')
    expect(badges({ apiEndpoint: undefined })).not.toContain('API Access')
  })

  test("the buttons are Download, 'Downloaded' for what this person has downloaded, and API Access", () => {
    expect(labelsOf(show([prices]))).toEqual(['Download', 'API Access'])
    expect(labelsOf(show([prices], { downloads: [{ productId: prices.id }] }))).toEqual(['Downloaded', 'API Access'])
    expect(labelsOf(show([prices], { downloads: [{ productId: cities.id }] }))).toEqual(['Download', 'API Access'])
    // Of a person with several organizations, it says for which one.
    const organization = { id: prices.id, name: 'Acme Retail', isPersonal: false }
    expect(wordsOf(show([prices], { downloads: [{ productId: prices.id, organization }] }))).toContain('Downloaded for Acme Retail')
    expect(wordsOf(show([prices], { downloads: [{ productId: prices.id }] }))).not.toContain('Downloaded for')
  })

  test('the main action of a paid dataset without access is the request; a download that would be refused is quiet', () => {
    const gold = (access: string) =>
      [...show([{ ...prices, access }]).matchAll(/<(?:a|button)[^>]*class="[^"]*bg-grain [^"]*"[^>]*>(.*?)<\/(?:a|button)>/gs)].map(
        ([, label = '']) => wordsOf(label),
      )
    expect(gold('pay')).toEqual(['Request access'])
    expect(gold('granted')).toEqual(['Download'])
  })

  test('many datasets are a list, a line each, with everything that a card says but its sample', () => {
    const many = Array.from({ length: 10 }, (_, at) => ({
      ...prices,
      id: `${prices.id}-${at}`,
      slug: `prices-${at}`,
      name: `Prices ${at}`,
    }))
    const html = show(many, { downloads: [{ productId: `${prices.id}-3` }] })
    expect(html.match(/<tr data-row/g)).toHaveLength(10)
    expect(cardsOf(html)).toEqual(many.map(({ name }) => name))
    const line = wordsOf(html.split('<tr data-row')[4] ?? '')
    for (const said of ['Prices 3', prices.description, 'Prices', '$19.99', '4,000', 'Oct 3, 2026', 'Downloaded', 'API Access'])
      expect(line).toContain(said)
    expect(wordsOf(html)).toContain('Show as cards')
    expect(show(many.slice(0, 9))).not.toContain('<tr data-row')
  })

  test.each([
    [1999, '$19.99'],
    [0, 'Free'],
    [5, '$0.05'],
    [120000, '$1,200.00'],
  ])('row 129: %i cents are shown as %s', (price, shown) => {
    expect(priceInWords(price)).toBe(shown)
    expect(wordsOf(show([{ ...prices, price }]))).toContain(shown)
  })

  test.each(['{broken', '"text"', '7', 'null', '[1, null, "two"]', null])(
    'row 130: of the sample %j nothing is shown, and nothing breaks',
    (sampleData) => {
      const html = show([{ ...prices, sampleData }])
      expect(html).not.toContain('<table')
      expect(cardsOf(html)).toEqual(['Shop prices'])
    },
  )

  test("without products it says 'No products found' and 'No data products available in this category.'", () => {
    for (const html of [show([]), show([prices], { at: `${AT}?q=nothing+like+it` })])
      expect(wordsOf(html)).toContain('No products found No data products available in this category.')
  })

  test('a spinner turns while it loads', () => {
    const html = showMarket(<Catalog />, AT)
    expect(html).toMatch(/<p role="status"[^>]*><svg[^>]*animate-spin/)
    expect(html).not.toContain('No products found')
  })

  test('a product has the fields that are named there', () => {
    const named = ['id', 'name', 'description', 'category', 'price', 'isFree', 'downloadUrl', 'apiEndpoint', 'sampleData']
    expect(Object.keys(dataProduct.parse(prices))).toEqual(expect.arrayContaining(named))
    expect(dataProduct.parse({ ...prices, downloadUrl: undefined, apiEndpoint: undefined })).not.toHaveProperty(
      'downloadUrl',
      expect.anything(),
    )
    expect(dataProduct.safeParse({ ...prices, price: '19.99' }).success).toBe(false)
  })

  test('what staff typed is text', () => {
    const html = show([{ ...prices, name: '<img src=x>', description: '<b>x</b>', sampleData: '[{"<i>":"<script>"}]' }])
    expect(html).not.toMatch(/<img|<b>|<i>|<script/)
  })
})

describe('search and order', () => {
  const products = [prices, cities]
  const chosen = (query: string) =>
    chooseProducts(products, readCatalogueChoice(new URLSearchParams(query), products)).map(({ slug }) => slug)

  test('every word has to occur in name, description or category', () => {
    expect(chosen('q=PRICES+shops')).toEqual(['shop-prices'])
    expect(chosen('q=geography')).toEqual(['world-cities'])
    expect(chosen('q=prices+people')).toEqual([])
  })

  test.each([
    ['', ['shop-prices', 'world-cities']],
    ['sort=newest', ['world-cities', 'shop-prices']],
    ['sort=name', ['shop-prices', 'world-cities']],
    ['sort=price', ['world-cities', 'shop-prices']],
    ['sort=size', ['shop-prices', 'world-cities']],
    ['sort=toString', ['shop-prices', 'world-cities']],
  ])('the address %j says the order', (query, slugs) => {
    expect(chosen(query)).toEqual(slugs)
  })

  test('a category that two products share is one', () => {
    expect(listCategories([prices, cities, prices])).toEqual(['Prices', 'Geography'])
  })
})

import { describe, expect, test } from 'vitest'
import { staffProduct } from '#app/datasets/catalog/product.ts'
import {
  compareProducts,
  productFields,
  isSameProduct,
  nameOfFile,
  readProductFields,
  editProduct,
  newProductEdit,
  changeProductField,
  centsOf,
  dollarsOf,
} from './product-fields.ts'

const product = staffProduct.parse({
  id: '0199a6a0-0000-7000-8000-000000000001',
  position: 1,
  version: 3,
  rows: 10,
  bytes: 200,
  currentVersion: 1,
  newestState: 'published',
  openRequests: 0,
  createdAt: '2026-10-03T09:08:00.000Z',
  updatedAt: '2026-10-04T09:08:00.000Z',
  name: 'Prices',
  slug: 'prices',
  description: 'Of 8 shops.',
  category: 'Retail',
  price: 1999,
  isFree: false,
  priceIncludes: 'version',
  hasFile: true,
  hasApi: true,
  hidden: false,
  source: '',
  licence: '',
  licenceUrl: null,
  lawfulBasis: '',
  updateFrequency: 'Daily',
  columnDescriptions: { price: 'In dollars' },
  maskedColumns: ['email'],
  gate: { leastRows: 1000, mostRefused: 0.005, mostLoss: 0.1, leastFill: { price: 0.995 }, unique: ['id', 'shop,day'] },
})

const typed = (given: Partial<ReturnType<typeof productFields>>) => readProductFields({ ...productFields(product), ...given })

describe('a price', () => {
  test.each([
    ['19.99', 1999],
    ['$1,999.5', 199_950],
    [' 0 ', 0],
    ['0.00', 0],
    ['1.1', 110],
    ['4.35', 435],
    ['1000000', 100_000_000],
  ])('%j is %i cents', (text, cents) => {
    expect(centsOf(text)).toBe(cents)
  })

  test.each(['', 'free', '-1', '1.999', '1,99', '1e3', '.5', '$', '12 34'])(
    '%j is none, and the form says what one looks like',
    (price) => {
      expect(centsOf(price)).toBeUndefined()
      expect(typed({ price }).errors).toEqual({ price: 'Enter dollars and cents, such as 19.99, or 0 for free' })
    },
  )

  test('comes back as it was kept, to the cent', () => {
    for (const cents of [0, 1, 9, 10, 99, 100, 1999, 100_000_000]) expect(centsOf(dollarsOf(cents))).toBe(cents)
  })

  test('of 0 makes a product free, and nothing else does', () => {
    expect(typed({ price: '0' }).body).toMatchObject({ price: 0, isFree: true })
    expect(typed({ price: '0.01' }).body).toMatchObject({ price: 1, isFree: false })
    expect(typed({ price: '1000000.01' }).errors).toEqual({ price: 'Price is too high' })
  })
})

describe('a slug', () => {
  test('follows the name of a new product until it is typed; emptied, it follows again', () => {
    const named = changeProductField(newProductEdit(), { name: 'Daily Prices – Café' })
    expect(named.fields.slug).toBe('daily-prices-cafe')
    const chosen = changeProductField(changeProductField(named, { slug: 'mine' }), { name: 'Other' })
    expect(chosen.fields).toMatchObject({ name: 'Other', slug: 'mine' })
    expect(changeProductField(changeProductField(chosen, { slug: '' }), { name: 'Third one' }).fields.slug).toBe('third-one')
    expect(changeProductField(newProductEdit(), { name: `${'a'.repeat(79)} b` }).fields.slug).toBe('a'.repeat(79))
  })

  test('of a product that there is changes by hand alone', () => {
    expect(changeProductField(editProduct(product), { name: 'Other' }).fields.slug).toBe('prices')
    expect(typed({ slug: 'No spaces' }).errors).toEqual({ slug: 'Slug may have lowercase letters, digits and single hyphens between them' })
  })

  test('begins with the name of the file that was chosen first', () => {
    expect(nameOfFile('retail_prices-2026.csv')).toBe('Retail prices 2026')
    expect(nameOfFile('world-cities.jsonl')).toBe('World cities')
  })
})

describe('the gate', () => {
  test('comes back as it was kept', () => {
    expect(typed({}).body).toMatchObject({ gate: product.gate })
    expect(productFields(product).gate).toMatchObject({
      mostRefused: '0.5',
      mostLoss: '10',
      leastFill: { price: '99.5' },
      together: 'shop,day',
    })
  })

  test('has no rule where nothing is typed', () => {
    const { gate } = newProductEdit().fields
    expect(typed({ gate: { ...gate, leastFill: { price: ' ' }, together: '\n , \n' } }).body?.gate).toEqual({})
  })

  test('takes percent and whole numbers, and says at the field what is neither', () => {
    const { gate } = productFields(product)
    const read = typed({ gate: { ...gate, leastRows: '1,000,000', mostRefused: '0.25 %', together: 'shop , day\n\na,b' } })
    expect(read.body?.gate).toMatchObject({ leastRows: 1_000_000, mostRefused: 0.0025, unique: ['id', 'shop,day', 'a,b'] })
    const wrong = typed({ gate: { ...gate, leastRows: '1.5', mostRefused: '101', mostLoss: '-1', leastFill: { price: 'x' } } })
    const share = 'Enter a share from 0 to 100 percent, or leave it empty'
    expect(wrong.errors).toEqual({
      'gate.leastRows': 'Enter a whole number of rows, or leave it empty',
      'gate.mostRefused': share,
      'gate.mostLoss': share,
      'gate.leastFill.price': share,
    })
  })
})

test('what is missing is said at each field, in the order of the form', () => {
  const { errors = {} } = readProductFields(newProductEdit().fields)
  expect(Object.keys(errors)).toEqual(['name', 'slug', 'description', 'category', 'price'])
  expect(Object.keys(typed({ hasFile: false, hasApi: false }).errors ?? {})).toEqual(['hasFile'])
})

test('two forms are the same whatever the order of their columns, and differ by name otherwise', () => {
  const mine = productFields({ ...product, columnDescriptions: { a: 'A', b: 'B' } })
  expect(isSameProduct(mine, { ...mine, columnDescriptions: { b: 'B', a: 'A', c: '' } })).toBe(true)
  const { differences } = compareProducts(mine, {
    ...product,
    columnDescriptions: { b: 'B', a: 'A' },
    price: 2000,
    hidden: true,
    maskedColumns: [],
  })
  expect(differences.map(({ label }) => label)).toEqual(['Price', 'Hidden', 'Personal columns'])
})

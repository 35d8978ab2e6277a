import type { SampleCell, SampleSheet } from './csv.ts'
import { dayAfter, momentOf } from './days.ts'
import { Offer } from './offer.ts'
import { sampleProducts } from './products.ts'
import { shops } from './shops.ts'

/** The first and the last day of the simulated year. */
export const FIRST_DAY = '2025-10-01'
export const DAYS = 365

const columns = [
  'observed_at',
  'day',
  'shop',
  'shop_country',
  'product_id',
  'gtin',
  'product',
  'brand',
  'category',
  'subcategory',
  'currency',
  'price',
  'regular_price',
  'percent_off',
  'on_promotion',
  'in_stock',
  'shipping',
  'delivery_days',
  'rating',
  'reviews',
] as const

/** The times of day of the observations, in seconds. */
const LOOKS = [6 * 3600, 18 * 3600] as const

/** Every observation of every product in every shop on the last days of the year, oldest first. A failed observation has no row. */
export function shopPrices({ lastDays = DAYS } = {}): SampleSheet {
  return { columns, rows: rowsOf(DAYS - lastDays) }
}

function* rowsOf(from: number): Generator<SampleCell[]> {
  const offers = listOffers()
  for (let index = 0; index < DAYS; index += 1) {
    const day = dayAfter(FIRST_DAY, index)
    for (const offer of offers) offer.pass(day)
    if (index >= from) yield* rowsOfDay(offers, day)
  }
}

function* rowsOfDay(offers: Offer[], day: string): Generator<SampleCell[]> {
  for (const look of [0, 1] as const) {
    for (const [order, offer] of offers.entries()) if (!offer.missed[look]) yield rowOf(offer, day, LOOKS[look] + order)
  }
}

/** Shop by shop, in crawling order. */
export function listOffers(): Offer[] {
  const products = sampleProducts()
  return shops.flatMap((shop) => products.map((product) => new Offer(product, shop)))
}

function rowOf(offer: Offer, day: string, second: number): SampleCell[] {
  const { product, shop, priceCents, regularCents, percentOff, inStock, rating, reviews } = offer
  const shipping = priceCents >= shop.freeFromCents ? 0 : shop.shippingCents
  return [
    momentOf(day, second),
    day,
    shop.name,
    shop.country,
    product.id,
    product.gtin,
    product.name,
    product.brand,
    product.category,
    product.subcategory,
    'USD',
    samplePrice(priceCents),
    samplePrice(regularCents),
    percentOff,
    percentOff > 0,
    inStock,
    samplePrice(shipping),
    inStock ? shop.deliveryDays : null,
    rating,
    reviews,
  ]
}

export function samplePrice(cents: number): string {
  return (cents / 100).toFixed(2)
}

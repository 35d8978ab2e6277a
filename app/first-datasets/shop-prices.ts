import type { Cell, Sheet } from './csv.ts'
import { dayAfter, momentOf } from './days.ts'
import { Offer } from './offer.ts'
import { listProducts } from './products.ts'
import { shops } from './shops.ts'

/** The first and the last day of the year that is told. */
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

/** Seconds of the day at which all shops are looked at. */
const LOOKS = [6 * 3600, 18 * 3600] as const

/** Every look at every article in every shop on the last days of the year, oldest first. Where nothing came back, there is no row. */
export function shopPrices({ lastDays = DAYS } = {}): Sheet {
  return { columns, rows: rowsOf(DAYS - lastDays) }
}

function* rowsOf(from: number): Generator<Cell[]> {
  const offers = listOffers()
  for (let index = 0; index < DAYS; index += 1) {
    const day = dayAfter(FIRST_DAY, index)
    for (const offer of offers) offer.pass(day)
    if (index >= from) yield* rowsOfDay(offers, day)
  }
}

function* rowsOfDay(offers: Offer[], day: string): Generator<Cell[]> {
  for (const look of [0, 1] as const) {
    for (const [order, offer] of offers.entries()) if (!offer.missed[look]) yield rowOf(offer, day, LOOKS[look] + order)
  }
}

/** Shop after shop, as they are read. */
export function listOffers(): Offer[] {
  const products = listProducts()
  return shops.flatMap((shop) => products.map((product) => new Offer(product, shop)))
}

function rowOf(offer: Offer, day: string, second: number): Cell[] {
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
    dollars(priceCents),
    dollars(regularCents),
    percentOff,
    percentOff > 0,
    inStock,
    dollars(shipping),
    inStock ? shop.deliveryDays : null,
    rating,
    reviews,
  ]
}

export function dollars(cents: number): string {
  return (cents / 100).toFixed(2)
}

import type { SampleCell, SampleSheet } from './csv.ts'
import { dayAfter, momentOf } from './days.ts'
import type { Event, Offer } from './offer.ts'
import { DAYS, samplePrice, FIRST_DAY, listOffers } from './shop-prices.ts'

const columns = ['changed_at', 'event', 'shop', 'product_id', 'product', 'category', 'old_price', 'new_price', 'change_percent', 'in_stock']

/** The changes in the watched shops during the last days of the year: the same offers as in the daily prices. */
export function priceChanges({ lastDays = 60 } = {}): SampleSheet {
  return { columns, rows: rowsOf(DAYS - lastDays) }
}

function* rowsOf(from: number): Generator<SampleCell[]> {
  const offers = listOffers()
  for (let index = 0; index < DAYS; index += 1) {
    const changes = changesOf(offers, dayAfter(FIRST_DAY, index))
    if (index >= from) yield* changes
  }
}

/** The changes of one day. The simulation advances even if no row is read. */
function changesOf(offers: Offer[], day: string): SampleCell[][] {
  return offers.flatMap((offer, order) => {
    const before = offer.priceCents
    return offer.pass(day).map((event) => rowOf(offer, event, before, momentOf(day, 6 * 3600 + order)))
  })
}

function rowOf({ product, shop, priceCents, inStock }: Offer, event: Event, before: number, at: string): SampleCell[] {
  const change = Math.round((priceCents / before - 1) * 1000) / 10
  return [at, event, shop.name, product.id, product.name, product.category, samplePrice(before), samplePrice(priceCents), change, inStock]
}

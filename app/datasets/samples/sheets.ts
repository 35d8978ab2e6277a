import type { firstDatasets } from '#app/content/first-datasets.ts'
import { clockChanges } from './clock-changes.ts'
import { companyLeads } from './company-leads.ts'
import type { SampleSheet, SampleCell } from './csv.ts'
import { jobPostings } from './job-postings.ts'
import { referenceRates } from './reference-rates.ts'
import { shopPrices, DAYS, samplePrice, FIRST_DAY, listOffers } from './shop-prices.ts'
import { dayAfter, momentOf } from './days.ts'
import type { Event, Offer } from './offer.ts'

const A_WEEK = 7

export type FirstSlug = keyof typeof firstDatasets

/** The sample products' first rows, few enough for a quick first start. */
export const sheets: Record<FirstSlug, () => SampleSheet> = {
  'price-change-feed': priceChanges,
  'world-clock-changes': clockChanges,
  'daily-shop-prices': () => shopPrices({ lastDays: A_WEEK }),
  'company-leads': companyLeads,
  'job-postings': jobPostings,
  'reference-rates': referenceRates,
}

/** In catalog order. */
export const firstSlugs = [
  'price-change-feed',
  'world-clock-changes',
  'daily-shop-prices',
  'company-leads',
  'job-postings',
  'reference-rates',
] as const satisfies FirstSlug[]

const columns = ['changed_at', 'event', 'shop', 'product_id', 'product', 'category', 'old_price', 'new_price', 'change_percent', 'in_stock']

/** The changes in the watched shops during the last days of the year: the same offers as in the daily prices. */
function priceChanges({ lastDays = 60 } = {}): SampleSheet {
  return { columns, rows: rowsOf(DAYS - lastDays) }
}

/** The promotions of the whole year. */
export function promotions(): SampleSheet {
  return { columns, rows: promotionsOf(rowsOf(0)) }
}

function* promotionsOf(rows: Iterable<SampleCell[]>): Generator<SampleCell[]> {
  for (const row of rows) if (String(row[1]).startsWith('promotion')) yield row
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

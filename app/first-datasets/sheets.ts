import type { firstDatasets } from '#app/site/content/first-datasets.ts'
import { clockChanges } from './clock-changes.ts'
import { companyLeads } from './company-leads.ts'
import type { Sheet } from './csv.ts'
import { jobPostings } from './job-postings.ts'
import { priceChanges } from './price-changes.ts'
import { referenceRates } from './reference-rates.ts'
import { shopPrices } from './shop-prices.ts'

const A_WEEK = 7

export type FirstSlug = keyof typeof firstDatasets

/** The rows of what is on the shelf at first, small enough for a first start. */
export const sheets: Record<FirstSlug, () => Sheet> = {
  'price-change-feed': priceChanges,
  'world-clock-changes': clockChanges,
  'daily-shop-prices': () => shopPrices({ lastDays: A_WEEK }),
  'company-leads': companyLeads,
  'job-postings': jobPostings,
  'reference-rates': referenceRates,
}

/** In the order in which they stand on the shelf. */
export const firstSlugs = [
  'price-change-feed',
  'world-clock-changes',
  'daily-shop-prices',
  'company-leads',
  'job-postings',
  'reference-rates',
] as const satisfies FirstSlug[]

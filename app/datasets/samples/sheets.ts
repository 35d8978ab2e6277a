import type { firstDatasets } from '#app/content/first-datasets.ts'
import { clockChanges } from './clock-changes.ts'
import { companyLeads } from './company-leads.ts'
import type { SampleSheet } from './csv.ts'
import { jobPostings } from './job-postings.ts'
import { priceChanges } from './price-changes.ts'
import { referenceRates } from './reference-rates.ts'
import { shopPrices } from './shop-prices.ts'

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

import { fixedPrice, type Price } from './price.ts'
import { liveContent } from './settings/live.ts'
import type { StoredSettings } from './settings/sections.server.ts'
import { terms } from './terms.ts'

/** The samples that a card can show. */
export type ServiceSample = 'prices' | 'lead' | 'market' | 'answer' | 'pipeline' | 'changes'

/** A card of the home page's catalog. */
export type Service = {
  readonly id: keyof StoredSettings['services']
  /** The sample that the card shows (samples.ts). */
  readonly sample: ServiceSample
  readonly title: string
  readonly description: string
  readonly features: readonly string[]
  readonly bestFor: string
  readonly price: Price
  /** The work that the price covers. */
  readonly covers: string
  readonly popular?: true
}

/**
 * The catalog of the home page. Its prices belong to complete, named solutions; the four offerings of the services page
 * are the building blocks, each with a price of its own (offerings.ts). So these pairs differ on purpose:
 * - a custom API over several sources here, a real-time API over one source there;
 * - competitor analysis and price monitoring with a dashboard here, plain monitoring there;
 * - a market report with its dataset here, the monthly watching of a market there.
 * Two cards are marked as popular: one for shops, one for marketing teams.
 */
const defaults: readonly Service[] = [
  {
    id: 'price-monitoring',
    sample: 'prices',
    title: 'E-commerce price monitoring',
    description: 'Know what every competitor charges for the products you both sell, before your customers do.',
    features: [
      'Products matched by GTIN, part number or title',
      'Price, stock, shipping and promotion for each shop',
      'Updated daily or hourly',
      'Alerts by email',
      'Price history you can query and export',
    ],
    bestFor: 'Online retailers, and brands sold in several shops',
    price: { from: 800, per: 'month' },
    covers: '1,000 products in 5 shops, read daily',
    popular: true,
  },
  {
    id: 'lead-generation',
    sample: 'lead',
    title: 'Lead generation',
    description: 'Companies that match your customer profile, with the right contacts, verified before you get them.',
    features: [
      'Built from public directories, registries and company sites',
      'Size, sector, location and technology of each company',
      'Business email addresses verified for delivery',
      'Duplicates and your existing customers removed',
      'Delivered as CSV or Excel, ready for your CRM',
    ],
    bestFor: 'B2B sales teams and agencies',
    price: { from: 1200 },
    covers: 'a first list of 1,000 verified companies',
  },
  {
    id: 'market-research',
    sample: 'market',
    title: 'Market research',
    description: 'Measure a market instead of guessing: who sells what, where, at what price, and how it changes.',
    features: [
      'Products, sellers and prices of a whole category',
      'Reviews and ratings, sorted by topic',
      'Demand signals, such as listings and job posts',
      'The complete dataset with the report',
      'A source for every number',
    ],
    bestFor: 'Analysts, founders and investors facing a decision',
    price: { from: 1500 },
    covers: 'one market in one country, report and dataset',
  },
  {
    id: 'custom-api',
    sample: 'answer',
    title: 'Custom API development',
    description: 'The web sources you depend on, behind one documented endpoint that uses your own schema.',
    features: [
      'REST and JSON with an OpenAPI spec',
      'Your field names, types and units',
      'API keys, rate limits and usage counts',
      'Changes between two versions, and a webhook for each new one',
      'A daily test against every source',
    ],
    bestFor: 'Product teams that build on external data',
    price: { from: 2000 },
    covers: 'up to 3 sources behind one endpoint',
  },
  {
    id: 'enterprise',
    sample: 'pipeline',
    title: 'Enterprise data solutions',
    description: 'Many sources in many markets, one pipeline, and an agreement your procurement team can sign.',
    features: [
      'Dedicated workers for millions of pages a day',
      'Files in CSV, Excel, JSON or Parquet, and a Data API',
      'Service agreement with response times',
      'Data processing agreement and audit trail',
      'One engineer who knows your pipeline',
    ],
    bestFor: 'Companies with more than 20 sources, or with a compliance team',
    price: 'custom pricing',
    covers: `quoted after a free ${terms.callLength} call`,
  },
  {
    id: 'competitor-analysis',
    sample: 'changes',
    title: 'Competitor analysis automation',
    description: 'See your competitors’ changes of the week in one digest: products, prices, pages, posts and hires.',
    features: [
      'New and discontinued products',
      'Pages and prices, before and after',
      'Job posts, reviews and press by competitor',
      'A weekly digest, plus alerts for urgent changes',
      'A dashboard with full history',
    ],
    bestFor: 'Marketing and strategy teams with 3 or more competitors',
    price: { from: 1000, per: 'month' },
    covers: '3 competitors, one digest a week',
    popular: true,
  },
]

export const services = liveContent('services', defaults, (saved) =>
  defaults.map(({ id, sample }): Service => {
    const { price, per, popular, ...texts } = saved[id]
    return { id, sample, ...texts, price: price === undefined ? 'custom pricing' : fixedPrice(price, per), ...(popular && { popular }) }
  }),
)

/** The texts of every card. */
export const cardWords = { popular: 'Most Popular', quote: 'Get Quote' } as const

/** The text below the cards, for other requests. */
export const customService = {
  title: 'Not quite what you need?',
  text: `Name the pages and columns you want. On a free ${terms.callLength} call, we tell you if it can be done, by when and for how much.`,
  action: 'Schedule Free Consultation',
} as const

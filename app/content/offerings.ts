import { fixedPrice, type FixedPrice } from './price.ts'
import { liveContent } from './settings/live.ts'
import type { StoredSettings } from './settings/sections.server.ts'
import { terms } from './terms.ts'

/** One offering of the services page. */
export type Offering = {
  readonly id: string
  /** The sample of a delivery beside it (samples.ts). */
  readonly sample: 'row' | 'answer' | 'alerts' | 'match'
  readonly title: string
  /** Its name in the footer and the offer lines. */
  readonly line: string
  readonly promise: string
  readonly description: string
  readonly features: readonly string[]
  readonly bestFor: string
  readonly price: FixedPrice
  /** The work that the price covers. */
  readonly covers: string
  /** The delivery time, and the work that it is for. */
  readonly time: string
  readonly action: string
}

type Offerings = Readonly<Record<keyof StoredSettings['offerings'], Offering>>

const defaults: Offerings = {
  scraping: {
    id: 'custom-scraping',
    sample: 'row',
    title: 'Custom scraping solutions',
    line: 'Custom web scraping',
    promise: 'You name the pages. You get the rows.',
    description:
      'You name the sites and the columns. We write the scraper, run it, check the results and deliver the file. After the final payment the code is yours, too.',
    features: [
      'Sites with search forms, infinite scroll or JavaScript',
      'Your columns, with your names, in your order',
      'CSV, Excel, JSON or Parquet',
      'Every row checked against rules we agree on first',
      'One run, or repeat runs on dates you choose',
      `Corrections free of charge for ${terms.correction}`,
    ],
    bestFor: 'A one-time dataset, a first project, or a source that no provider covers',
    price: { from: 500 },
    covers: 'one site, one run, up to 10,000 rows',
    time: '24-48 hours for simple projects',
    action: 'Ask for a scraping quote',
  },
  apis: {
    id: 'real-time-apis',
    sample: 'answer',
    title: 'Real-time data APIs',
    line: 'Real-time data APIs',
    promise: 'Query a website like a database.',
    description:
      'Your software calls our endpoint, which reads the source and returns JSON in your schema. When the source changes its layout, we update the scraper. Your code doesn’t change.',
    features: [
      'REST endpoint with an OpenAPI spec',
      'Live on request, or cached for as long as you set',
      'Responses validated against the schema',
      'API keys, usage counts and limits for each key',
      'An email from us when a source is down',
      'A webhook for each new version, and an endpoint for what changed',
    ],
    bestFor: 'Apps, pricing engines and models that need live values',
    price: { from: 1200 },
    covers: 'one source behind one endpoint',
    time: '1-2 weeks',
    action: 'Ask for an API quote',
  },
  intelligence: {
    id: 'market-intelligence',
    sample: 'alerts',
    title: 'Market intelligence and monitoring',
    line: 'Market intelligence and monitoring',
    promise: 'Hear about changes before they cost you.',
    description:
      'We watch the pages that matter to your market. You hear about each change: a price, a product, a rating, a job post. Days without changes send no alerts.',
    features: [
      'Prices, stock, ratings, pages and job posts',
      'Updated daily or hourly',
      'Alerts that name what changed',
      'Your own rules, such as drops above 5% or certain brands',
      'Alerts by email',
      'Full history to chart or export',
    ],
    bestFor: 'Pricing, purchasing and marketing teams in a market that moves every week',
    price: { from: 800, per: 'month' },
    covers: '5 sources, read daily, with alerts',
    time: 'setup in 3-5 business days',
    action: 'Ask for a monitoring quote',
  },
  analysis: {
    id: 'data-analysis',
    sample: 'match',
    title: 'Data processing and analysis',
    line: 'Data processing and analysis',
    promise: 'From a folder of exports to one consistent table.',
    description:
      'Your data or ours: cleaned, matched, joined and counted, then shown on a dashboard that answers your question. Every step is documented and repeatable.',
    features: [
      'Dates, currencies and units in one format',
      'Duplicates found, even when spelled differently',
      'Joins across sources without a common key',
      'Text sorted by topic, language and tone',
      'Dashboards in Metabase, Looker Studio or Power BI',
      'A report of every change, with the reason',
    ],
    bestFor: 'Teams with data they can’t use yet',
    price: { from: 600 },
    covers: 'one dataset of up to 100,000 rows, with one dashboard',
    time: '1 week for standard dashboards',
    action: 'Ask for an analysis quote',
  },
}

/** The building blocks of every project. The prices belong to this page; the home page's catalog has its own (services.ts). */
export const offerings = liveContent('offerings', defaults, (saved): Offerings => {
  const merged = (name: keyof Offerings): Offering => {
    const { price, per, ...texts } = saved[name]
    return { id: defaults[name].id, sample: defaults[name].sample, ...texts, price: fixedPrice(price, per) }
  }
  return {
    scraping: merged('scraping'),
    apis: merged('apis'),
    intelligence: merged('intelligence'),
    analysis: merged('analysis'),
  }
})

/** The label before the parts of an offer. */
export const offerWords = {
  bestFor: 'Best for',
  price: 'Price',
  covers: 'What it covers',
  time: 'Delivery',
  next: 'Next step',
} as const

export const servicesText = {
  eyebrow: 'Services and prices',
  title: 'Four services, each with a price and a delivery time',
  introduction: 'Start with one. Every price says what it includes. Exact quotes are free.',
  contact: 'Get your free quote',
  closing: {
    title: 'Not sure which one you need?',
    get text() {
      return `Describe the decision you want to make. Within ${terms.response}, we recommend the simplest way to get the data, or ask a question.`
    },
    contact: 'Get a recommendation',
    stories: 'See how others used it',
    direct: 'Or reach us directly',
  },
} as const

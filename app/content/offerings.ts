import type { Price } from './price.ts'
import { terms } from './terms.ts'

/** One offering of the services page. */
export type Offering = {
  readonly id: string
  /** The sample of a delivery beside it (specimens.ts). */
  readonly specimen: 'row' | 'answer' | 'alerts' | 'match'
  readonly title: string
  /** Its name in the footer and the offer lines. */
  readonly line: string
  readonly promise: string
  readonly description: string
  readonly features: readonly string[]
  readonly bestFor: string
  readonly price: Price
  /** The work that the price covers. */
  readonly covers: string
  /** The delivery time, and the work that it is for. */
  readonly time: string
  readonly action: string
}

/** The building blocks of every project. The prices belong to this page; the home page's catalog has its own (services.ts). */
export const offerings = {
  scraping: {
    id: 'custom-scraping',
    specimen: 'row',
    title: 'Custom scraping solutions',
    line: 'Custom web scraping',
    promise: 'The pages you name, as the rows you asked for.',
    description:
      'You name the sites and the columns. We write the scraper, run it, check what it brought and hand over the file. After the final payment the code is yours as well.',
    features: [
      'Sites with search forms, endless scrolling or JavaScript',
      'Your columns, under your names, in your order',
      'CSV, Excel, JSON, Parquet, or straight into your database',
      'Every row tested against rules agreed beforehand',
      'One run, or repeats on dates you choose',
      `Corrections free of charge for ${terms.correction}`,
    ],
    bestFor: 'A dataset needed once, a first project, or a source nobody else covers',
    price: { from: 500 },
    covers: 'one site, one run, up to 10,000 rows',
    time: '24-48 hours for simple projects',
    action: 'Ask for a scraping quote',
  },
  apis: {
    id: 'real-time-apis',
    specimen: 'answer',
    title: 'Real-time data APIs',
    line: 'Real-time data APIs',
    promise: 'A website that answers like a database.',
    description:
      'Your software asks, our endpoint reads the source and answers with JSON in your schema. When the source changes its layout, we change the reader. Your code stays as it is.',
    features: [
      'REST endpoint with an OpenAPI description',
      'Fresh on request, or from a cache whose age you set',
      'Answers checked against the schema before they leave',
      'API keys, usage counts and limits for each key',
      'A status page and an alert when a source is down',
      'Webhooks for what changed since the last call',
    ],
    bestFor: 'Applications, price engines and models that need a value from now, not from last night',
    price: { from: 1200 },
    covers: 'one source behind one endpoint',
    time: '1-2 weeks',
    action: 'Ask for an API quote',
  },
  intelligence: {
    id: 'market-intelligence',
    specimen: 'alerts',
    title: 'Market intelligence and monitoring',
    line: 'Market intelligence and monitoring',
    promise: 'You hear of the change before it costs you.',
    description:
      'We watch the pages that matter to your market and tell you what moved: a price, a product, a rating, a job post. Quiet days send nothing.',
    features: [
      'Prices, stock, ratings, pages and job posts',
      'Read daily or hourly, as agreed',
      'Alerts with the value before and the value after',
      'Your own rules: only drops above 5%, only these brands',
      'Email, Slack, Teams or webhook',
      'The whole history, to chart or to export',
    ],
    bestFor: 'Pricing, purchasing and marketing teams in a market that moves every week',
    price: { from: 800, per: 'month' },
    covers: '5 sources, read daily, with alerts',
    time: 'setup in 3-5 business days',
    action: 'Ask for a monitoring quote',
  },
  analysis: {
    id: 'data-analysis',
    specimen: 'match',
    title: 'Data processing and analysis',
    line: 'Data processing and analysis',
    promise: 'From a folder of exports to one table that agrees with itself.',
    description:
      'Your data or ours: cleaned, matched, joined and counted, then shown on a dashboard that answers the question you came with. Every step is written down and can be run again.',
    features: [
      'Dates, currencies and units brought to one form',
      'Duplicates found, even when they are spelled differently',
      'Joins across sources without a common key',
      'Text sorted by topic, language and tone',
      'Dashboards in Metabase, Looker Studio or Power BI',
      'A report of what was changed, and why',
    ],
    bestFor: 'Teams that have the data already and cannot use it yet',
    price: { from: 600 },
    covers: 'one dataset of up to 100,000 rows, with one dashboard',
    time: '1 week for standard dashboards',
    action: 'Ask for an analysis quote',
  },
} as const satisfies Record<string, Offering>

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
  introduction: 'Start with one. Beside each price stands what it covers, and a proposal with your exact figure is free.',
  contact: 'Get your free quote',
  closing: {
    title: 'Not sure which of the four it is?',
    text: `Describe the decision you want to make. We answer within ${terms.response}, with the simplest way to the data it needs or with a question.`,
    contact: 'Describe the decision',
    stories: 'See how others used it',
    direct: 'Or reach us directly',
  },
} as const

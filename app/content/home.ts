import { measuredSystems } from './case-studies.ts'
import { demonstration } from './demonstration.ts'
import { identity } from './identity.ts'
import { currentSettings } from './settings/live.ts'
import { terms } from './terms.ts'

/** The home page, section by section. Services, case studies, questions and claims have their own files. */

export const hero = {
  badge: 'Live Data Extraction',
  title: 'Transform Web Data Into Your Competitive Advantage',
  text: 'Prices, products, leads and listings from any public site. Read on schedule, checked row by row, delivered as a clean table.',
  quote: 'Get Your Free Data Extraction Quote',
  stories: 'View Case Studies',
} as const

export const painPoints = {
  title: 'The data is public. Getting it is the hard part.',
  text: 'You have probably tried one of these already.',
  items: [
    {
      title: 'Someone copies it by hand',
      text: 'A careful person copies about 60 rows an hour. A list of 5,000 prices takes two weeks and is out of date by day two.',
    },
    {
      title: 'The script stopped in March',
      text: 'The site changed its layout and a column came back empty. You found out after a decision was based on it.',
    },
    {
      title: 'The export never matches your system',
      text: 'Prices as text, dates in three formats, one company spelled four ways. Cleaning takes longer than collecting did.',
    },
    {
      title: 'You hear about it last',
      text: 'A competitor lowers a price on Friday evening. You read it on Monday, in your own sales figures.',
    },
  ],
} as const

export const benefits = {
  title: 'From chasing data to using it',
  items: [
    {
      before: 'A spreadsheet, once a quarter',
      after: 'A table that’s current every morning',
      text: 'Updated on your schedule: every night or every Monday, for example.',
    },
    {
      before: 'Numbers nobody can verify',
      after: 'Numbers with a source for each one',
      text: `Each row includes its source URL and the time it was read. We commit to ${terms.accuracy} accuracy.`,
    },
    {
      before: 'A script that only one person understands',
      after: 'A pipeline with tests and an owner',
      text: 'When a site changes, we know before you do. You have the last good data until the fix is live.',
    },
    {
      before: 'Analysts who copy and paste',
      after: 'Analysts who analyze',
      text: 'Your team spends its hours on the questions you hired them to answer.',
    },
  ],
} as const

export const datasetSection = {
  badges: { file: 'File Download', api: 'API Access' },
  title: 'Look inside before you buy',
  text: 'Each dataset has a page with its columns, their ranges and its first rows. Filter it, query it, then download it.',
  all: 'Browse datasets',
  search: 'is',
} as const

export const servicesSection = {
  title: 'Choose the result. We build the rest.',
  text: 'Each card shows a starting price and what it includes. Enterprise work is quoted after a call.',
} as const

const { prices, product } = demonstration

export const chartSection = {
  title: `${prices.changes} price changes in ${prices.dates.length} days. How many did you see?`,
  text: `${product} in ${prices.lines.length} shops. The bold line is the lowest price of each day.`,
  source: `Synthetic data of ${prices.period}: ${prices.about.name}, free to download.`,
  all: 'Watch your market',
} as const

export const caseStudiesSection = {
  title: 'Results for our clients',
  get text() {
    return `${measuredSystems(' in daily use')}.`
  },
  all: 'View Case Studies',
  whole: 'Read Full Case Study',
} as const

export const technologySection = {
  title: 'How a page becomes a row',
  text: 'Six steps, each with its own tests. If one fails, no bad data is delivered.',
} as const

/** The steps in the order in which data passes through them. */
export const technologies = [
  {
    title: 'Reach',
    description: 'Plain HTTP requests where they work, a real browser where they don’t.',
    tools: 'HTTP/2 · Playwright · Crawlee',
  },
  {
    title: 'Pace',
    description: 'A rate limit for each site, caching, and pauses when the site is busy.',
    tools: 'queues · robots.txt · back-off',
  },
  {
    title: 'Extract',
    description: 'Structured data first, selectors second, language models for free text.',
    tools: 'JSON-LD · CSS · XPath · LLM',
  },
  {
    title: 'Normalize',
    description: 'Currencies, dates, units and names in one format. Duplicates merged.',
    tools: 'ISO 4217 · ISO 8601 · Polars',
  },
  {
    title: 'Verify',
    description: 'Rules for each column, counts compared with yesterday, samples compared with the source.',
    tools: 'schemas · drift alarms · samples',
  },
  {
    title: 'Deliver',
    description: 'A file or an endpoint, in the format that your team already uses.',
    tools: 'REST · webhooks · SQL',
  },
] as const

/** The icons that the components have. */
export type FeatureIcon = 'check' | 'clock' | 'table' | 'scale'

export const features = [
  {
    icon: 'check',
    title: 'Checked row by row',
    description: 'Required fields, ranges, formats, duplicates. Rows that fail are repaired or listed, never hidden.',
  },
  {
    icon: 'clock',
    title: 'On your schedule',
    description: 'Once, nightly, hourly or on request. Delivery times are agreed in writing and measured.',
  },
  {
    icon: 'table',
    title: 'In your format',
    description: 'Your column names, your types, your units. As CSV, Excel, JSON or Parquet, or from an API.',
  },
  {
    icon: 'scale',
    title: 'Within the rules',
    description: 'Public pages, lawful purposes, terms read first. Personal data only where the law allows it.',
  },
] as const satisfies readonly { icon: FeatureIcon; title: string; description: string }[]

export const aboutSection = {
  title: 'One engineer is responsible for every row',
  text: 'No account managers, no handover to a team you never meet. The person on the call writes the code.',
  more: 'More about us',
  expertise: [
    `Scraping difficult sites since ${identity.since}: JavaScript, maps, PDFs, undocumented APIs`,
    'Pipelines that run unattended and report their own errors',
    'Data law in practice: GDPR, CCPA, terms of service, copyright',
    'Delivery to CRMs, online shops, data warehouses and spreadsheets',
  ],
} as const

export const questionsSection = {
  title: 'Frequently asked questions',
  get text() {
    return `Don’t see yours? Ask us. A person answers within ${terms.response}.`
  },
} as const

/** In their own words, with the name or the position that they agreed to. */
export type Testimonial = { readonly quote: string; readonly name: string; readonly company: string }

/** Examples of a good quote. A public site never shows them: Settings ask for the words of your own clients. */
export const exampleTestimonials: readonly Testimonial[] = [
  {
    quote: 'The file is there at six, every morning. We stopped checking it in the second month.',
    name: 'Head of pricing',
    company: 'online retailer for bicycle parts',
  },
  {
    quote: 'We asked for leads. We got the reason to call each of them, and that made the difference.',
    name: 'Managing director',
    company: 'agency of 12 people',
  },
  {
    quote: 'When a source broke, they emailed us before we noticed. It was fixed by lunch.',
    name: 'Product lead',
    company: 'software company',
  },
]

/** The testimonials of a page. Until the owner has replaced or confirmed the examples, only an installation on this machine shows them. */
export function shownTestimonials(isThisMachine: boolean): readonly Testimonial[] {
  return currentSettings().testimonials?.items ?? (isThisMachine ? exampleTestimonials : [])
}

export const contactSection = {
  title: 'Get your free consultation',
  get text() {
    return `Tell us what you need. A person confirms within ${terms.acknowledgement}. Within ${terms.response}, you get ${terms.answer}.`
  },
  testimonials: 'What clients say',
  email: 'Prefer email? Write to',
  messaging: 'Or send a message on',
  calendar: 'Calendar for the free strategy call',
  call: `Or book a free ${terms.callLength} strategy call.`,
} as const

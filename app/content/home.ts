import { identity } from './identity.ts'
import { terms } from './terms.ts'

/** The home page, section by section. Services, case studies, questions and claims have their own files. */

export const hero = {
  badge: 'Live Data Extraction',
  title: 'Transform Web Data Into Your Competitive Advantage',
  text: 'Prices, products, leads and listings from any public site, read on schedule, checked row by row, delivered as a table you can use.',
  quote: 'Get Your Free Data Extraction Quote',
  stories: 'View Case Studies',
} as const

export const painPoints = {
  title: 'The data is public. Getting it is the hard part.',
  text: 'You have probably tried one of these already.',
  items: [
    {
      title: 'Someone copies it by hand',
      text: 'A careful person copies about 60 rows an hour. A list of 5,000 prices takes two weeks, and is wrong by the second day.',
    },
    {
      title: 'The script stopped in March',
      text: 'The site changed its layout and a column came back empty. Nobody noticed until a decision had been made on it.',
    },
    {
      title: 'The export does not fit',
      text: 'Prices as text, dates in three formats, one company spelled four ways. Cleaning takes longer than collecting did.',
    },
    {
      title: 'You hear about it last',
      text: 'A competitor lowers a price on Friday evening. You read it on Monday, in your own sales figures.',
    },
  ],
} as const

export const benefits = {
  title: 'What changes when the data comes to you',
  items: [
    {
      before: 'A spreadsheet, once a quarter',
      after: 'A table that is current every morning',
      text: 'Read on your schedule: every fifteen minutes, every night or every Monday.',
    },
    {
      before: 'Figures that someone has to believe',
      after: 'Figures with their source beside them',
      text: `Each row keeps its address and the time it was read. ${terms.accuracy} accuracy, measured with every delivery.`,
    },
    {
      before: 'A script that only one person understands',
      after: 'A pipeline with tests and an owner',
      text: 'When a site changes, we know before you do. The last good data stays until the repair is done.',
    },
    {
      before: 'Analysts who collect',
      after: 'Analysts who analyze',
      text: 'The hours that went into copying go into the question you hired them for.',
    },
  ],
} as const

export const servicesSection = {
  title: 'Choose the result. We build the rest.',
  text: 'Each card names a starting price and what it covers. Enterprise work is quoted after a call.',
} as const

export const caseStudiesSection = {
  title: 'What it did for others',
  text: 'Four systems in daily use, and the figures they are measured by.',
  all: 'View Case Studies',
  whole: 'Read Full Case Study',
} as const

export const technologySection = {
  title: 'How a page becomes a row',
  text: 'Six steps, each with a test of its own. If one fails, no wrong data is delivered.',
} as const

/** The steps in the order in which data passes through them. */
export const technologies = [
  {
    title: 'Reach',
    description: 'A plain request where it is enough, a real browser where it is not.',
    tools: 'HTTP/2 · Playwright · Crawlee',
  },
  {
    title: 'Pace',
    description: 'A rate set for each site, caching, pauses when it is busy. No source feels the load.',
    tools: 'queues · robots.txt · back-off',
  },
  {
    title: 'Extract',
    description: 'Structured data first, selectors second, language models for what has no structure.',
    tools: 'JSON-LD · CSS · XPath · LLM',
  },
  {
    title: 'Normalize',
    description: 'Currencies, dates, units and names brought to one form. Duplicates merged.',
    tools: 'ISO 4217 · ISO 8601 · Polars',
  },
  {
    title: 'Verify',
    description: 'Rules for each column, counts against yesterday, samples against the source.',
    tools: 'schemas · drift alarms · samples',
  },
  {
    title: 'Deliver',
    description: 'A file, a table, an endpoint or a message, where your team already works.',
    tools: 'REST · webhooks · S3 · SQL',
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
    description: 'Your column names, your types, your system. You load a sample before the first full delivery.',
  },
  {
    icon: 'scale',
    title: 'Within the rules',
    description: 'Public pages, lawful purposes, terms read first. Personal data only where the law allows it.',
  },
] as const satisfies readonly { icon: FeatureIcon; title: string; description: string }[]

export const aboutSection = {
  title: 'One engineer answers for every row',
  text: 'No account managers, no handover to a team you never meet. The person on the call writes the code.',
  more: 'More about us',
  expertise: [
    `Reading difficult sites since ${identity.since}: JavaScript, maps, PDF, undocumented APIs`,
    'Pipelines that run unattended and report their own faults',
    'Data law in practice: GDPR, CCPA, terms of service, copyright',
    'Delivery into CRM, shop, warehouse and spreadsheet',
  ],
} as const

export const questionsSection = {
  title: 'Questions we hear first',
  text: `If yours is not here, ask it. A person answers within ${terms.response}.`,
} as const

/** Examples of a good quote. Replace them with your clients' own words, and then set `example` to false. */
export const testimonials = [
  {
    quote: 'The file is there at six, every morning. We stopped checking it in the second month.',
    name: 'Head of pricing',
    company: 'online retailer for bicycle parts',
    example: true,
  },
  {
    quote: 'We asked for leads. We got the reason to call each of them, and that made the difference.',
    name: 'Managing director',
    company: 'agency of 12 people',
    example: true,
  },
  {
    quote: 'When a source broke, they wrote to us before we saw it. It was repaired by lunch.',
    name: 'Product lead',
    company: 'software company',
    example: true,
  },
] as const

export const contactSection = {
  title: 'Get your free consultation',
  text: `Tell us what you need. A person confirms within ${terms.acknowledgement}. Within ${terms.response} you have ${terms.answer}.`,
  testimonials: 'What clients say',
  email: 'Prefer email? Write to',
  messaging: 'Or send a message on',
  calendar: 'Calendar for the free strategy call',
  call: `Or book a free strategy call of ${terms.call}.`,
} as const

import { localPages } from './case-study-local-pages.ts'
import { realEstateLeads } from './case-study-real-estate.ts'
import { socialMedia } from './case-study-social-media.ts'
import { claims } from './claims.ts'
import { identity } from './identity.ts'

/** The person behind the business. An example: put your own name, texts and years here. */
export const founder = {
  name: 'Robin Hale',
  role: 'Founder and data engineer',
  since: identity.since,
  place: 'Works remotely, UTC−5 to UTC+1',
  quote: 'I am paid for the rows that are right, not for the pages that were read.',
  bio: [
    `Robin has collected data from the web for a living since ${identity.since}: first alone, for shops that wanted to know their competitors’ prices, today for companies that build products on it.`,
    'Every project is planned by the person who writes the code. You talk to the engineer, from the first call to the delivery report.',
  ],
} as const

export const aboutText = {
  eyebrow: 'About',
  title: 'The web is full of answers. Few of them come as a table.',
  introduction: 'We separate what you need from what surrounds it, check it, and hand it over in the form you work with.',
  achievements: 'What we are proud of',
  career: 'How it grew',
  skills: 'What we work with',
  closing: {
    title: 'See the work, or bring your own question',
    text: 'The case studies show how projects run. A message shows how yours would.',
    contact: 'Ask your question',
    stories: 'Read the case studies',
  },
} as const

export const mission = {
  title: 'Our mission',
  text: 'Public data should be usable by every business that needs it, not only by those with a data team of their own.',
} as const

export const values = [
  { title: 'Rows before promises', text: 'You see a sample of your own data early, while the columns can still change.' },
  {
    title: 'A guest on every site',
    text: 'We read no faster than a site can bear, and only what is public or yours. We say no to the rest.',
  },
  { title: 'We report our own faults', text: 'If a source breaks, you hear it from us first, and when it will be back.' },
  {
    title: 'No lock-in',
    text: 'Open formats and documented code. After the final payment, what we wrote for you belongs to you.',
  },
] as const

const [revenue, users] = socialMedia.results

export const achievements = [
  {
    title: `${localPages.results[0].value} pages in ${localPages.timeline.total}`,
    text: 'Local pages for a franchise in 25 towns, each built from the data of its own town.',
  },
  {
    title: `${realEstateLeads.results[0].value} from listing to agent`,
    text: 'A lead system that reads eleven property sources every two minutes.',
  },
  {
    title: `${revenue.value} a month, from nothing`,
    text: `The data side of a product that had ${users.value} ${users.metric} after ${socialMedia.timeline.total}.`,
  },
  {
    title: 'Five years without a missed morning',
    text: 'A price file for a parts dealer, delivered before 6 a.m. on every working day since 2020.',
  },
] as const

export const career = [
  { year: identity.since, title: 'The first paid scraper', text: 'Prices of 12 bicycle shops, every night, for a thirteenth.' },
  {
    year: '2020',
    title: 'From files to feeds',
    text: 'Shops move online in a hurry. The first pipelines that deliver every day, with a check on each row.',
  },
  {
    year: '2021',
    title: 'The hundredth project',
    text: 'Lead lists and market studies join price monitoring. Checks become a written agreement with each client.',
  },
  { year: '2022', title: 'APIs', text: 'The first endpoints that answer in a client’s own schema, with a status page.' },
  {
    year: '2023',
    title: 'Models join the tools',
    text: 'Language models sort text and read layouts that rules cannot. Every answer is still tested against the source.',
  },
  {
    year: '2024',
    title: 'Systems, not only data',
    text: 'Lead systems, outreach and local pages: the data, and the software that acts on it.',
  },
  { year: '2025', title: `${claims.projects.value} projects`, text: 'The first client is still with us.' },
] as const

export const skills = [
  { category: 'Reading', items: ['Playwright', 'Scrapy', 'Crawlee', 'HTTP/2 and TLS', 'GraphQL and private JSON', 'PDF and OCR'] },
  { category: 'Storing', items: ['PostgreSQL', 'DuckDB', 'Parquet', 'Redis', 'S3', 'BigQuery and Snowflake'] },
  { category: 'Running', items: ['Python', 'TypeScript', 'Docker', 'Airflow', 'GitHub Actions', 'AWS and Hetzner'] },
  {
    category: 'Checking',
    items: ['Schema contracts', 'Great Expectations', 'Sampling against the source', 'Drift alarms', 'Audit trails'],
  },
  { category: 'Understanding', items: ['pandas and Polars', 'Record matching', 'Embeddings', 'Topic and tone', 'Forecasts'] },
  { category: 'Delivering', items: ['REST and OpenAPI', 'Webhooks', 'Salesforce and HubSpot', 'Metabase', 'Power BI'] },
] as const

import { localPages } from './case-study-local-pages.ts'
import { realEstateLeads } from './case-study-real-estate.ts'
import { socialMedia } from './case-study-social-media.ts'
import type { CaseStudy } from './case-study.ts'
import { shownCaseStudies } from './case-studies.ts'
import { claimText, shownClaims } from './claims.ts'
import { identity } from './identity.ts'
import { liveContent } from './settings/live.ts'

export type FounderText = {
  readonly name: string
  readonly role: string
  readonly since: string
  readonly place: string
  readonly quote: string
  readonly bio: readonly string[]
  /** The file of a portrait. Without one, only the name and the profile are shown. */
  readonly picture?: string | undefined
}

/** The person behind the business. An example: put your own name, texts and years here, or under Settings. */
const exampleFounder: FounderText = {
  name: 'Robin Hale',
  role: 'Founder and data engineer',
  since: identity.since,
  place: 'Works remotely, UTC−5 to UTC+1',
  quote: 'I’m paid for the rows that are right, not for the pages I read.',
  bio: [
    `Robin has collected web data for a living since ${identity.since}. The first clients were shops that wanted to know their competitors’ prices. Today’s clients build products on the data.`,
    'The engineer who writes the code also plans every project. You talk to the engineer, from the first call to the last row.',
  ],
}

export const founder = liveContent('founder', exampleFounder, (saved) => ({ since: identity.since, ...saved }))

export const aboutText = {
  eyebrow: 'About',
  title: 'The web is full of answers. Few of them come as a table.',
  introduction: 'We extract the data you need, check it, and deliver it in the format you work with.',
  achievements: 'Highlights',
  career: 'Our story',
  skills: 'Our tools',
  closing: {
    title: 'See our work, or ask your own question',
    text: 'The case studies show how projects run. Send us a message to plan yours.',
    contact: 'Ask your question',
    stories: 'Read the case studies',
  },
} as const

export const mission = {
  title: 'Our mission',
  text: 'Every business should be able to use public data, not only those with a data team.',
} as const

export const values = [
  { title: 'Rows before promises', text: 'You see a sample of your own data early, while the columns can still change.' },
  {
    title: 'A guest on every site',
    text: 'We read no faster than a site can handle. We read only data that is public or yours.',
  },
  { title: 'We report our own mistakes', text: 'If a source breaks, you hear it from us first, with the time it will be back.' },
  {
    title: 'No lock-in',
    text: 'Open formats and documented code. After the final payment, what we wrote for you belongs to you.',
  },
] as const

const [revenue, users] = socialMedia.results

const achievements = [
  {
    study: localPages,
    title: `${localPages.results[0].value} pages in ${localPages.timeline.total}`,
    text: 'Local pages for a franchise in 25 towns, each built from its own town’s data.',
  },
  {
    study: realEstateLeads,
    title: `${realEstateLeads.results[0].value} from listing to agent`,
    text: 'A lead system that reads eleven property sources every two minutes.',
  },
  {
    study: socialMedia,
    title: `${revenue.value} a month, from zero`,
    text: `The data side of a product that had ${users.value} ${users.metric} after ${socialMedia.timeline.total}.`,
  },
  {
    study: undefined,
    title: 'Five years without a missed morning',
    text: 'A price file for a parts dealer, delivered before 6 a.m. every working day since 2020.',
  },
] as const

/** Without those of a hidden case study. One whose words or figures the owner has changed is told in the owner's words. */
export function listAchievements() {
  const shown = shownCaseStudies()
  return achievements.flatMap(({ study, title, text }) => {
    if (!study) return { title, text }
    const story = shown.find(({ slug }) => slug === study.slug)
    if (!story) return []
    return tellsTheSame(story, study) ? { title, text } : { title: story.title, text: story.summary }
  })
}

function tellsTheSame(story: CaseStudy, delivered: CaseStudy): boolean {
  const told = ({ title, results, timeline }: CaseStudy) => JSON.stringify([title, results.map(({ value }) => value), timeline.total])
  return told(story) === told(delivered)
}

const career = [
  { year: identity.since, title: 'The first paid scraper', text: 'Nightly prices from 12 bike shops, for a 13th.' },
  {
    year: '2020',
    title: 'From files to feeds',
    text: 'Shops rush online. Our first pipelines deliver every day and check each row.',
  },
  {
    year: '2021',
    title: 'The hundredth project',
    text: 'We add lead lists and market studies. Each client agrees on the quality checks in writing.',
  },
  { year: '2022', title: 'APIs', text: 'The first endpoints with a client’s own schema.' },
  {
    year: '2023',
    title: 'Language models join the tools',
    text: 'They classify text and read layouts that rules can’t. We still check every result against the source.',
  },
  {
    year: '2024',
    title: 'Systems, not only data',
    text: 'Lead systems, outreach and local pages: the data, and the software that acts on it.',
  },
] as const

export function listCareer() {
  const [projects] = shownClaims(['projects'])
  const today = { year: '2025', title: projects ? claimText(projects) : 'Today', text: 'Our first client is still with us.' }
  return [...career, today]
}

export const skills = [
  { category: 'Reading', items: ['Playwright', 'Scrapy', 'Crawlee', 'HTTP/2 and TLS', 'GraphQL and private JSON', 'PDF and OCR'] },
  { category: 'Storing', items: ['PostgreSQL', 'DuckDB', 'Parquet', 'Redis', 'S3'] },
  { category: 'Running', items: ['Python', 'TypeScript', 'Docker', 'Airflow', 'GitHub Actions', 'AWS and Hetzner'] },
  {
    category: 'Checking',
    items: ['Schema contracts', 'Great Expectations', 'Sampling against the source', 'Drift alarms', 'Audit trails'],
  },
  { category: 'Understanding', items: ['pandas and Polars', 'Record matching', 'Embeddings', 'Topics and sentiment', 'Forecasts'] },
  { category: 'Delivering', items: ['REST and OpenAPI', 'Webhooks', 'Salesforce and HubSpot', 'Metabase', 'Power BI'] },
] as const

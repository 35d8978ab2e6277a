import { type PageMeta, pageMeta } from './page-meta.ts'
import { priceText } from './price.ts'
import type { MetaDescriptor } from 'react-router'
import { countedSystems, shownCaseStudies } from './case-studies.ts'
import { claimText, shownClaims } from './claims.ts'
import { offerings } from './offerings.ts'
import { terms } from './terms.ts'

/**
 * The search and social metadata of each public page. Titles and descriptions are unique. After a change of a page's text, set its day
 * `changed`; the legal texts have theirs in legal.ts.
 */
export const heads = {
  '/': {
    title: 'Web scraping and data extraction services',
    get description() {
      return `Competitor prices, leads and market data from the web, checked row by row and delivered to your systems. Free quote within ${terms.response}.`
    },
    changed: '2026-11-30',
  },
  '/services': {
    title: 'Services and prices',
    get description() {
      const { scraping, apis, intelligence, analysis } = offerings
      return (
        `Custom web scraping ${priceText(scraping.price)}, real-time data APIs ${priceText(apis.price)}, ` +
        `market monitoring ${priceText(intelligence.price)}, data analysis ${priceText(analysis.price)}. With delivery times.`
      )
    },
    changed: '2026-11-29',
  },
  '/case-studies': {
    title: 'Case studies',
    get description() {
      return `${countedSystems()} with problem, solution and figures: ${listed(shownCaseStudies().map(({ inShort }) => inShort))}.`
    },
    changed: '2026-11-29',
  },
  '/about': {
    title: 'About the engineer behind the data',
    get description() {
      const figures = shownClaims(['experience', 'projects', 'accuracy']).map(claimText)
      return `Meet the engineer behind your data${figures.length > 0 ? `: ${figures.join(', ')}` : ''}. Skills, mission, and the rules we work by.`
    },
    changed: '2026-11-29',
  },
  '/developers': {
    title: 'Data API for developers',
    description:
      'Read datasets over HTTP with one key: filtered rows, schemas, versions and changes. Every call in curl, TypeScript and Python.',
    changed: '2026-11-25',
  },
  '/developers/endpoints': {
    title: 'Data API endpoints',
    description: 'Each endpoint with its parameters, page size, code in three languages and a real response. Try it with your key.',
    changed: '2026-11-29',
  },
  '/developers/guide': {
    title: 'Data API guide: filters, paging, formats',
    description: 'How to filter and sort rows, read page by page, follow versions and changes, and choose between JSON, CSV and Parquet.',
    changed: '2026-11-25',
  },
  '/developers/errors': {
    title: 'Data API errors',
    description:
      'Every status and error code that the Data API returns, each with its cause and its remedy, as problem details (RFC 9457).',
    changed: '2026-11-29',
  },
  '/developers/changelog': {
    title: 'Data API changelog',
    description: 'The changes of the Data API by day: new endpoints, parameters and headers, and all else that a program can notice.',
    changed: '2026-11-25',
  },
  '/contact': {
    title: 'Contact',
    get description() {
      return `Tell us which data you need. A person confirms within ${terms.acknowledgement}. Within ${terms.response}, you get a proposal, or our questions first.`
    },
    changed: '2026-11-29',
  },
  '/get-started': {
    title: 'Get started',
    get description() {
      return `Three short steps: what you need, what it looks like, who you are. Within ${terms.response}, you get a proposal, or our questions first.`
    },
    changed: '2026-11-29',
  },
  '/hire-web-scraping-developer': {
    title: 'Hire a web scraping developer',
    get description() {
      return (
        `Hire a senior web scraping developer: scrapers ${priceText(offerings.scraping.price)}, data APIs ${priceText(offerings.apis.price)}, ` +
        `monitoring and repair. Free quote, answer within ${terms.response}.`
      )
    },
    keywords: [
      'hire web scraping developer',
      'web scraping expert',
      'data extraction developer',
      'freelance web scraper',
      'custom web scraping',
      'scraping API developer',
      'price monitoring',
    ],
    changed: '2026-11-29',
  },
  '/book': {
    title: `Book a free ${terms.callLength} call`,
    description: `Choose a time for a free ${terms.callLength} call in your own time zone. No account needed. You can change or cancel it until ${terms.callChange} before.`,
    changed: '2026-11-29',
  },
  '/booking-success': {
    title: 'Your call is confirmed',
    description: `Your free ${terms.callLength} strategy call is booked. See what happens next, what the call covers, and how to prepare.`,
    index: false,
  },
  '/blog': {
    title: 'Web Scraping Insights',
    description: 'Notes from practice: reading difficult sites, checking data, keeping scrapers alive, and staying within the law.',
  },
  '/datasets': {
    title: 'Datasets',
    description:
      'Ready-made datasets as files and as an API: prices, companies, jobs and reference data. See columns and first rows before you sign up.',
  },
  '/privacy-policy': {
    title: 'Privacy Policy',
    description:
      'The personal data we handle, the reasons, how long we store it, who receives it, and how to ask for its correction or deletion.',
  },
  '/terms-of-service': {
    title: 'Terms of Service',
    description: `The terms of our projects: proposals, ${terms.deposit} deposit, final payment on completion, data accuracy, rights, liability.`,
  },
  '/cookie-policy': {
    title: 'Cookie Policy',
    description: 'The three cookies this site uses, what each is for, how long it stays, and how to do without them. No tracking.',
  },
} as const satisfies Record<`/${string}`, PageMeta>

export type PagePath = keyof typeof heads

export function isPagePath(path: string): path is PagePath {
  return Object.hasOwn(heads, path)
}

/** For a page's `meta`. */
export function headOf(path: PagePath): MetaDescriptor[] {
  return pageMeta(heads[path])
}

/** `one, two, and three`. */
function listed(parts: readonly string[]): string {
  return new Intl.ListFormat('en').format(parts)
}

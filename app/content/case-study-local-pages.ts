import type { CaseStudy } from './case-study.ts'

const pages = '500'

export const localPages = {
  slug: '500-automated-local-web-pages',
  category: '500 automated local web pages',
  inShort: `${pages} local web pages`,
  title: `${pages} local pages, each with its own facts`,
  summary:
    'A franchise needed a page for each of 20 services in each of 25 towns. Writing them by hand would have taken a year. Building them from data took three weeks.',
  industry: 'Home services',
  client: 'A franchise for heating, plumbing and electrical work in 25 towns',
  text: `### Challenge

People search for a plumber in their own town. The franchise had service pages but no town pages, so it lost these searches to smaller firms.

An agency had offered 500 copies of one text with only the town name swapped. Search engines drop such pages, and readers notice them, too.

### Solution

Each page uses its own town’s data: house age, water hardness, permits, crew response times, actual prices and local reviews.

The system holds back a page with too few facts of its own, or too much overlap. A list shows the reason until the missing data arrives.

### Implementation

- Public data for 25 towns: building age, water hardness, permits, climate
- The franchise’s own jobs, prices and reviews, matched to towns
- One template for each of 20 services, with sections that appear only where there is data
- Two quality checks before publication: enough unique facts, little overlap with other pages
- Structured data, sitemap and internal links built with the pages
- Rebuilt every month from fresh data`,
  technologies: ['Python', 'Scrapy', 'DuckDB', 'PostGIS', 'Astro', 'GitHub Actions'],
  timeline: {
    total: '3 weeks',
    phases: [
      { when: 'Week 1', what: 'Sources, data model, the first town' },
      { when: 'Week 2', what: '20 templates and both quality checks' },
      { when: 'Week 3', what: 'Build, missing data, publication in four batches' },
    ],
  },
  results: [
    { value: pages, metric: 'pages published', description: '20 services in 25 towns, online after three weeks.' },
    {
      value: '462',
      metric: 'right at the first build',
      description: 'The other 38 needed more data and followed in the same week.',
    },
    {
      value: '1 day',
      metric: 'to add a town',
      description: 'We read its data overnight. Its 20 pages are ready for review the next morning.',
    },
  ],
  chart: {
    kind: 'grid',
    title: '20 services in 25 towns',
    caption: `Each of the ${pages} marks is a page. 462 passed both checks at the first build, 38 after their missing data arrived.`,
    rows: { label: 'services', count: 20 },
    columns: { label: 'towns', count: 25 },
    firstTime: 462,
    states: ['at the first build', 'once their data was complete'],
  },
} as const satisfies CaseStudy

import type { CaseStudy } from './case-study.ts'

const pages = '500'

export const localPages = {
  slug: '500-automated-local-web-pages',
  category: `${pages} automated local web pages`,
  title: `${pages} local pages, each with something of its own to say`,
  summary:
    'A franchise needed a page for each of 20 services in each of 25 towns. Written by hand it was a year of work. Built from data it took three weeks.',
  industry: 'Home services',
  client: 'A franchise for heating, plumbing and electrical work in 25 towns',
  challenge: [
    'People search for a plumber in their own town. The franchise had one page for each service and none for each town, and lost these searches to smaller firms.',
    'An agency had offered 500 copies of one text with the name of the town exchanged. Search engines drop such pages, and readers notice them too.',
  ],
  solution: [
    'Each page is built from the data of its own town: age of the houses, hardness of the water, permits, response times of the nearest crew, prices actually charged, and reviews from customers there.',
    'A page that has too little of its own, or too much in common with another, is not published. It waits in a list with the reason until the missing data arrives.',
  ],
  implementation: [
    'Public data of 25 towns: building age, water hardness, permits, climate',
    'The franchise’s own jobs, prices and reviews, matched to towns',
    'One template for each of 20 services, with parts that appear only where there is data',
    'Two gates before publication: enough facts of its own, little in common with the others',
    'Structured data, sitemap and internal links built with the pages',
    'Rebuilt on the first of each month from fresh data',
  ],
  technologies: ['Python', 'Scrapy', 'DuckDB', 'PostGIS', 'Astro', 'GitHub Actions'],
  timeline: {
    total: '3 weeks',
    phases: [
      { when: 'Week 1', what: 'Sources, data model, the first town' },
      { when: 'Week 2', what: '20 templates and the two gates' },
      { when: 'Week 3', what: 'Build, missing data, publication in four batches' },
    ],
  },
  results: [
    { value: pages, metric: 'pages published', description: '20 services in 25 towns, online after three weeks.' },
    {
      value: '462',
      metric: 'right at the first build',
      description: 'The other 38 waited for missing data and followed in the same week.',
    },
    {
      value: '1 day',
      metric: 'to add a town',
      description: 'Its data is read overnight. The next morning its 20 pages are ready to be checked.',
    },
  ],
  chart: {
    kind: 'grid',
    title: '20 services in 25 towns',
    caption: `${pages} pages as ${pages} marks: 462 passed both gates at the first build, 38 when their missing data had arrived.`,
    rows: { label: 'services', count: 20 },
    columns: { label: 'towns', count: 25 },
    firstTime: 462,
    states: ['at the first build', 'when their data was complete'],
  },
} as const satisfies CaseStudy

import filesOrAnApi from '#app/content/posts/files-or-an-api.md?raw'
import isWebScrapingLegal from '#app/content/posts/is-web-scraping-legal.md?raw'
import monitoringCompetitorPrices from '#app/content/posts/monitoring-competitor-prices.md?raw'

/** The posts of a fresh installation. From then on they are posts like any other: edited and deleted in the blog itself. */
export const firstPosts = [
  {
    slug: 'is-web-scraping-legal',
    title: 'Is web scraping legal? Five questions instead of one',
    excerpt:
      'Whether a project is all right depends on what is read, how it is reached, what it says about people, what was agreed, and what it does to the site. A map of the rules, as of November 2026.',
    metaTitle: 'Is web scraping legal? Five questions that decide it',
    metaDescription:
      'Access, copyright, personal data, contracts and load: what courts and laws say about each, with a checklist to go through before the first request.',
    tags: ['law', 'personal data', 'robots.txt'],
    publishedAt: '2026-11-03T08:00:00Z',
    content: isWebScrapingLegal,
  },
  {
    slug: 'monitoring-competitor-prices',
    title: 'Monitoring competitor prices: from a number to a row you can trust',
    excerpt:
      'Reading a price takes an afternoon. Matching products, knowing that a row is right and looking often enough take the rest. The parts of a price, and five checks that find nearly every mistake.',
    metaTitle: 'How to monitor competitor prices reliably',
    metaDescription:
      'Which fields a comparable price needs, how products are matched, how often to look, and five checks that catch wrong rows before anyone acts on them.',
    tags: ['prices', 'data quality', 'e-commerce'],
    publishedAt: '2026-11-10T08:00:00Z',
    content: monitoringCompetitorPrices,
  },
  {
    slug: 'files-or-an-api',
    title: 'Files or an API? How to receive data that others collect',
    excerpt:
      'Neither is more modern: they move the work to different places. Four questions that decide it, the formats that hold up, and what to ask for before you sign.',
    metaTitle: 'Files or an API: how to receive web data',
    metaDescription:
      'CSV, JSON Lines and Parquet against an API: how old a row may be, how many you use, who notices errors, and what happens on a bad day.',
    tags: ['delivery', 'APIs', 'data quality'],
    publishedAt: '2026-11-17T08:00:00Z',
    content: filesOrAnApi,
  },
] as const

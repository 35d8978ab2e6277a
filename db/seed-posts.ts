type SeedPost = {
  slug: string
  title: string
  tags: string[]
  /** Days since publication; a negative number schedules the post. A draft has none. */
  age?: number
  content: string
}

/** Enough for a second page of the blog, with a scheduled post and a draft. */
export const posts: SeedPost[] = [
  {
    slug: 'how-often-to-look',
    title: 'How often should a page be read?',
    tags: ['delivery', 'prices'],
    age: 24,
    content:
      'As often as the answer changes what you do, and no more.\n\n| What is read | Usual rhythm |\n|---|---|\n| Prices in a shop | daily |\n| Stock before a sale | hourly |\n| Addresses of branches | monthly |\n\nBegin with a week at twice the rhythm that you have in mind. If every second reading says the same, halve it: the load on the site halves too.',
  },
  {
    slug: 'a-sample-before-a-contract',
    title: 'Ask for a sample before you sign',
    tags: ['delivery', 'data quality'],
    age: 31,
    content:
      'Twenty rows show more than twenty pages of offer. Ask for them from **your** list of pages, not from the easiest one.\n\n## What to look at\n\n- Is an empty field told apart from a missing one?\n- Does each row say when and from which address it was read?\n- Are numbers numbers, with one currency each?\n\nCheck five rows by hand against the site. One mistake in five is not bad luck.',
  },
  {
    slug: 'when-a-site-changes',
    title: 'What happens on the day a site changes',
    tags: ['maintenance', 'data quality'],
    age: 38,
    content:
      'Every page that is read will be rebuilt one day. The question is who notices first.\n\n1. Count the rows of each run and compare them with the last seven.\n2. Watch the share of empty fields, field by field.\n3. Keep the last good delivery, and say in the new one that it is old.\n\nA run that delivers nothing is noticed within a day. A run that delivers half is noticed by your customers.',
  },
  {
    slug: 'reading-robots-txt',
    title: 'How to read a robots.txt',
    tags: ['robots.txt', 'law'],
    age: 45,
    content:
      'The file says which programs are welcome where. Rules are grouped by the name of the program, and the longest path that fits wins.\n\n```text\nUser-agent: *\nDisallow: /cart\nAllow: /cart/help\n```\n\nHere `/cart/help` may be read and the rest of the cart may not. It does not say how fast: one request a second, at night, is a polite start.',
  },
  {
    slug: 'matching-products',
    title: 'Matching products between two shops',
    tags: ['e-commerce', 'data quality'],
    age: 52,
    content:
      'Start with the number on the barcode (GTIN): where both shops show it, nothing else is needed. Next comes the maker with its part number. Names come last.\n\nA match by name needs a second fact, such as size, colour or pack. Otherwise the pack of six is compared with the single piece, and the cheapest shop is the one with the smallest box.',
  },
  {
    slug: 'rows-that-explain-themselves',
    title: 'Rows that explain themselves',
    tags: ['data quality', 'delivery'],
    age: 59,
    content:
      'A year from now, a reader of the file will not remember today. Three columns help:\n\n- `read_at`, with the time zone\n- `source`, the address that was read\n- `version`, of the list of fields\n\nTogether they weigh a few bytes a row. Without them, a later jump in the data could come from the market or from the scraper.',
  },
  {
    slug: 'personal-data-by-accident',
    title: 'Personal data by accident',
    tags: ['personal data', 'law'],
    age: 66,
    content:
      'A list of shops names their owners. A review has a first name and a town. Nobody asked for either, and both are personal data.\n\nDecide field by field before the first run, and leave out what has no purpose. Data that was never stored needs no reason, no deadline and no answer to a request for erasure.',
  },
  {
    slug: 'dates-and-numbers',
    title: 'Dates, commas and other small disasters',
    tags: ['data quality'],
    age: 73,
    content:
      "`03/04/2026` is a day in March or one in April. `1.299` is a little more than one or a little less than 1,300.\n\nBoth are decided once for each site, written down, and checked: a price that is a thousandth of yesterday's is a comma. Deliver dates as `2026-04-03` and numbers with a point, whatever the page shows.",
  },
  {
    slug: 'polite-reading',
    title: 'Reading without being a burden',
    tags: ['robots.txt', 'maintenance'],
    age: 80,
    content:
      'A small shop may run on one machine. Its owner should not be able to tell that you were there.\n\n- Read lists before details: often the list has all that is needed.\n- Ask whether something has changed (`If-None-Match`) before taking it again.\n- On an answer of 429 or 503, wait as long as it says, then go on at half the speed.',
  },
  {
    slug: 'job-listings-as-a-signal',
    title: 'What job listings say about a market',
    tags: ['market research'],
    age: 87,
    content:
      'Companies write down what they plan: in the jobs that they offer. Counted by town, skill and month, listings show a new branch half a year before it opens.\n\nTake the day on which a listing first appeared and the day on which it went. One that stands for 200 days is no sign of growth; it is a job that nobody wants.',
  },
  {
    slug: 'change-alerts',
    title: 'Alerts that people still read after a month',
    tags: ['delivery', 'prices'],
    age: 94,
    content:
      'The first alert is opened by everyone, the fortieth of a day by nobody. Send one email at one hour, sorted by what it is worth to you, and cut it at ten lines.\n\nSay what was before, what is now, and since when. Leave out changes that went back within the hour: most of them were never real.',
  },
  {
    slug: 'a-year-of-prices',
    title: 'What a year of prices shows',
    tags: ['prices', 'market research'],
    age: -14,
    content:
      'Twelve months of daily prices answer what one day cannot: who moves first, who follows, and after how many days.\n\nLay the series of two shops over each other and shift one by a day at a time. Where they fit best is the delay between them.',
  },
  {
    slug: 'pictures-of-products',
    title: 'Are pictures of products data?',
    tags: ['law', 'e-commerce'],
    content: 'They are works of someone first. Still to be written: links to pictures instead of copies, and what a licence has to say.',
  },
]

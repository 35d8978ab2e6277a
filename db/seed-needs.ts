import type { serviceOptions } from '#app/content/contact-options.ts'

type Need = {
  form: 'home' | 'contact' | 'hire'
  /** An option of the list on the home page; free text elsewhere. */
  serviceType: (typeof serviceOptions)[number] | null
  problem: string
  message: string
  budget?: string
  timeframe?: string
}

/** The needs of the seed's leads. */
export const needs: Need[] = [
  {
    form: 'home',
    serviceType: 'Price Monitoring',
    problem: 'Price Monitoring',
    message: 'We sell about 1,200 articles and need the prices of six competing shops every morning before seven, as a spreadsheet.',
    budget: '1k-5k',
    timeframe: '1-2weeks',
  },
  {
    form: 'contact',
    serviceType: null,
    problem: 'Listings of 40 estate agents in one place',
    message: 'Our team copies new listings by hand. We want address, price, size and the agent within an hour after they appear.',
  },
  {
    form: 'home',
    serviceType: 'Lead Generation',
    problem: 'Lead Generation',
    message: 'We are looking for installers of heat pumps with more than five employees in three regions, with a way to reach them.',
    budget: '5k-10k',
    timeframe: '1month',
  },
  {
    form: 'home',
    serviceType: 'API Development',
    problem: 'API Development',
    message: 'We need flight and hotel availability behind one API with a steady response time. We have a list of the sources.',
    budget: '10k-plus',
    timeframe: 'flexible',
  },
  {
    form: 'hire',
    serviceType: null,
    problem: 'Product data from manufacturers comes as PDF and web pages, never the same twice',
    message:
      'About 30 manufacturers, 9,000 products. Name, dimensions, energy class and pictures.\nBudget Range: 5k-10k\nTimeframe: 1month',
    budget: '5k-10k',
    timeframe: '1month',
  },
  {
    form: 'home',
    serviceType: 'Competitor Analysis',
    problem: 'Competitor Analysis',
    message: 'Which of our products do others discount, when, and for how long? We would like a year back if that can be had.',
    budget: 'discuss',
  },
  {
    form: 'contact',
    serviceType: null,
    problem: 'Stock levels of three wholesalers',
    message: 'They have portals with a login but no export. We have accounts. Four times a day would be enough.',
  },
  {
    form: 'home',
    serviceType: 'Market Research',
    problem: 'Market Research',
    message: 'For a study we need job advertisements of the last 18 months by region and qualification. Public sources only, please.',
    budget: '1k-5k',
    timeframe: 'flexible',
  },
  {
    form: 'home',
    serviceType: 'Data Extraction',
    problem: 'Data Extraction',
    message: 'A directory of 14,000 restaurants: name, cuisine, opening hours, coordinates. Once now, and then every quarter.',
    budget: 'under-1k',
    timeframe: 'asap',
  },
  {
    form: 'contact',
    serviceType: null,
    problem: 'Reviews of our products on marketplaces',
    message: 'We want to see new reviews with one or two stars on the day they are written, in our chat. Is that something you do?',
  },
  {
    form: 'home',
    serviceType: 'Automation Services',
    problem: 'Automation Services',
    message: 'Every Monday someone spends three hours to download reports from eleven sites and paste them together. Please free her.',
    budget: '1k-5k',
    timeframe: '1-2weeks',
  },
  {
    form: 'home',
    serviceType: 'Data Processing',
    problem: 'Data Processing',
    message: 'We have 2 million rows of addresses in five spellings. Can you clean them and tell us which ones are the same place?',
    budget: '5k-10k',
  },
]

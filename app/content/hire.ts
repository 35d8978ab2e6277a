import { claimText, shownClaims } from './claims.ts'
import { identity } from './identity.ts'
import { wholeAmountText } from '#app/platform/text/english-number.ts'
import { priceText } from './price.ts'
import { offerings } from './offerings.ts'
import { terms } from './terms.ts'

/** The texts of the hire page. Its questions are in faq.ts, its head in seo.ts. */

export const hireHero = {
  title: 'Hire a web scraping developer who is responsible for the data',
  get text() {
    return `One senior engineer from start to finish, and rows you can rely on. You get an answer within ${terms.response}. Most projects take ${terms.project}.`
  },
  eyebrow: 'For hire',
  form: 'Get a free quote',
  stories: 'See case studies',
} as const

/** The shops of the proposal, each read once: its price is for this number. */
const proposedShops = 3

/** An invented but realistic proposal, in short. */
export const proposal = {
  title: 'proposal.txt',
  get sent() {
    return `sent within ${terms.proposal}`
  },
  get fields() {
    return [
      ['sources', `${proposedShops} shops, 960 products`],
      ['columns', 'name, price, stock, delivery'],
      ['read', 'once, on Friday'],
      ['format', 'CSV and Excel'],
      ['risk', 'shop B shows its prices without tax'],
      ['every night', `${priceText(offerings.intelligence.price)}, if you want it later`],
    ] as const
  },
  get total() {
    return ['fixed price', `${wholeAmountText(offerings.scraping.price.from * proposedShops)}, ${terms.deposit} before we start`] as const
  },
} as const

export const hireProblem = {
  title: 'Why the first attempt usually fails',
  text: 'Writing a scraper takes an afternoon. Keeping its data right for a year is the hard part.',
  items: [
    {
      title: 'It worked on the day of the demo',
      text: 'Then the site changed a class name. The script still runs every night and stores empty fields.',
    },
    {
      title: 'It was blocked within a week',
      text: 'Too many requests, too fast, from one IP address. Now the site is harder to scrape for everyone.',
    },
    {
      title: 'It collected everything, and nothing usable',
      text: 'It has 40 columns of text and no rule for prices: with or without tax, per piece or per pack.',
    },
    {
      title: 'Its developer left',
      text: 'No tests, no documentation, and a password in the source code. The next developer starts over.',
    },
  ],
} as const

/** A night log of an unattended scraper: its messages, and the rows that it stored. */
export const scraperLog = [
  { night: 'Mar 02', says: 'ok', stored: '4,812 prices', right: true },
  { night: 'Mar 03', says: 'ok', stored: '4,812 prices', right: true },
  { night: 'Mar 04', says: 'ok', stored: '0 prices', right: false },
  { night: 'Mar 05', says: 'ok', stored: '0 prices', right: false },
  { night: 'Mar 26', says: 'ok', stored: '0 prices', right: false },
] as const

export const hireSolutions = {
  title: 'What you can hire us for',
  items: [
    {
      title: 'Scrapers',
      text: 'One site or 200. We use plain requests where they work, and a real browser where they don’t.',
      get figure() {
        return priceText(offerings.scraping.price)
      },
    },
    {
      title: 'APIs',
      text: 'Your own endpoint on top of any source, with an OpenAPI spec, keys and limits.',
      get figure() {
        return priceText(offerings.apis.price)
      },
    },
    {
      title: 'Monitoring',
      text: 'Prices, stock, pages and job posts. You get an alert when a value crosses your threshold.',
      get figure() {
        return priceText(offerings.intelligence.price)
      },
    },
    {
      title: 'Cleaning and analysis',
      text: 'We match, join and count the data you already have, and build a dashboard.',
      get figure() {
        return priceText(offerings.analysis.price)
      },
    },
    {
      title: 'Rescue',
      text: 'Your scraper broke, or its developer left. We review it, test it, and fix or replace it.',
      figure: `first look in ${terms.delivery.urgent}`,
    },
    {
      title: 'Maintenance',
      text: 'A daily test for each source, an alert and a fix, usually within one working day.',
      figure: 'monthly',
    },
  ],
} as const

export const hireExpert = {
  title: 'The developer you hire',
  get text() {
    const work = 'price files for shops, lead systems for sales teams, feeds for software companies, datasets for researchers.'
    const [projects] = shownClaims(['projects'])
    return [
      'You work with the engineer who plans, writes and maintains your pipeline. The person who knows the code answers your questions.',
      projects ? `Since ${identity.since}, that’s ${claimText(projects)}: ${work}` : `Our work since ${identity.since}: ${work}`,
    ]
  },
} as const

export const hireProcess = {
  title: 'From message to data in 5 steps',
  steps: [
    {
      title: 'You write',
      text: 'Pages, columns, date. Three lines are enough.',
      get when() {
        return `Confirmed within ${terms.acknowledgement}`
      },
    },
    { title: 'We look', text: 'We open the sources, read their terms and try the hardest page first.', when: 'The same day' },
    {
      title: 'You get a proposal',
      text: 'Scope, price, date and risks, in writing. If we have questions, we ask them first.',
      get when() {
        return `Within ${terms.proposal}`
      },
    },
    {
      title: 'We build',
      text: `It starts with a ${terms.deposit} deposit. You see a sample of your own data early and can still change the columns.`,
      when: terms.project,
    },
    {
      title: 'You use it',
      text: `Data and code. Corrections are free of charge for ${terms.correction}.`,
      when: 'On the agreed day',
    },
  ],
} as const

export const hireQuestionsText = {
  title: 'Before you hire us',
  text: 'The seven questions people ask most.',
} as const

export const hireForm = {
  title: 'Get your quote',
  get text() {
    return `Describe the data as you would to a colleague. Within ${terms.response}, you get ${terms.answer}.`
  },
} as const

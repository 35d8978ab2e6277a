import { claimText } from './claims.ts'
import { identity } from './identity.ts'
import { dollars, priceText } from './price.ts'
import { offerings } from './offerings.ts'
import { terms } from './terms.ts'

/** The texts of the hire page. Its questions are in faq.ts, its head in seo.ts. */

export const hireHero = {
  title: 'Hire a web scraping developer who answers for the data',
  text: `One senior engineer from start to finish, from the pages you name to rows you can rely on. An answer within ${terms.response}; most projects take ${terms.project}.`,
  eyebrow: 'For hire',
  form: 'Get a free quote',
  stories: 'See case studies',
} as const

/** The shops of the proposal, each read once: its price is for this number. */
const proposedShops = 3

/** An invented but realistic proposal, in short. */
export const proposal = {
  title: 'proposal.txt',
  sent: `sent within ${terms.proposal}`,
  fields: [
    ['sources', `${proposedShops} shops, 960 products`],
    ['columns', 'name, price, stock, delivery'],
    ['read', 'once, on Friday'],
    ['arrives as', 'CSV, and a table in your database'],
    ['risk', 'shop B shows its prices without tax'],
    ['every night', `${priceText(offerings.intelligence.price)}, if you want it later`],
  ],
  total: ['fixed price', `${dollars(offerings.scraping.price.from * proposedShops)}, ${terms.deposit} before we start`],
} as const

export const hireProblem = {
  title: 'Why the first attempt usually fails',
  text: 'Writing a scraper takes an afternoon. Keeping its data right for a year is the work.',
  items: [
    {
      title: 'It worked on the day of the demo',
      text: 'Then the site changed a class name. The script still runs every night and stores empty fields.',
    },
    {
      title: 'It was blocked within a week',
      text: 'Too many requests, too fast, from one address. Now the site is harder to read for everybody.',
    },
    {
      title: 'It collected everything, and nothing usable',
      text: 'Forty columns of text. Nobody had agreed what a price is: with tax or without, per piece or per pack.',
    },
    { title: 'Its author is gone', text: 'No tests, no description, one password in the source code. The next developer starts again.' },
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
      text: 'One site or two hundred. In a real browser where it is needed, as plain requests where it is not.',
      figure: priceText(offerings.scraping.price),
    },
    {
      title: 'APIs',
      text: 'An endpoint of your own on top of any source, described in OpenAPI, with keys and limits.',
      figure: priceText(offerings.apis.price),
    },
    {
      title: 'Monitoring',
      text: 'Prices, stock, pages, job posts. A message when a value crosses the line you drew.',
      figure: priceText(offerings.intelligence.price),
    },
    {
      title: 'Cleaning and analysis',
      text: 'Matching, joining and counting what you already have, with a dashboard at the end.',
      figure: priceText(offerings.analysis.price),
    },
    {
      title: 'Rescue',
      text: 'A scraper that broke, or whose author left. We read it, test it, and repair or replace it.',
      figure: `first look in ${terms.delivery.urgent}`,
    },
    {
      title: 'Maintenance',
      text: 'A daily test for each source, an alert, and the repair, usually within one working day.',
      figure: 'by the month',
    },
  ],
} as const

export const hireExpert = {
  title: 'The developer you hire',
  text: [
    'You work with the engineer who plans, writes and maintains your pipeline. Questions are answered by the person who knows the code.',
    `Since ${identity.since} that has meant ${claimText('projects')}: price files for shops, lead systems for sales teams, feeds for software companies, datasets for researchers.`,
  ],
} as const

export const hireProcess = {
  title: 'From message to data in 5 steps',
  steps: [
    { title: 'You write', text: 'Pages, columns, date. Three lines are enough.', when: `Confirmed within ${terms.acknowledgement}` },
    { title: 'We look', text: 'We open the sources, read their terms and try the hardest page first.', when: 'The same day' },
    {
      title: 'You get a proposal',
      text: 'Scope, price, date and the risks we found, in writing. If they depend on a question, we ask it first.',
      when: `Within ${terms.proposal}`,
    },
    {
      title: 'We build',
      text: `It starts with a ${terms.deposit} deposit. You see a sample of your own data early, and can still change the columns.`,
      when: terms.project,
    },
    {
      title: 'You use it',
      text: `Data, code and delivery report. Corrections are free of charge for ${terms.correction}.`,
      when: 'On the agreed day',
    },
  ],
} as const

export const hireQuestionsText = {
  title: 'Before you hire us',
  text: 'The seven questions most people ask first.',
} as const

export const hireForm = {
  title: 'Get your quote',
  text: `Describe the data as you would to a colleague. Within ${terms.response} you have ${terms.answer}.`,
} as const

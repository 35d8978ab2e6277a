import { z } from 'zod'
import { anchorOf, CASE_STUDIES } from '#app/content/case-study.ts'
import { countryNames } from '#app/content/country.ts'
import { atMost } from '#app/platform/text/clean-text.ts'
import { cleanVatNumber, VAT_NUMBER } from '#app/platform/text/vat-number.ts'
import { later } from '#app/platform/process/later.ts'
import { currencies, isCurrency } from '#app/platform/text/written-form.ts'
import { daySpans, isZone, openMinutes } from '#app/platform/time/weekly-hours.ts'
import { contrastProblem } from './contrast.ts'

/*
 * Everything that an owner may replace, one schema per section. The form at /admin/settings, the check of what it sends and the
 * description of the API follow from it: a new setting is a line here, and its use. The defaults are in the files of `app/content`.
 */

/**
 * Hints for the form: the height of a text field, what the field is, the heading of the group that begins with it, when it is shown, whether it is
 * beside the field before it, the fields that tell a folded entry, and what follows the value there.
 */
type Hint = {
  'x-lines'?: number
  'x-beside'?: boolean
  'x-told'?: string[]
  'x-unit'?: string
  'x-kind'?: 'color' | 'picture' | 'zone' | 'week' | 'date' | 'country'
  'x-group'?: string
  'x-when'?: { field: string; is: string[] }
}

const beside = { 'x-beside': true } satisfies Hint

const group = (title: string) => ({ 'x-group': title }) satisfies Hint

type Titled = { title: string; description?: string }

const FILL_IN = 'Please fill this in.'

function line(title: string, most = 120, description?: string) {
  return z
    .string(FILL_IN)
    .trim()
    .min(1, FILL_IN)
    .check(...atMost(most, `At most ${most} characters, please.`))
    .regex(/^\P{Cc}*$/u, 'One line of plain text, please.')
    .meta({ title, ...(description && { description }) })
}

function paragraphs(title: string, most = 1500, description?: string) {
  return z
    .string(FILL_IN)
    .trim()
    .min(1, FILL_IN)
    .check(...atMost(most, `At most ${most} characters, please.`))
    .meta({ title, 'x-lines': 4, ...(description && { description }) } satisfies Hint & { title: string; description?: string })
}

function list(title: string, item: z.ZodString, most: number) {
  return z.array(item).min(1, 'At least one, please.').max(most, `At most ${most}, please.`).meta({ title })
}

const NO_LINK = 'A link begins with https://'
const link = z.url({ protocol: /^https$/, error: NO_LINK }).max(300, 'At most 300 characters, please.')
const place = (title: string) => z.object({ label: line('Name', 40), url: link.meta({ title: 'Link' }) }).meta({ title })

/** The name of an uploaded picture; see files.server.ts. */
const picture = (title: string, description: string) =>
  z
    .string()
    .regex(/^[\da-f]{40}\.webp$/, 'Please upload a picture.')
    .meta({ title, description, 'x-kind': 'picture' } satisfies Hint & { title: string; description: string })

/** The keyboards of some countries offer separators and units, which are not read. */
const whole = (example: number) => `Enter a whole number, such as ${example}.`

const amount = (title: string) => z.int(whole(1200)).min(1, 'At least 1, please.').max(10_000_000, 'That is too much.').meta({ title })

const period = z.enum(['once', 'month']).meta({ title: 'Charged' })

const card = (title: string) =>
  z
    .object({
      title: line('Title', 60),
      description: paragraphs('Description', 300),
      features: list('Features', line('Feature', 120), 8),
      bestFor: line('Best for'),
      price: amount('Price from').optional(),
      per: period,
      covers: line('What the price covers'),
      popular: z.boolean().meta({ title: 'Marked as “Most Popular”' }),
    })
    .meta({ title, description: 'Without a price it says “custom pricing”.' })

const sheet = (title: string) =>
  z
    .object({
      title: line('Title', 60),
      line: line('Short name, in the footer', 60),
      promise: line('Promise'),
      description: paragraphs('Description', 400),
      features: list('Features', line('Feature', 120), 10),
      bestFor: line('Best for'),
      price: amount('Price from'),
      per: period,
      covers: line('What the price covers'),
      time: line('Delivery time', 60),
      action: line('Button', 40),
    })
    .meta({ title })

const question = z
  .object({ question: line('Question', 160), answer: paragraphs('Answer', 2000, 'An empty line begins a new paragraph.') })
  .meta({ title: 'Question' })

const questionList = (title: string) =>
  z
    .array(question)
    .min(1, 'At least one question, please.')
    .max(20, 'At most 20 questions, please.')
    .refine((all) => new Set(all.map((one) => one.question)).size === all.length, 'Two questions are the same.')
    .meta({ title })

const color = (title: string, use: Parameters<typeof contrastProblem>[1], description: string) =>
  z
    .string(FILL_IN)
    .toLowerCase()
    .regex(/^#[\da-f]{6}$/, 'A color has the form #e0a32e.')
    .superRefine((given, context) => {
      const problem = /^#[\da-f]{6}$/.test(given) ? contrastProblem(given, use) : undefined
      if (problem) context.addIssue(problem)
    })
    .meta({ title, description, 'x-kind': 'color' } satisfies Hint & { title: string; description: string })

/** `Date` reads the 30th of February as a day of March. */
function isInCalendar(text: string): boolean {
  const moment = new Date(`${text} UTC`)
  return moment.getUTCDate() === Number(/\d+/.exec(text))
}

const day = (title: string) =>
  z
    .string()
    .regex(/^[A-Z][a-z]+ \d{1,2}, \d{4}$/, 'A date has the form December 21, 2024.')
    .refine((text) => isInCalendar(text), 'There is no such day.')
    .meta({ title })

const DATE = 'A date has the form 2026-12-25.'
const BUSINESS_HOURS = 'Business hours'
/** With less, an answer within 24 business hours would take more than a month. */
const LEAST_OPEN_HOURS = 5

const serviceHours = z
  .object({
    counts: z.enum(['All hours', BUSINESS_HOURS]).meta({ title: 'Deadlines count', description: 'All hours, or your business hours.' }),
    zone: z
      .string(FILL_IN)
      .refine(isZone, 'Choose a time zone from the list.')
      .meta({ title: 'Time zone', description: 'Your hours and holidays are in it.', 'x-kind': 'zone' } satisfies Hint & Titled),
    week: z
      .array(daySpans)
      .length(7, 'Give the hours of seven days, Monday first.')
      .meta({ title: 'Business hours', 'x-kind': 'week' } satisfies Hint & Titled),
    holidays: z
      .array(z.iso.date(DATE).meta({ title: 'Holiday', 'x-kind': 'date' } satisfies Hint & Titled))
      .max(100, 'At most 100, please.')
      .refine((dates) => new Set(dates).size === dates.length, 'A holiday is in the list twice.')
      .meta({ title: 'Holidays', description: 'Closed all day.' }),
  })
  .superRefine(({ counts, week }, context) => {
    if (counts !== BUSINESS_HOURS || openMinutes(week) >= LEAST_OPEN_HOURS * 60) return
    const message = `Deadlines in business hours need at least ${LEAST_OPEN_HOURS} open hours per week.`
    context.addIssue({ code: 'custom', path: ['week'], message })
  })

const figure = (title: string) =>
  z
    .object({ value: line('Figure', 20, 'Without one, the claim is hidden.').optional(), label: line('Words beside it', 40) })
    .meta({ title })

const MOST_STORIES = 8

const story = z
  .object({
    shown: z.boolean().default(true).meta({ title: 'Shown on the site' }),
    category: line('Kind of system', 60, 'Above the title, and in lists.').refine((text) => anchorOf(text) !== '', FILL_IN),
    title: line('Title'),
    inShort: line('In a few words', 60, 'Where one sentence names several. Without it, the title.').optional(),
    summary: paragraphs('Summary', 400).optional(),
    results: z
      .array(
        z
          .object({ value: line('Figure', 20), metric: line('Words beside it', 40), description: line('How it was measured', 200) })
          .meta({ title: 'Result' }),
      )
      .max(3, 'At most 3, please.')
      .default([])
      .meta({ title: 'Results', description: 'The first one is the main goal. It is in lists, and in the picture of a shared link.' }),
    text: paragraphs('Text', 8000, 'Markdown: ### begins a heading, - a point of a list.').optional(),
    industry: line('Industry').optional(),
    client: line('Client', 160).optional(),
    technologies: line('Technologies', 200, 'Separate them with commas.').optional(),
    duration: line('Duration', 40).optional(),
    phases: z
      .array(z.object({ when: line('When', 40), what: line('What') }).meta({ title: 'Phase' }))
      .max(10, 'At most 10, please.')
      .default([])
      .meta({ title: 'Timeline' }),
    chart: z
      .enum(CASE_STUDIES, 'Please choose one from the list.')
      .optional()
      .meta({ title: 'Chart', description: 'Each is drawn from the figures of a delivered case study. Show none beside other figures.' }),
  })
  .meta({ title: 'Case study' })

const shown = (title: string) => z.boolean().meta({ title })

const country = (title: string, description?: string, groups: string[] = []) =>
  z
    .enum([...groups, ...countryNames().map(([code]) => code)], 'Choose a country from the list.')
    .meta({ title, 'x-kind': 'country', ...(description && { description }) } satisfies Hint & Titled)

const bank = (title: string, pattern: RegExp, message: string) =>
  z
    .string()
    .overwrite((text) => text.replaceAll(/\s/g, '').toUpperCase())
    .regex(pattern, message)
    .meta({ title })

const decimal = (title: string, pattern: RegExp, message: string, description?: string) =>
  z
    .string(FILL_IN)
    .overwrite((text) => text.trim().replace(',', '.'))
    .regex(pattern, message)
    .meta({ title, ...(description && { description }) })

const onDay = (title: string, description: string) =>
  z.iso
    .date({ error: ({ input }) => (input ? DATE : 'Choose a day.') })
    .meta({ title, description, 'x-kind': 'date' } satisfies Hint & Titled)

/** The tax modes, as the form offers them. */
export const taxModes = {
  none: 'No tax, with a sentence',
  small: 'Small business, exempt',
  vat: 'VAT by the table below',
  provider: 'Tax of the payment provider',
} as const

/** What happens to an order of a company of the EU while its VAT number cannot be checked. */
export const uncheckedWays = { hold: 'Hold the order', charge: 'Charge tax', evidence: 'Accept evidence noted by staff' } as const

/** Begins the numbers of test invoices. */
export const TEST_SERIES = 'TEST-'

/** Shows a field only with some tax modes. */
const withMode = (...is: string[]) => ({ 'x-when': { field: 'mode', is } }) satisfies Hint

const taxRule = z
  .object({
    country: country('Country of the buyer', 'European Union: each of its countries that has no rule of its own.', ['EU']),
    region: line('State or region', 60, 'Only for the buyers of this region. Empty: the whole country.').optional().meta(beside),
    supply: z.enum(['Everything', 'Data', 'Services']).default('Everything').meta({ title: 'For' }),
    rate: decimal('Rate in percent', /^\d{1,2}(\.\d{1,2})?$/, 'A rate has the form 19 or 8.1.').meta({
      ...beside,
      'x-unit': '%',
    } satisfies Hint),
    exempt: line('Exempt because', 200, 'The sentence on the invoice. The rate must be 0.').optional(),
    from: onDay('From', 'Without a date it always holds. A later date replaces an earlier one.').optional(),
  })
  .refine(({ exempt, rate }) => exempt === undefined || Number(rate) === 0, { path: ['rate'], message: 'What is exempt has the rate 0.' })
  .meta({ title: 'Rule', 'x-told': ['country', 'region', 'supply', 'rate'] } satisfies Hint & Titled)

const exchangeRate = z
  .object({
    currency: z.enum(Object.keys(currencies).filter(isCurrency), 'Choose a currency from the list.').meta({ title: 'Currency' }),
    rate: decimal(
      'For one unit of your currency',
      /^\d{1,6}(\.\d{1,6})?$/,
      'A rate has the form 1.0823.',
      'As the European Central Bank publishes it, for example.',
    ).refine((rate) => Number(rate) > 0, 'A rate is more than 0.'),
    on: onDay('Of', 'Invoices take the newest rate of their day or before.').meta(beside),
  })
  .meta({ title: 'Exchange rate', 'x-told': ['currency', 'rate', 'on'] } satisfies Hint & Titled)

const billing = z
  .object({
    name: line('Registered name', 200).meta(group('Your business on invoices')),
    street: line('Street and number', 200),
    postcode: line('Postcode', 20),
    city: line('City', 100).meta(beside),
    country: country('Country'),
    email: z
      .email('This is not an email address.')
      .max(200, 'At most 200 characters, please.')
      .optional()
      .meta({ title: 'Email on invoices' }),
    phone: line('Phone on invoices', 40, 'German authorities require one.').optional(),
    vatNumber: line('VAT number', 20, 'With its country, such as DE123456789.').optional(),
    taxNumber: line('Tax number', 40, 'Where there is no VAT number.').optional().meta(beside),
    iban: bank('IBAN', /^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/, 'An IBAN has the form DE89 3704 0044 0532 0130 00.')
      .refine(isIban, 'This IBAN has a typing error: its check digits do not fit.')
      .optional(),
    bic: bank('BIC', /^[A-Z\d]{8}([A-Z\d]{3})?$/, 'A BIC has 8 or 11 characters.')
      .optional()
      .meta(beside),
    zone: z
      .string(FILL_IN)
      .refine(isZone, 'Choose a time zone from the list.')
      .meta({ title: 'Time zone', description: 'Dates and years of invoices are in it.', 'x-kind': 'zone' } satisfies Hint & Titled),
    mode: z.enum(Object.values(taxModes)).meta({
      ...group('Tax'),
      title: 'How tax is charged',
      description:
        'Ask your tax adviser. Real orders wait until you save this. The payment provider computes the tax of what is paid on its page. Without it, SELL_TO=all sells to businesses only. Invoices before payment follow the table.',
    }),
    noTax: paragraphs('Sentence without tax', 300, 'On invoices, while no tax is charged.').meta(
      withMode(taxModes.none, taxModes.provider),
    ),
    smallBusiness: paragraphs('Sentence of a small business', 300, 'On invoices, as your law words it.').meta(withMode(taxModes.small)),
    rates: z
      .array(taxRule)
      .max(300, 'At most 300, please.')
      .meta({
        ...withMode(taxModes.vat, taxModes.provider),
        title: 'Tax table',
        description: 'Orders from a country without a rule are refused until you add one.',
      }),
    whenUnchecked: z.enum(Object.values(uncheckedWays)).meta({
      ...withMode(taxModes.vat, taxModes.provider),
      title: 'While a VAT number cannot be checked',
      description: 'Because VIES, the register of the EU, does not answer.',
    }),
    exchange: z
      .array(exchangeRate)
      .max(1000, 'At most 1000, please.')
      .meta({ title: 'Exchange rates', description: 'For orders in another currency.' }),
    prefix: z
      .string(FILL_IN)
      .overwrite((text) => text.trim().toUpperCase())
      .regex(/^([A-Z][A-Z\d]{0,7}-)?$/, 'A prefix has the form INV-.')
      .refine((text) => text !== TEST_SERIES, 'Test invoices have this prefix.')
      .meta({
        ...group('Numbers and payment'),
        title: 'Prefix of numbers',
        description: 'Such as INV-2026-0001. A new prefix begins at 1.',
      }),
    paymentDays: z
      .int(whole(14))
      .min(0, 'At least 0 days.')
      .max(180, 'At most 180 days.')
      .meta({ ...beside, title: 'Days to pay', description: 'From the day of an invoice.' }),
    shortMost: decimal(
      'Take as bank charges up to',
      /^\d{1,6}(\.\d{1,3})?$/,
      'An amount has the form 5 or 2.50.',
      'A transfer that is short by so much in your currency counts as paid. Empty: you are asked.',
    )
      .optional()
      .meta(group('Bank transfers')),
    overMost: decimal(
      'Keep as a credit up to',
      /^\d{1,6}(\.\d{1,3})?$/,
      'An amount has the form 5 or 2.50.',
      'A transfer that is too much by so much is booked without asking. Empty: you are asked.',
    )
      .optional()
      .meta(beside),
    reminderFee: decimal(
      'Reminder fee',
      /^\d{1,6}(\.\d{1,3})?$/,
      'An amount has the form 5 or 2.50.',
      'Of businesses, once, with the second reminder of an invoice in your currency, such as the 40 euros of the EU. Empty: none.',
    )
      .optional()
      .meta(group('Reminders')),
    reminderInterest: decimal(
      'Interest after the day to pay',
      /^\d{1,2}(\.\d{1,2})?$/,
      'A rate has the form 9 or 11.27.',
      'In percent a year. The last reminder to a business states how much it comes to; nothing is booked. Empty: none.',
    )
      .optional()
      .meta(beside),
    secondPersonFrom: z
      .int(whole(1000))
      .min(0, 'At least 0.')
      .max(10_000_000, 'At most 10,000,000.')
      .default(1000)
      .meta({
        ...group('Control and storage'),
        title: 'Second person from',
        description:
          'Refunds and cancelled invoices of this amount or more, in their own currency, wait for a second person who may change billing. If there is only one, that person confirms with a fresh sign-in. 0 means every one.',
      }),
    keepYears: z
      .int(whole(10))
      .min(6, 'At least 6 years.')
      .max(15, 'At most 15 years.')
      .meta({ title: 'Years that invoices are kept', description: 'As your law asks, such as 8 in Germany and 10 in France.' }),
  })
  .superRefine(({ mode, vatNumber, taxNumber }, context) => {
    if (mode === taxModes.vat && !vatNumber)
      context.addIssue({ code: 'custom', path: ['vatNumber'], message: 'Invoices with VAT name your VAT number.' })
    if (mode === taxModes.small && !vatNumber && !taxNumber)
      context.addIssue({ code: 'custom', path: ['taxNumber'], message: 'Invoices of a small business name a tax number.' })
  })

/** A number that VIES cannot read, and entries of which only one would count. */
function refuseDoubtful({ vatNumber, rates, exchange }: z.output<typeof billing>, context: z.RefinementCtx): void {
  if (vatNumber !== undefined && !VAT_NUMBER.test(cleanVatNumber(vatNumber)))
    context.addIssue({ code: 'custom', path: ['vatNumber'], message: 'A VAT number begins with its country, such as DE123456789.' })
  const ruleKey = ({ country: code, region = '', supply, from = '' }: (typeof rates)[number]) =>
    JSON.stringify([code, region.toLowerCase(), supply, from])
  const rateKey = ({ currency, on }: (typeof exchange)[number]) => `${currency} ${on}`
  for (const [index, first] of repeatsIn(rates.map(ruleKey))) {
    const message = `Rule ${first + 1} covers the same buyers from the same date. Change one of the two, or remove it.`
    context.addIssue({ code: 'custom', path: ['rates', index, 'country'], message })
  }
  for (const [index, first] of repeatsIn(exchange.map(rateKey))) {
    const message = `Exchange rate ${first + 1} has the same currency and date. Change one of the two, or remove it.`
    context.addIssue({ code: 'custom', path: ['exchange', index, 'currency'], message })
  }
}

/** The place of each repeated entry, with that of the first one. */
function repeatsIn(keys: readonly string[]): [place: number, first: number][] {
  return keys.flatMap((key, place) => (keys.indexOf(key) < place ? [[place, keys.indexOf(key)] as [number, number]] : []))
}

/** ISO 13616: the remainder of the digits by 97 is 1. */
function isIban(text: string): boolean {
  const digits = (text.slice(4) + text.slice(0, 4)).replaceAll(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  return /^\d+$/.test(digits) && BigInt(digits) % 97n === 1n
}

/** Made at the first use: it takes milliseconds of a start. */
const schemas = later(() => ({
  identity: z.object({
    name: line('Name', 40, 'On every page, in emails, feeds and previews.'),
    tagline: line('Tagline', 80),
    email: z
      .email('This is not an email address.')
      .max(200, 'At most 200 characters, please.')
      .meta({ title: 'Contact address', description: 'Visitors and customers write to it.' }),
  }),
  links: z.object({
    messagingApp: place('Messaging'),
    microblog: place('Microblog'),
    professionalNetwork: place('Professional network'),
    fourthNetwork: z
      .object({ label: line('Name', 40), url: link.optional().meta({ title: 'Link' }) })
      .meta({ title: 'Fourth network', description: 'Without a link its name is shown as text.' }),
  }),
  founder: z.object({
    name: line('Name', 60),
    role: line('Role', 80),
    place: line('Place', 80),
    quote: line('Quote', 200),
    bio: list('About', paragraphs('Paragraph', 800), 6),
    picture: picture('Picture', 'JPEG, PNG, WebP or AVIF. Without one, only your name is shown.').optional(),
  }),
  services: z.object({
    'price-monitoring': card('Price monitoring'),
    'lead-generation': card('Lead generation'),
    'market-research': card('Market research'),
    'custom-api': card('Custom API'),
    enterprise: card('Enterprise'),
    'competitor-analysis': card('Competitor analysis'),
  }),
  offerings: z.object({
    scraping: sheet('Custom scraping'),
    apis: sheet('Real-time APIs'),
    intelligence: sheet('Market intelligence'),
    analysis: sheet('Data analysis'),
  }),
  questions: z.object({ home: questionList('On the home page'), hire: questionList('On the hire page') }),
  hours: serviceHours,
  claims: z.object({
    projects: figure('Projects'),
    accuracy: figure('Accuracy'),
    experience: figure('Experience'),
    satisfaction: figure('Satisfaction'),
    businesses: figure('Businesses'),
    promises: z
      .object({
        acknowledgement: shown('Confirmation by a person'),
        response: shown('Response'),
        proposal: shown('Proposal'),
        duration: shown('Length of projects'),
      })
      .meta({ title: 'Promises beside the form', description: 'Their hours are those of your reply deadlines.' }),
  }),
  stories: z.object({
    items: z
      .array(story)
      .max(MOST_STORIES, `At most ${MOST_STORIES}, please.`)
      .refine((all) => all.some(({ shown: isShown }) => isShown), 'Show at least one, please: the menu leads to them.')
      .refine((all) => new Set(all.map(({ category }) => anchorOf(category))).size === all.length, 'Two have the same kind of system.')
      .meta({ title: 'Case studies', description: 'In the order of the page. Parts that you leave empty are hidden.' }),
  }),
  formats: z.object({
    currency: z
      .enum(Object.keys(currencies).filter(isCurrency), 'Please choose a currency from the list.')
      .meta({ title: 'Currency', description: 'All prices and values keep their number and get this sign.' }),
    dates: z.enum(['Month first: October 3, 2026', 'Day first: 3 October 2026']).meta({ title: 'Dates' }),
    years: line('Copyright years', 20, 'Such as 2020-2026, at the end of each page.'),
  }),
  testimonials: z
    .object({
      items: z
        .array(
          z
            .object({ quote: paragraphs('Quote', 400), name: line('Name or position', 80), company: line('Company', 80) })
            .meta({ title: 'Testimonial' }),
        )
        .max(6, 'At most 6, please.')
        .meta({ title: 'Testimonials', description: 'Without any, the site has no such part.' }),
      confirmed: z.boolean().meta({ title: 'These are our clients’ own words, and they agreed to be quoted' }),
    })
    .superRefine(({ items, confirmed }, context) => {
      if (confirmed || items.length === 0) return
      const message = 'Please confirm this. Invented testimonials break the law in most countries.'
      context.addIssue({ code: 'custom', path: ['confirmed'], message })
    }),
  legal: z.object({
    name: line('Registered name'),
    address: line('Registered address', 200),
    law: line('Governing law'),
    courts: line('Courts'),
    'privacy-policy': day('Privacy policy of'),
    'terms-of-service': day('Terms of service of'),
    'cookie-policy': day('Cookie policy of'),
  }),
  billing,
  proposals: z.object({
    terms: paragraphs('Terms', 20_000, 'Clients read them before they sign. Sent proposals keep their terms.'),
    version: line('Version of the terms', 40, 'Such as 2026-12. It is beside the terms, and on the signed file.'),
    deposit: z
      .int(whole(50))
      .min(0, 'From 0 to 100, please.')
      .max(100, 'From 0 to 100, please.')
      .meta({ title: 'Deposit in percent', description: 'Of the amount with tax. Each proposal can have another one.' }),
    validDays: z.int(whole(14)).min(1, 'At least 1 day.').max(365, 'At most 365 days.').meta({ title: 'Days an offer is valid' }),
  }),
  branding: z.object({
    accentLight: color('Accent of buttons, light', 'label', 'Behind a dark label.'),
    accentDark: color('Accent of buttons, dark', 'label', 'Behind a dark label.'),
    textLight: color('Accent as text, light', 'light', 'On the light page.'),
    textDark: color('Accent as text, dark', 'dark', 'On the dark page.'),
    logo: picture('Logo', 'JPEG, PNG, WebP or AVIF, shown 24 px high beside the name. Without one, our mark is shown.').optional(),
  }),
}))

type Schemas = ReturnType<typeof schemas>
export type SectionName = keyof Schemas
export type StoredSettings = { [Section in SectionName]: z.output<Schemas[Section]> }

export function schemaOf<Section extends SectionName>(section: Section): Schemas[Section] {
  return schemas()[section]
}

/** The schema of a section that is saved. It is stricter than the one for reading, so a section saved before a check existed stays valid. */
export function savedSchemaOf(section: SectionName): z.ZodType<StoredSettings[SectionName]> {
  return section === 'billing' ? schemaOf(section).superRefine(refuseDoubtful) : schemaOf(section)
}

/** How the form introduces a section, and the public page that shows it, if one does. */
export const sectionTexts: Record<SectionName, { title: string; about: string; page: string }> = {
  identity: {
    title: 'Business',
    about: 'Your name, tagline and contact address, everywhere on the site and in emails.',
    page: '/?view=public',
  },
  links: { title: 'Social links', about: 'In the footer, on the contact page and for search engines.', page: '/contact' },
  founder: { title: 'Founder', about: 'The person on the home page and on the about page.', page: '/about' },
  services: { title: 'Services', about: 'The six cards of the home page, with their prices.', page: '/?view=public' },
  offerings: { title: 'Offerings', about: 'The four sheets of the services page. Other pages quote their prices.', page: '/services' },
  questions: { title: 'Questions', about: 'Frequent questions, also for search engines.', page: '/?view=public' },
  hours: {
    title: 'Reply deadlines',
    about: 'Whether the promised hours count day and night, or only while you are open. Open deadlines change as soon as you save.',
    page: '/contact',
  },
  claims: {
    title: 'Claims',
    about: 'The figures that you state about your business. Keep a note of the source of each.',
    page: '/?view=public',
  },
  stories: { title: 'Case studies', about: 'Your work for other companies: words, figures and order.', page: '/case-studies' },
  proposals: {
    title: 'Proposals',
    about: 'Terms, deposit and time limit of new proposals.',
    page: '',
  },
  formats: {
    title: 'Currency, dates, years',
    about: 'How prices, dates and the copyright line are written, also in emails.',
    page: '/services',
  },
  testimonials: {
    title: 'Testimonials',
    about: 'Beside the form of the home page. A public site shows none until you save them.',
    page: '/?view=public',
  },
  legal: { title: 'Legal', about: 'The registered business, and the dates of the legal texts.', page: '/terms-of-service' },
  billing: {
    title: 'Billing',
    about: 'The seller on your invoices, tax, payment terms and reminders. Issued invoices do not change.',
    page: '',
  },
  branding: { title: 'Branding', about: 'Logo and accent color.', page: '/?view=public' },
}

export const sectionNames = Object.keys(sectionTexts).filter(isSectionName)

export function isSectionName(name: string): name is SectionName {
  return Object.hasOwn(sectionTexts, name)
}

import { beforeEach, describe, expect, test } from 'vitest'
import { budgets, countries, serviceOptions as problems, timeframes } from '#app/content/contact-options.ts'
import { db } from '#app/platform/database/db.server.ts'
import { closeLimits } from '#app/platform/guard/limits.server.ts'
import { claimText } from '#app/content/claims.ts'
import { demonstration } from '#app/content/demonstration.ts'
import { homeQuestions } from '#app/content/faq.ts'
import {
  aboutSection,
  benefits,
  chartSection,
  contactSection,
  datasetSection,
  features,
  painPoints,
  questionsSection,
  servicesSection,
  caseStudiesSection,
  exampleTestimonials,
  technologies,
  technologySection,
} from '#app/content/home.ts'
import { identity } from '#app/content/identity.ts'
import { services } from '#app/content/services.ts'
import { startApp } from '#test/app.ts'
import { ada, sendForm } from '#test/enquiries.ts'
import { readPage, textOf } from '#test/read-page.ts'

const app = await startApp()
const page = await readPage(app, '/')
beforeEach(closeLimits)

/** The first element of the page that begins with this text. */
function part(start: string, tag: string): string {
  const from = page.main.indexOf(start)
  return page.main.slice(from, page.main.indexOf(`</${tag}>`, from))
}

describe('the home page', () => {
  test('starts with its headline and badge', () => {
    expect(page.main).toMatch(/<h1[^>]*>Transform Web Data Into Your Competitive Advantage<\/h1>/)
    expect(page.text).toMatch(/^Live Data Extraction Transform Web Data/)
  })

  test('links to a quote and to the case studies', () => {
    const hero = page.main.slice(0, page.main.indexOf('</section>'))

    expect(hero).toMatch(/<a [^>]*href="\/contact"[^>]*>Get Your Free Data Extraction Quote<\/a>/)
    expect(hero).toMatch(/<a [^>]*href="\/case-studies"[^>]*>View Case Studies<\/a>/)
  })

  test('has the specified anchors, each once', () => {
    for (const id of ['services', 'case-studies', 'technology', 'about', 'contact', 'contact-form']) {
      expect(page.html.match(new RegExp(` id="${id}"`, 'g'))).toHaveLength(1)
    }
  })

  test('has its sections in order, and two pictures between them: a dataset and a chart', () => {
    const content = page.main.slice(0, page.main.indexOf('aria-label="Notifications"'))
    const labels = [...content.matchAll(/<section[^>]*aria-label="([^"]*)"|<h2[^>]*>(.*?)<\/h2>/g)]

    expect(labels.map(([, label, heading = '']) => label ?? textOf(heading))).toEqual([
      'In figures',
      datasetSection.title,
      painPoints.title,
      benefits.title,
      servicesSection.title,
      chartSection.title,
      caseStudiesSection.title,
      technologySection.title,
      aboutSection.title,
      questionsSection.title,
      contactSection.title,
    ])
    for (const { title, text } of painPoints.items) expect(page.text).toContain(`${title} ${text}`)
    for (const { before, after, text } of benefits.items) expect(page.text).toContain(`${before} ${after} ${text}`)
  })

  test('says which days its chart shows, so that nobody takes them for the last ones', () => {
    expect(demonstration.prices.period).toMatch(/^[A-Z][a-z]{2} \d+ to [A-Z][a-z]{2} \d+, \d{4}$/)
    expect(page.text).toContain(demonstration.prices.period)
  })

  test('shows prices of the sample catalog, says that they are synthetic, and names the lowest one', () => {
    const { lines, lowest } = demonstration.prices
    const [chart] = /<section aria-labelledby="chart-title".*?<\/section>/s.exec(page.main) ?? ['']

    for (const { name } of lines) expect(textOf(chart)).toContain(name)
    expect(textOf(chart)).toContain(`$${(Math.min(...lowest) / 100).toFixed(2)}`)
    expect(textOf(chart)).toContain('Synthetic data')
  })

  test('without a picture names the founder and leads to their profile, without initials', () => {
    const about = part('id="about"', 'section')
    expect(about).toMatch(/<figcaption.*Robin Hale.*<a href="https:\/\/linkedin\.example[^"]*"[^>]*>LinkedIn</)
    expect(about).not.toContain('<svg')
  })

  test('makes the claims of the business', () => {
    const figures = [...page.main.matchAll(/<dt[^>]*>([^<]*)<\/dt><dd[^>]*>([^<]*)<\/dd>/g)].map(([, label, value]) => `${value} ${label}`)

    expect(figures).toEqual(
      expect.arrayContaining(['500+ projects', '99%+ data accuracy', '6+ years of experience', '100% satisfaction', '200+ businesses']),
    )
    for (const promise of ['24-hour response', '2-hour acknowledgement', 'Proposal within 24 hours', 'Projects in 1-3 weeks']) {
      expect(page.text).toContain(promise)
    }
  })

  test.each(services)('shows $title with features, best-for, price and a way to a quote', (service) => {
    const card = part(`<article aria-labelledby="service-${service.id}"`, 'article')

    for (const text of [service.title, service.description, ...service.features, service.bestFor, service.covers]) {
      expect(textOf(card)).toContain(text)
    }
    expect(card.includes('Most Popular')).toBe('popular' in service)
    expect(card).toMatch(/<a [^>]*href="#contact"[^>]*>Get Quote<\/a>/)
  })

  test('names the prices of the catalogue, and marks two of them as most popular', () => {
    const cards = services.map(({ id }) => textOf(part(`<article aria-labelledby="service-${id}"`, 'article')))
    const said = cards.map((card) => [/(from \$[\d,]+(?:\/month)?|custom pricing)/.exec(card)?.at(1), card.includes('Most Popular')])

    expect(services.map(({ title }, index) => [title, ...(said[index] ?? [])])).toEqual([
      ['E-commerce price monitoring', 'from $800/month', true],
      ['Lead generation', 'from $1,200', false],
      ['Market research', 'from $1,500', false],
      ['Custom API development', 'from $2,000', false],
      ['Enterprise data solutions', 'custom pricing', false],
      ['Competitor analysis automation', 'from $1,000/month', true],
    ])
  })

  test('has a block for requests that no card covers', () => {
    expect(page.main).toMatch(/<a [^>]*href="#contact"[^>]*>Schedule Free Consultation<\/a>/)
    expect(page.main.slice(page.main.indexOf('id="contact"'))).toMatch(/<a [^>]*href="\/book"[^>]*>Book a free 30-minute call<\/a>/)
  })

  test('has six technology cards, four features and four points of expertise', () => {
    expect([technologies.length, features.length, aboutSection.expertise.length]).toEqual([6, 4, 4])
    for (const { title, description } of [...technologies, ...features]) expect(page.text).toContain(`${title} ${description}`)
    for (const { title } of features) expect(page.main).toMatch(new RegExp(`<svg[^>]*>(?:(?!</li>).)*<h3[^>]*>${title}<`))
    for (const point of aboutSection.expertise) expect(page.text).toContain(point)
  })

  test('links from the section and from each case study to the case studies page', () => {
    expect(page.main.match(/<a [^>]*href="\/case-studies"[^>]*>View Case Studies/g)).toHaveLength(2)
    expect(page.main.match(/<a [^>]*href="\/case-studies#[\w-]+"[^>]*>Read Full Case Study/g)).toHaveLength(4)
  })

  test('has eight questions, of which one is open at a time', () => {
    const questions = [...page.main.matchAll(/<details id="([^"]*)" name="([^"]*)"/g)]

    expect(questions.map(([, id]) => id)).toEqual(homeQuestions.map(({ id }) => id))
    expect(questions).toHaveLength(8)
    expect(new Set(questions.map(([, , name]) => name)).size).toBe(1)
  })

  test.each([
    ['competitive-advantage', 'competitive advantage'],
    ['return-on-investment', '3-10x in 6 months'],
    ['legality', 'legal'],
    ['delivery', '24-48 hours', '3-7 business days', '1-2 weeks'],
    ['changes-and-blocking', 'changes', 'blocks'],
    ['integration', 'existing systems'],
    ['data-quality', '99%+ accuracy'],
    ['industries', 'industries'],
  ])('answers the question about %s (row 36)', (id, ...words) => {
    for (const word of words) expect(textOf(part(`<details id="${id}"`, 'details'))).toContain(word)
  })

  test('states the cost', () => {
    expect(page.text).toContain('Simple projects start from $500; enterprise work runs $2,000-$10,000+.')
  })

  test('has three testimonials on the own machine, an email and a messaging app', () => {
    expect(exampleTestimonials).toHaveLength(3)
    for (const { quote } of exampleTestimonials) expect(page.text).toContain(quote)
    expect(page.main).toMatch(/id="contact-form".*<form/)
    expect(page.main).not.toMatch(/>example</)
    expect(page.links).toEqual(expect.arrayContaining([`mailto:${identity.email}`, identity.messagingApp.url]))
  })

  test('names the free call, the acknowledgement and the proposal with their times', () => {
    expect(page.text).toContain('free 30-minute call')
    expect(page.text).toContain('A person confirms within 2 hours')
    expect(page.text).toContain('Within 24 hours, you get a proposal with a fixed price and date')
    expect(page.text).toContain(claimText('proposal'))
  })

  test('names the four lines of the offer, at its end, and calls to a free data extraction quote', () => {
    const footer = textOf(page.html.slice(page.html.indexOf('<footer')))

    expect(footer).toContain('Custom web scraping Real-time data APIs Market intelligence and monitoring Data processing and analysis')
    expect(page.text).toContain('Get Your Free Data Extraction Quote')
  })

  test('frames no page of anyone while there is no calendar', () => {
    expect(page.html).not.toContain('<iframe')
  })

  test('carries no style attribute, and no script but the one that wakes its form', () => {
    expect(page.html).not.toMatch(/ style="/)
    expect(page.html.match(/<script(?! type="application\/ld\+json")/g)).toHaveLength(1)
  })
})

describe('its form', () => {
  const optionsOf = (name: string) =>
    [...part(`<select id="field-${name}"`, 'select').matchAll(/<option value="([^"]*)"/g)].map(([, value]) => value)

  test('asks by lists for country, service, budget and timeframe', () => {
    expect(optionsOf('country')).toEqual(['', ...countries])
    expect(optionsOf('problem')).toEqual(['', ...problems])
    expect(optionsOf('budget')).toEqual(['', ...budgets.map(({ value }) => value)])
    expect(optionsOf('timeframe')).toEqual(['', ...timeframes.map(({ value }) => value)])
  })

  test('becomes an enquiry without script, and the page says its number', async () => {
    const sent = await sendForm(app, '/?index', { ...ada, problem: 'Price Monitoring', budget: '1k-5k', timeframe: 'asap' })
    expect(sent.statusCode).toBe(303)

    const lead = await db.selectFrom('contacts').selectAll().where('form', '=', 'home').executeTakeFirstOrThrow()
    expect(lead).toMatchObject({ serviceType: 'Price Monitoring', budget: '1k-5k', timeframe: 'asap' })
    expect(sent.headers.location).toContain(`/?sent=${lead.reference}&`)
    const { text } = await readPage(app, `${sent.headers.location}`)
    for (const part of [lead.reference, 'Request Price Monitoring', 'Budget $1,000 to $5,000', 'Timeframe As soon as possible'])
      expect(text).toContain(part)
  })

  test('shows each missing value at its field, and retains the input', async () => {
    const refused = await sendForm(app, '/?index', { name: '', email: 'ada', country: '', problem: '', message: 'too short' })

    expect(refused.statusCode).toBe(422)
    for (const sentence of [
      'Name is required',
      'Invalid email address',
      'Please select your country',
      'Please describe your problem',
      'Message must be at least 10 characters',
    ]) {
      expect(textOf(refused.body)).toContain(sentence)
    }
    expect(refused.body).toContain('value="ada"')
  })
})

import { beforeEach, describe, expect, test } from 'vitest'
import { db } from '#app/platform/database/db.server.ts'
import { closeLimits } from '#app/platform/guard/limits.server.ts'
import { hireQuestions } from '#app/content/faq.ts'
import { hireExpert, hireProblem, hireProcess, hireSolutions } from '#app/content/hire.ts'
import { heads } from '#app/content/seo.ts'
import { startApp } from '#test/app.ts'
import { ada, sendForm } from '#test/enquiries.ts'
import { readPage, textOf } from '#test/read-page.ts'

const url = '/hire-web-scraping-developer'

const app = await startApp()
const page = await readPage(app, url)
beforeEach(closeLimits)

describe('the hire page', () => {
  test('links to its form, to the case studies, and without an external calendar to the booking page', () => {
    expect(page.links.slice(0, 3)).toEqual(['#quote', '/case-studies', '/book'])
    expect(page.main).toContain('id="quote"')
    expect(page.text).toContain('Book a free 30-minute call')
  })

  test('shows the problem, six solutions, the expert and five steps', () => {
    for (const { title, text } of [...hireProblem.items, ...hireSolutions.items, ...hireProcess.steps]) {
      expect(page.text).toContain(`${title} ${text}`)
    }
    expect([hireSolutions.items.length, hireProcess.steps.length]).toEqual([6, 5])
    for (const paragraph of hireExpert.text) expect(page.text).toContain(paragraph)
  })

  test('answers seven questions, of which one is open at a time', () => {
    const questions = [...page.main.matchAll(/<details id="([^"]*)" name="([^"]*)"/g)]

    expect(questions.map(([, id]) => id)).toEqual(hireQuestions.map(({ id }) => id))
    expect(questions).toHaveLength(7)
    expect(new Set(questions.map(([, , name]) => name)).size).toBe(1)
  })

  test('has title, description and keywords of its own, and the next page has its own again', async () => {
    const { title, description, keywords } = heads[url]
    expect(page.title).toMatch(new RegExp(`^${title} \\| `))
    expect([page.meta('description'), page.meta('keywords')]).toEqual([description, keywords.join(', ')])

    const home = await readPage(app, '/')
    expect(home.meta('description')).toBe(heads['/'].description)
    expect(home.meta('keywords')).toBeUndefined()
  })

  test('describes its service and its questions as structured data, without claims as ratings', () => {
    const blocks = [...page.html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map(([, json = '']): unknown =>
      JSON.parse(json),
    )

    expect(blocks).toMatchObject([
      { '@context': 'https://schema.org', '@type': 'Service', url: expect.stringMatching(/^http.*\/hire-web-scraping-developer$/) },
      { '@context': 'https://schema.org', '@type': 'FAQPage' },
      { '@context': 'https://schema.org', '@type': 'BreadcrumbList' },
    ])
    expect(JSON.stringify(blocks).match(/"@type":"Question"/g)).toHaveLength(7)
    expect(JSON.stringify(blocks)).not.toMatch(/aggregateRating|500\+|100%/)
  })
})

describe('its quote form', () => {
  test('becomes an enquiry without script; budget and timeframe stand below the message', async () => {
    const sent = await sendForm(app, url, { ...ada, problem: 'Prices of forty shops, by hand.', budget: '5k-10k', timeframe: '' })
    expect(sent.statusCode).toBe(303)

    const lead = await db.selectFrom('contacts').selectAll().where('form', '=', 'hire').executeTakeFirstOrThrow()
    expect(lead.message).toBe(`${ada.message}\n\nBudget Range: 5k-10k\nTimeframe: Not specified`)
    expect(lead).toMatchObject({ budget: '5k-10k', timeframe: null })

    const thanks = await readPage(app, sent.headers.location?.replace('#enquiry', '') ?? '')
    expect(thanks.text).toContain("Message sent successfully! We'll get back to you within 24 hours with a detailed proposal.")
    expect(thanks.text).toContain(lead.reference)
  })

  test('shows each missing value at its field', async () => {
    const refused = await sendForm(app, url, { name: 'A', email: 'ada', country: '', problem: 'Prices', message: 'Soon' })

    expect(refused.statusCode).toBe(422)
    for (const sentence of [
      'Name must be at least 2 characters',
      'Please enter a valid email address',
      'Country is required',
      'Please describe your data challenges (minimum 10 characters)',
      'Please provide additional project details (minimum 10 characters)',
    ]) {
      expect(textOf(refused.body)).toContain(sentence)
    }
  })
})

test('the contact form is prefilled with the wish for a call after a click on its button', async () => {
  const { main } = await readPage(app, '/contact?wish=call')

  expect(main).toMatch(/<input [^>]*value="A free strategy call"/)
  expect(main).toMatch(/<textarea [^>]*>I’d like to book the free 30-minute strategy call\./)
})

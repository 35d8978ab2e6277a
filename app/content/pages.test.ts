import { expect, test } from 'vitest'
import { legalMarkdown } from './legal-text.server.ts'
import { founder, listAchievements, listCareer, mission, skills, values } from './about.ts'
import { booking } from './booking.ts'
import { hireProcess, hireSolutions } from './hire.ts'
import { aboutSection, exampleTestimonials, features, technologies } from './home.ts'
import { identity } from './identity.ts'
import { legalDocuments } from './legal.ts'
import { heads } from './seo.ts'
import { customService } from './services.ts'

test('the legal texts are of December 21, 2024', () => {
  expect(Object.values(legalDocuments).map(({ title, updated }) => [title, updated])).toEqual([
    ['Privacy Policy', 'December 21, 2024'],
    ['Terms of Service', 'December 21, 2024'],
    ['Cookie Policy', 'December 21, 2024'],
  ])
})

test('the terms state deposit, final payment, refunds and accuracy', () => {
  const terms = legalMarkdown('terms-of-service')

  expect(terms).toContain('A 50% deposit is due before a project starts.')
  expect(terms).toContain('The final payment is due on completion')
  expect(terms).toContain('Payments are non-refundable unless agreed otherwise.')
  expect(terms).toContain('We commit to a data accuracy of 99%+.')
})

test('privacy and cookie policy state a retention of about 26 months for analytics data', () => {
  expect(legalMarkdown('privacy-policy')).toContain('Analytics data is kept for about 26 months')
  expect(legalMarkdown('cookie-policy')).toContain('Analytics data is kept for about 26 months')
})

test('no gap is left in a legal text, and the name of the business comes from its identity', () => {
  for (const name of ['privacy-policy', 'terms-of-service', 'cookie-policy'] as const) {
    expect(legalMarkdown(name)).not.toMatch(/\{\{|\}\}/)
    expect(legalMarkdown(name)).toContain(identity.name)
    expect(legalMarkdown(name)).toContain(identity.email)
  }
})

test('the confirmation of a booking lists the next steps, the topics of the call and how to prepare', () => {
  expect(booking.title).toBe('Your Strategy Call is Confirmed!')
  expect(booking.home).toBe('Return to Homepage')
  for (const list of [booking.next.steps, booking.covered.items, booking.preparation.items]) expect(list.length).toBeGreaterThanOrEqual(3)
})

test('the about page has a founder, achievements, a career, skills by category, a mission and values', () => {
  for (const text of [founder.name, founder.role, founder.quote, mission.text]) expect(text).not.toBe('')
  for (const list of [listAchievements(), listCareer(), skills, values]) expect(list.length).toBeGreaterThanOrEqual(4)
})

test('the home page has six technology cards, four features, four points of expertise, three testimonials', () => {
  expect([technologies, features, aboutSection.expertise, exampleTestimonials].map((list) => list.length)).toEqual([6, 4, 4, 3])
  expect(customService.action).toBe('Schedule Free Consultation')
})

test('the hire page has six solutions and five steps', () => {
  expect(hireSolutions.items).toHaveLength(6)
  expect(hireProcess.steps).toHaveLength(5)
})

test('every page has a title and a description of its own, of a length that search results show whole', () => {
  const said = Object.values(heads)

  expect(new Set(said.map(({ title }) => title)).size).toBe(said.length)
  expect(new Set(said.map(({ description }) => description)).size).toBe(said.length)
  for (const { title, description } of said) {
    expect(`${title} | ${identity.name}`.length).toBeLessThanOrEqual(60)
    expect(description.length).toBeGreaterThanOrEqual(70)
    expect(description.length).toBeLessThanOrEqual(160)
  }
})

import { expect, test } from 'vitest'
import { claimSources } from './claim-sources.server.ts'
import { claims, claimText } from './claims.ts'
import { homeQuestions, hireQuestions } from './faq.ts'
import { terms } from './terms.ts'

test('the claims read as specified', () => {
  expect(Object.keys(claims).filter(isClaim).map(claimText)).toEqual([
    '500+ projects',
    '99%+ data accuracy',
    '6+ years of experience',
    '100% satisfaction',
    '200+ businesses',
    '24-hour response',
    '2-hour acknowledgement',
    'Proposal within 24 hours',
    'Projects in 1-3 weeks',
  ])
})

test('each claim has a private note of its source, which no browser loads', () => {
  expect(Object.keys(claimSources)).toEqual(Object.keys(claims))
  for (const source of Object.values(claimSources)) expect(source.length).toBeGreaterThan(20)
})

test('the service levels are a 30-minute call, an acknowledgement within 2 hours, a proposal within 24 hours', () => {
  expect([terms.call, terms.acknowledgement, terms.proposal]).toEqual(['30 minutes', '2 hours', '24 hours'])
})

test('eight questions on the home page, each on its topic and with its figures', () => {
  const topics = [
    ['competitive-advantage', 'competitive advantage'],
    ['return-on-investment', '3-10x in 6 months'],
    ['legality', 'Collecting public facts is legal in most places'],
    ['delivery', 'Urgent requests take 24-48 hours. Standard projects take 3-7 business days. Enterprise work takes 1-2 weeks.'],
    ['changes-and-blocking', 'an engineer fixes the scraper'],
    ['integration', 'REST API'],
    ['data-quality', '99%+ accuracy'],
    ['industries', 'e-commerce'],
  ]

  expect(homeQuestions.map(({ id }) => id)).toEqual(topics.map(([id]) => id))
  for (const [index, [, figure]] of topics.entries()) {
    const { question, answer } = homeQuestions[index] ?? { question: '', answer: [] }
    expect([question, ...answer].join(' ')).toContain(figure)
  }
})

test('seven questions on the hire page, without duplicates', () => {
  expect(new Set(hireQuestions.map(({ id }) => id)).size).toBe(7)
  expect(new Set([...homeQuestions, ...hireQuestions].map(({ question }) => question)).size).toBe(15)
})

function isClaim(name: string): name is keyof typeof claims {
  return name in claims
}

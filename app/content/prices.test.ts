import { expect, test } from 'vitest'
import { wholeAmountText } from '#app/platform/text/english-number.ts'
import { priceText } from './price.ts'
import { homeQuestions } from './faq.ts'
import { offerings } from './offerings.ts'
import { services } from './services.ts'

test('a price reads as a phrase, with thousands set apart and the month behind it', () => {
  expect(wholeAmountText(1200)).toBe('$1,200')
  expect(priceText({ from: 800, per: 'month' })).toBe('from $800/month')
  expect(priceText('custom pricing')).toBe('custom pricing')
})

test('the four offerings name the specified prices and times', () => {
  const said = Object.values(offerings).map(({ title, price, time }) => [title, priceText(price), time])

  expect(said).toEqual([
    ['Custom scraping solutions', 'from $500', '24-48 hours for simple projects'],
    ['Real-time data APIs', 'from $1,200', '1-2 weeks'],
    ['Market intelligence and monitoring', 'from $800/month', 'setup in 3-5 business days'],
    ['Data processing and analysis', 'from $600', '1 week for standard dashboards'],
  ])
})

test('the six services of the catalogue name the specified prices, and two are marked as popular', () => {
  const said = services.map((service) => [service.title, priceText(service.price), 'popular' in service])

  expect(said).toEqual([
    ['E-commerce price monitoring', 'from $800/month', true],
    ['Lead generation', 'from $1,200', false],
    ['Market research', 'from $1,500', false],
    ['Custom API development', 'from $2,000', false],
    ['Enterprise data solutions', 'custom pricing', false],
    ['Competitor analysis automation', 'from $1,000/month', true],
  ])
})

test('the footer lists the specified services', () => {
  expect(Object.values(offerings).map(({ line }) => line)).toEqual([
    'Custom web scraping',
    'Real-time data APIs',
    'Market intelligence and monitoring',
    'Data processing and analysis',
  ])
})

test('every price names its scope, and every offer its audience', () => {
  for (const { covers, bestFor, features } of [...services, ...Object.values(offerings)]) {
    expect(covers.length).toBeGreaterThan(20)
    expect(bestFor.length).toBeGreaterThan(20)
    expect(features.length).toBeGreaterThanOrEqual(5)
  }
})

test('the questions name the starting price and the range of enterprise work', () => {
  const answers = homeQuestions.flatMap(({ answer }) => answer).join(' ')

  expect(answers).toContain('Simple projects start from $500; enterprise work runs $2,000-$10,000+.')
})

import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { legalMarkdown } from './legal-text.server.ts'
import { values } from './about.ts'
import { contactTexts } from './contact.ts'
import { hireQuestions } from './faq.ts'
import { getStarted } from './get-started.ts'
import { hireForm, proposal } from './hire.ts'
import { contactSection } from './home.ts'
import { isLegalName, legalDocuments } from './legal.ts'
import { offerings } from './offerings.ts'
import { wholeAmountText } from '#app/platform/text/english-number.ts'
import { terms } from './terms.ts'

const legal = Object.keys(legalDocuments).filter(isLegalName).map(legalMarkdown)

/** The texts of the public pages, without comments. */
const told = [
  ...globSync('app/content/*.ts')
    .filter((file) => !/\.(test|server)\.ts$/.test(file))
    .map((file) => readFileSync(file, 'utf8').replaceAll(/^\s*(\/\/|\/?\*).*$/gm, '')),
  ...legal,
].join('\n')

test.each([
  ['email is called email', /\be-mail|\bmailbox|(?<!\/dashboard\/)\bletters?\b|\ba mail\b/gi],
  ['an enquiry is spelled in one way, but for the specified receipt', /(?<!Thank you for your )inquir\w*/gi],
  ['no page promises a pace that another one contradicts', /quiet hours|slowly/gi],
  ['no page promises more than the product does', /nothing else|through this site|before you pay|have it (corrected|deleted)/gi],
])('%s', (_promise, never) => {
  expect(told.match(never)).toBeNull()
})

test('the work for a client belongs to the client, on every page and in the terms', () => {
  const ownership = hireQuestions.find(({ id }) => id === 'ownership')

  expect(ownership?.answer.join()).toContain(
    'With the final payment, the code written for you and the data collected for you belong to you',
  )
  expect(ownership?.answer.join()).toContain('Tools that we had before stay ours')
  expect(values.map(({ text }) => text).join()).toContain('After the final payment, what we wrote for you belongs to you')
  expect(offerings.scraping.description).toContain('After the final payment the code is yours')
  const contract = legalMarkdown('terms-of-service')
  expect(contract).toContain('With the final payment, the source code written for you and the data compiled for you belong to you')
  expect(contract).toContain('What existed before the project remains ours')
})

test('the promised reply and its deadline are the same on every page', () => {
  const cost = hireQuestions.find(({ id }) => id === 'cost')?.answer.join()
  const steps = contactTexts.next.steps.map(({ text }) => text).join()

  for (const text of [contactSection.text, getStarted.introduction, hireForm.text, cost, steps, legalMarkdown('terms-of-service')]) {
    expect(text).toContain(terms.answer)
  }
})

test('the proposal that is shown reads its shops once, for the price of one run each; every night has the price of monitoring', () => {
  const fields = Object.fromEntries(proposal.fields)

  expect(fields).toMatchObject({ read: 'once, on Friday', 'every night': expect.stringContaining('from $800/month') })
  expect(proposal.total[1]).toContain(wholeAmountText(Number.parseInt(fields.sources ?? '', 10) * offerings.scraping.price.from))
  expect(offerings.scraping.covers).toMatch(/^one site, one run/)
})

test('the cookie policy says that a calendar in the page loads without a click', () => {
  expect(legalMarkdown('cookie-policy')).toContain('your browser loads it from the provider when you scroll near it, without a click')
})

test('the privacy policy names the data that we derive from an enquiry', () => {
  const policy = legalMarkdown('privacy-policy')

  expect(policy).toContain('we note its domain as the company')
  expect(policy).toContain('The result, a score and the reasons for it, is kept with the message.')
})

import { describe, expect, test } from 'vitest'
import { firstErrors } from '#app/platform/browser/first-errors.ts'
import { sampleEnquiries } from '#test/enquiries.ts'
import { type EnquiryFormKind, enquiryBody, enquiryForms } from './contact.ts'
import { enquiryLimits } from './enquiry-limits.ts'
import { budgets, countries, landingProblems, serviceOptions, timeframes } from '#app/content/contact-options.ts'

/** The problems of a valid enquiry after some of its fields are changed. */
function errorsOf(form: EnquiryFormKind, change: Record<string, unknown>) {
  const read = enquiryForms[form].safeParse({ ...sampleEnquiries[form], ...change })
  return read.success ? {} : firstErrors(read.error)
}

/** A list as the specification writes it. */
const listed = (text: string) => text.split(/,\s+/)

const nine = 'x'.repeat(9)
const ten = 'x'.repeat(10)

test('the home form asks for name, email, country, problem and message; budget and timeframe are optional', () => {
  expect(Object.keys(enquiryForms.home.shape)).toEqual(['name', 'email', 'country', 'problem', 'message', 'budget', 'timeframe', 'company'])
  expect(errorsOf('home', { budget: undefined, timeframe: undefined })).toEqual({})
})

describe.each(['home', 'contact'] as const)('the %s form', (form) => {
  test('needs a name', () => expect(errorsOf(form, { name: '  ' })).toEqual({ name: 'Name is required' }))
  test('needs a valid address', () => expect(errorsOf(form, { email: 'ada' })).toEqual({ email: 'Invalid email address' }))
  test('needs a country', () => expect(errorsOf(form, { country: '' })).toEqual({ country: 'Please select your country' }))
  test('needs a problem', () => expect(errorsOf(form, { problem: '' })).toEqual({ problem: 'Please describe your problem' }))
  test('needs a message of 10 characters: 9 fail, 10 pass', () => {
    expect(errorsOf(form, { message: nine })).toEqual({ message: 'Message must be at least 10 characters' })
    expect(errorsOf(form, { message: ten })).toEqual({})
  })
})

test('the contact page takes country and problem as free text', () => {
  expect(errorsOf('contact', { country: 'Österreich', problem: 'Something of my own' })).toEqual({})
})

test('the landing form has messages of its own, and its problem comes from its list', () => {
  expect(errorsOf('landing', { name: '', email: 'x', country: '', problem: '', message: nine })).toEqual({
    name: 'Name is required',
    email: 'Invalid email address',
    country: 'Country is required',
    problem: 'Please select a problem type',
    message: 'Message must be at least 10 characters',
  })
  expect(errorsOf('landing', { problem: 'Something of my own' })).toEqual({ problem: 'Please select a problem type' })
  for (const problem of landingProblems) expect(errorsOf('landing', { problem })).toEqual({})
})

describe('the hire form', () => {
  test('needs a name of 2 characters: 1 fails, 2 pass', () => {
    expect(errorsOf('hire', { name: 'A' })).toEqual({ name: 'Name must be at least 2 characters' })
    expect(errorsOf('hire', { name: '' })).toEqual({ name: 'Name must be at least 2 characters' })
    expect(errorsOf('hire', { name: 'Al' })).toEqual({})
  })
  test('needs a valid address', () => expect(errorsOf('hire', { email: '' })).toEqual({ email: 'Please enter a valid email address' }))
  test('needs a country', () => expect(errorsOf('hire', { country: '' })).toEqual({ country: 'Country is required' }))
  test('needs challenges of 10 characters', () => {
    expect(errorsOf('hire', { problem: nine })).toEqual({ problem: 'Please describe your data challenges (minimum 10 characters)' })
    expect(errorsOf('hire', { problem: ten })).toEqual({})
  })
  test('needs details of 10 characters, the choices below them not counted', () => {
    const sentence = 'Please provide additional project details (minimum 10 characters)'
    expect(errorsOf('hire', { message: nine })).toEqual({ message: sentence })
    expect(errorsOf('hire', { message: ten })).toEqual({})
    expect(errorsOf('hire', { message: `${nine}\n\nBudget Range: discuss\nTimeframe: asap` })).toEqual({ message: sentence })
  })
  test('takes the choices below a message of full length, and nothing long that calls itself a choice or lies before one', () => {
    const full = 'x'.repeat(enquiryLimits.message)
    expect(errorsOf('hire', { message: `${full}\n\nBudget Range: Not specified\nTimeframe: Not specified` })).toEqual({})
    const sentence = 'Message must be at most 5,000 characters'
    for (const message of [
      `${ten}\nBudget Range: ${full}${full}\nTimeframe: asap`,
      `${ten}${' '.repeat(6_000)}\nBudget Range: 1k\nTimeframe: asap`,
    ])
      expect(errorsOf('hire', { message })).toEqual({ message: sentence })
  })
})

test('the home form offers 19 countries', () => {
  expect(countries).toEqual(
    listed(`United States, Canada, United Kingdom, Germany, France, Australia, Japan, South Korea, Singapore, Netherlands,
    Sweden, Switzerland, India, Brazil, Mexico, Spain, Italy, China, Other`),
  )
  expect(countries).toHaveLength(19)
})

test('the home form offers 11 problems', () => {
  expect(serviceOptions).toEqual(
    listed(`Web Scraping Services, Data Extraction, API Development, Market Research, Price Monitoring, Lead Generation,
    Competitor Analysis, Data Processing, Automation Services, Technical Support, Other`),
  )
  expect(serviceOptions).toHaveLength(11)
})

test('the landing form offers 5 problems', () => {
  expect(landingProblems).toEqual(listed('Competitor Price Monitoring, Product Data Extraction, Lead Generation, Market Research, Other'))
})

test('a budget is one of 5 values', () => {
  expect(budgets.map(({ value }) => value)).toEqual(['under-1k', '1k-5k', '5k-10k', '10k-plus', 'discuss'])
})

test('a timeframe is one of 4 values', () => {
  expect(timeframes.map(({ value }) => value)).toEqual(['asap', '1-2weeks', '1month', 'flexible'])
})

test('a budget or timeframe that is not on its list is refused', () => {
  expect(errorsOf('home', { budget: 'lots', timeframe: 7 })).toEqual({
    budget: 'Please choose a budget from the list',
    timeframe: 'Please choose a timeframe from the list',
  })
})

test('characters are counted as a reader counts them, without the space around them', () => {
  expect(errorsOf('contact', { message: '😀'.repeat(9) })).toEqual({ message: 'Message must be at least 10 characters' })
  expect(errorsOf('contact', { message: '😀'.repeat(10) })).toEqual({})
  expect(errorsOf('contact', { message: `  ${nine}  \n ` })).toEqual({ message: 'Message must be at least 10 characters' })
})

test('the longest message is counted in the same characters, however its lines end', () => {
  const longest = `${'😀'.repeat(2_498)}\r\n${'é'.normalize('NFD').repeat(2_501)}`
  expect(errorsOf('contact', { message: longest })).toEqual({})
  expect(errorsOf('contact', { message: `${longest}x` })).toEqual({ message: 'Message must be at most 5,000 characters' })
  expect(errorsOf('contact', { name: '😀'.repeat(enquiryLimits.name) })).toEqual({})
})

test('each field has an end', () => {
  for (const [name, most] of Object.entries({ ...enquiryLimits, email: 254 }).filter(([name]) => name !== 'challenges')) {
    expect(errorsOf('home', { [name]: 'x'.repeat(most + 1) })).toHaveProperty(name)
  }
  expect(errorsOf('home', { message: 'x'.repeat(enquiryLimits.message) })).toEqual({})
  expect(errorsOf('hire', { problem: 'x'.repeat(enquiryLimits.challenges + 1) })).toEqual({
    problem: 'This must be at most 2,000 characters',
  })
})

test('invisible and unstorable characters are removed before anything is counted', () => {
  const read = enquiryForms.contact.parse({
    ...sampleEnquiries.contact,
    name: 'Ada\u0000 \u202Eecalevol\r\n\tLovelace\uD800',
    message: 'One\r\nline\u0000 and\u2028another, \u0007please',
  })
  expect(read.name).toBe('Ada ecalevol Lovelace\uFFFD')
  expect(read.message).toBe('One\nline and\nanother, please')
})

test.each([
  ['ada@analytical.example', true],
  ['ada+news@mail.analytical.co.uk', true],
  ["o'hara@firm.ie", true],
  ['max@müller.de', true],
  [' ada@analytical.example ', true],
  ['ada@localhost', false],
  ['ada@@analytical.example', false],
  ['.ada@analytical.example', false],
  ['ada..l@analytical.example', false],
  ['ada@analytical..example', false],
  ['ada@analytical.example\nbcc: all@analytical.example', false],
  ['ada lovelace@analytical.example', false],
  ['Ada <ada@analytical.example>', false],
])('the address %j is accepted: %s', (email, accepted) => {
  expect(enquiryForms.contact.safeParse({ ...sampleEnquiries.contact, email }).success).toBe(accepted)
})

test('the body chooses its rules by form, and is the contact form when it names none', () => {
  expect(enquiryBody.parse(sampleEnquiries.contact)).toMatchObject({ form: 'contact' })
  const errors = (body: unknown) => firstErrors(enquiryBody.safeParse(body).error ?? { issues: [] })
  expect(errors({ ...sampleEnquiries.contact, form: 'hire', name: 'A' })).toMatchObject({ name: 'Name must be at least 2 characters' })
  expect(errors({ ...sampleEnquiries.contact, form: 'fax' })).toEqual({ form: 'Form must be one of contact, home, landing, hire' })
})

import { expect, test } from 'vitest'
import { countries } from '#app/content/contact-options.ts'
import { countryCodeOf } from './country.ts'

test('every country of the home form has a code, Other has none', () => {
  expect(countries.map(countryCodeOf)).toEqual([
    'US',
    'CA',
    'GB',
    'DE',
    'FR',
    'AU',
    'JP',
    'KR',
    'SG',
    'NL',
    'SE',
    'CH',
    'IN',
    'BR',
    'MX',
    'ES',
    'IT',
    'CN',
    undefined,
  ])
})

test.each([
  ['USA', 'US'],
  ['U.S.A.', 'US'],
  ['uk', 'GB'],
  ['England', 'GB'],
  ['Deutschland', 'DE'],
  ['  deutschland ', 'DE'],
  ['Österreich', 'AT'],
  ['Osterreich', 'AT'],
  ['España', 'ES'],
  ['日本', 'JP'],
  ['the Netherlands', 'NL'],
  ["Côte d'Ivoire", 'CI'],
  ['de', 'DE'],
  ['Czech Republic', 'CZ'],
  ['Georgia', 'GE'],
])('%s is %s', (typed, code) => expect(countryCodeOf(typed)).toBe(code))

test.each(['Atlantis', '', 'Earth', 'constructor', '😀', 'Other', 'xx'])('%j is no country', (typed) => {
  expect(countryCodeOf(typed)).toBeUndefined()
})

import { expect, test } from 'vitest'
import { codePath, epcCode, epcText } from './epc-code.ts'

const asked = {
  iban: 'DE89 3704 0044 0532 0130 00',
  bic: 'COBADEFFXXX',
  name: 'Winnow Daten GmbH',
  amount: 11_900,
  currency: 'EUR',
  reference: 'INV-2026-0001',
}

test('the code has the lines of the guideline, and none for other currencies', () => {
  expect(epcText(asked)?.split('\n')).toEqual([
    'BCD',
    '002',
    '1',
    'SCT',
    'COBADEFFXXX',
    'Winnow Daten GmbH',
    'DE89370400440532013000',
    'EUR119.00',
    '',
    '',
    'INV-2026-0001',
  ])
  const code = epcCode(asked)
  expect(code?.length).toBe(code?.[0]?.length)
  expect(codePath(code ?? [])).toMatch(/^M\d+ \d+h1v1h-1z/)
  expect(epcText({ ...asked, currency: 'USD' })).toBeUndefined()
  expect(epcText({ ...asked, amount: 0 })).toBeUndefined()
})

import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { taxModes, uncheckedWays } from '#app/content/settings/sections.server.ts'
import { saveSection, findSection } from '#app/content/settings/settings.server.ts'
import { Stop } from '#app/platform/errors/stop.ts'
import { newId } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { berlin, saveBilling } from '#test/invoices.ts'
import { taxOf, type TaxedBuyer } from './tax.server.ts'

await startEndpoints()

const company = { countryCode: 'DE', kind: 'business', vatNumber: '', vatState: 'not_checked' } as const satisfies TaxedBuyer
const at = new Date('2026-06-01T12:00:00Z')
const charged = (buyer: Partial<TaxedBuyer>, supply: 'data' | 'service' = 'data', day = at) =>
  taxOf({ ...company, ...buyer }, day)({ supply })

/** The sentence that ends the work. */
function refusal(work: () => unknown): string {
  try {
    return `not refused: ${JSON.stringify(work())}`
  } catch (error) {
    if (error instanceof Stop) return error.data
    throw error
  }
}

describe('before the owner has chosen', () => {
  test('a real order waits with a sentence, and a test order has no tax', () => {
    expect(refusal(() => taxOf(company, at))).toContain('Settings, Billing')
    expect(taxOf(company, at, { isTest: true })({ supply: 'data' })).toMatchObject({ category: 'O', rate: 0 })
  })
})

describe('a seller without VAT', () => {
  afterEach(async () => saveSection('billing', null, newId(), (await findSection('billing')).version))

  test('has the sentence of its mode on each line, and a private person is told that we sell to businesses', async () => {
    await saveBilling()
    expect(charged({})).toEqual({ category: 'O', rate: 0, reason: 'No VAT or sales tax is charged on this supply.' })
    expect(refusal(() => charged({ kind: 'consumer' }))).toContain('businesses only')
    await saveBilling({
      mode: taxModes.small,
      taxNumber: '30/123/45678',
      smallBusiness: 'Gemäß § 19 UStG wird keine Umsatzsteuer berechnet.',
    })
    expect(charged({})).toMatchObject({ category: 'E', rate: 0, reason: 'Gemäß § 19 UStG wird keine Umsatzsteuer berechnet.' })
  })
})

describe('a seller of the EU with VAT', () => {
  const paris = { countryCode: 'FR', vatNumber: 'FR83404833048' }
  beforeAll(async () => saveBilling(berlin))

  test('charges its own country by the table, the particular rule before the general one', () => {
    expect(charged({})).toEqual({ category: 'S', rate: 1900, reason: '' })
    expect(charged({}, 'service')).toEqual({ category: 'S', rate: 700, reason: '' })
  })

  test('leaves the tax to a company of the EU whose number is confirmed, and charges one without a confirmed number', () => {
    expect(charged({ ...paris, vatState: 'valid' })).toMatchObject({ category: 'AE', rate: 0 })
    expect(charged({ ...paris, vatNumber: '' })).toMatchObject({ category: 'S', rate: 2100 })
    expect(charged({ ...paris, vatState: 'invalid' })).toMatchObject({ category: 'S', rate: 2100 })
  })

  test('holds, charges or takes the evidence of staff while nothing answers about a number, as the owner chose', async () => {
    expect(refusal(() => charged(paris))).toContain('could not be checked')
    await saveBilling({ ...berlin, whenUnchecked: uncheckedWays.charge })
    expect(charged(paris)).toMatchObject({ category: 'S', rate: 2100 })
    await saveBilling({ ...berlin, whenUnchecked: uncheckedWays.evidence })
    expect(refusal(() => charged(paris))).toContain('could not be checked')
    expect(charged({ ...paris, vatEvidence: 'Register extract of May 30' })).toMatchObject({ category: 'AE' })
  })

  test('is out of scope outside the EU, unless the table has the country', async () => {
    expect(charged({ countryCode: 'US' })).toMatchObject({ category: 'O', rate: 0 })
    await saveBilling({ ...berlin, rates: [...berlin.rates, { country: 'CH', supply: 'Everything', rate: '8.1' }] })
    expect(charged({ countryCode: 'CH' })).toEqual({ category: 'S', rate: 810, reason: '' })
  })

  test('follows regions, exemptions, zero rates and the day from which a rate holds', async () => {
    await saveBilling({
      ...berlin,
      rates: [
        { country: 'DE', supply: 'Everything', rate: '19' },
        { country: 'DE', supply: 'Everything', rate: '21', from: '2027-01-01' },
        { country: 'DE', region: 'Helgoland', supply: 'Everything', rate: '0', exempt: 'Helgoland is outside of the VAT area.' },
        { country: 'FR', supply: 'Data', rate: '0' },
      ],
    })
    expect(charged({}, 'data', new Date('2026-12-31T22:59:00Z')).rate).toBe(1900)
    // The day is that of Berlin.
    expect(charged({}, 'data', new Date('2026-12-31T23:00:00Z')).rate).toBe(2100)
    expect(charged({ region: 'helgoland' })).toEqual({ category: 'E', rate: 0, reason: 'Helgoland is outside of the VAT area.' })
    expect(charged({ countryCode: 'FR' })).toEqual({ category: 'Z', rate: 0, reason: '' })
  })

  test('never guesses: without a rule there is a sentence', async () => {
    await saveBilling({ ...berlin, rates: [{ country: 'DE', supply: 'Data', rate: '19' }] })
    expect(refusal(() => charged({}, 'service'))).toBe(
      'We have no tax rule for Germany yet, so this cannot be ordered. Please write to us.',
    )
    expect(refusal(() => charged({ ...paris, vatNumber: '' }))).toContain('Enter the VAT number')
    expect(refusal(() => charged({ ...paris, vatState: 'invalid' }))).toContain('does not know the VAT number FR83404833048')
    expect(refusal(() => charged({ countryCode: '' }))).toContain('country of your organization')
    expect(refusal(() => taxOf(company, at, { currency: 'CHF' })({ supply: 'data' }))).toContain('exchange rate')
    await saveBilling({ ...berlin, exchange: [{ currency: 'CHF', rate: '0.9412', on: '2026-05-29' }] })
    expect(taxOf(company, at, { currency: 'CHF' })({ supply: 'data' }).rate).toBe(1900)
  })
})

import { shareOf } from '#app/billing/orders/totals.ts'
import type { ProviderTax } from '#app/billing/orders/order.ts'
import { isInEu, reasons } from '#app/billing/tax/tax.ts'
import type { TaxAsked } from './provider.server.ts'

/** In percent. A sketch for trying things out: real rates and rules are those of a real provider. */
const rates: Readonly<Record<string, number>> = {
  AT: 20,
  AU: 10,
  CH: 8.1,
  DE: 19,
  ES: 21,
  FR: 20,
  GB: 20,
  IE: 23,
  IT: 22,
  NL: 21,
  PL: 23,
  US: 8.875,
}

/** The tax of the test provider: by country, without state or city, and none for companies of the EU with a number in another country of it. */
export function testTax(net: number, { isBusiness, countryCode, vatNumber }: TaxAsked, sellerCountry: string): ProviderTax {
  const place = { countryCode, region: '', taxId: isBusiness ? vatNumber : '' }
  const isWithinEu = countryCode !== sellerCountry && isInEu(countryCode) && isInEu(sellerCountry)
  if (isWithinEu && place.taxId) return { ...place, tax: 0, category: 'AE', rate: 0, reason: reasons.reverseCharge, jurisdiction: '' }
  const percent = rates[countryCode]
  if (percent === undefined) {
    return {
      ...place,
      tax: 0,
      category: 'O',
      rate: 0,
      reason: 'The table of the test provider has no rate for this country.',
      jurisdiction: '',
    }
  }
  const country = new Intl.DisplayNames('en', { type: 'region' }).of(countryCode) ?? countryCode
  const jurisdiction = `${country} ${percent}%`
  return {
    ...place,
    tax: shareOf(net, Math.round(percent * 1000), 5),
    category: 'S',
    rate: Math.round(percent * 100),
    reason: '',
    jurisdiction,
  }
}

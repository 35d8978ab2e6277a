import { billing, type BillingSettings } from '#app/content/billing.server.ts'
import { schemaOf, taxModes } from '#app/content/settings/sections.server.ts'
import { findSection, saveSection } from '#app/content/settings/settings.server.ts'
import type { OrderLine } from '#app/billing/orders/order.ts'
import { totalsOf } from '#app/billing/orders/totals.ts'
import { taxOf } from '#app/billing/tax/tax.server.ts'
import { vies } from '#app/billing/tax/vat-number.server.ts'
import { db, insert, newId } from '#app/platform/database/db.server.ts'
import type { NewRow, Row } from '#db/tables.ts'

/** The register of the EU of the tests. */
vies.ask = async () => ({ state: 'valid', consultation: 'WAPIAAAATEST' })

/** A seller in Berlin that charges VAT. */
export const berlin = {
  name: 'Winnow Daten GmbH',
  street: 'Lindenstraße 7',
  postcode: '10969',
  city: 'Berlin',
  country: 'DE',
  email: 'rechnung@winnow.example',
  phone: '+49 30 1234567',
  vatNumber: 'DE136695976',
  iban: 'DE89370400440532013000',
  bic: 'COBADEFFXXX',
  zone: 'Europe/Berlin',
  mode: taxModes.vat,
  rates: [
    { country: 'DE', supply: 'Everything', rate: '19' },
    { country: 'DE', supply: 'Services', rate: '7' },
    { country: 'EU', supply: 'Everything', rate: '21' },
  ],
} as const satisfies Partial<Omit<BillingSettings, 'rates'>> & { rates: readonly BillingSettings['rates'][number][] }

type Lists = { rates?: readonly BillingSettings['rates'][number][]; exchange?: readonly BillingSettings['exchange'][number][] }

/** Saves the section of the settings; what is not given has its default. */
export async function saveBilling(given: Omit<Partial<BillingSettings>, keyof Lists> & Lists = {}) {
  const { version } = await findSection('billing')
  await saveSection('billing', schemaOf('billing').parse({ ...billing, rates: [], exchange: [], ...given }), newId(), version)
}

/** A company that buys. */
export async function makeCompany(given: Partial<NewRow<'organizations'>> = {}): Promise<Row<'organizations'>> {
  return insert(db, 'organizations', {
    reference: `O-${newId()}`,
    name: 'Acme Retail',
    legalName: 'Acme Retail SARL',
    address: '12 rue de la Paix\n75002 Paris',
    countryCode: 'FR',
    kind: 'business',
    vatNumber: 'FR83404833048',
    vatState: 'valid',
    monthlyQuota: 1000,
    billingEmails: 'billing@acme.example',
    ...given,
  })
}

type Given = Partial<Omit<NewRow<'orders'>, 'lines' | 'taxParts' | 'net' | 'tax' | 'gross' | 'organizationId'>>
type Lines = readonly Omit<OrderLine, 'net' | 'taxCategory' | 'taxRate'>[]

export const aDataset = {
  title: 'Prices of 40 shops',
  detail: 'All versions of 12 months',
  quantity: 1000,
  unitAmount: 14_900,
  discount: 0,
  supply: 'data',
} as const satisfies Lines[number]

/** A paid order of a company, taxed as it would be now. */
export async function makeOrder(buyer: Row<'organizations'>, lines: Lines = [aDataset], given: Given = {}): Promise<Row<'orders'>> {
  const currency = given.currency ?? 'USD'
  const totals = totalsOf(lines, taxOf(buyer, new Date(), { isTest: given.isTest ?? false, currency }))
  return insert(db, 'orders', {
    reference: `B-${newId()}`,
    kind: 'dataset',
    title: lines[0]?.title ?? 'An order',
    state: 'paid',
    isBusiness: true,
    ...given,
    currency,
    organizationId: buyer.id,
    ...totals,
    lines: JSON.stringify(totals.lines),
    taxParts: JSON.stringify(totals.taxParts),
  })
}

import { legalEntity } from './legal.ts'
import { liveContent } from './settings/live.ts'
import type { StoredSettings } from './settings/sections.server.ts'

export type BillingSettings = StoredSettings['billing']

/** The defaults of the form. Real invoices require that an owner has saved the section. */
const defaults: BillingSettings = {
  get name() {
    return legalEntity.name
  },
  street: '1200 Example Street, Suite 4',
  postcode: '19801',
  city: 'Wilmington',
  country: 'US',
  zone: 'UTC',
  mode: 'No tax, with a sentence',
  noTax: 'No VAT or sales tax is charged on this supply.',
  smallBusiness: 'Exempt from VAT as a small business.',
  whenUnchecked: 'Hold the order',
  rates: [],
  exchange: [],
  prefix: 'INV-',
  paymentDays: 14,
  secondPersonFrom: 1000,
  keepYears: 10,
}

/** The seller as invoices name it, with its taxes and terms. */
export const billing = liveContent('billing', defaults, (saved) => saved)

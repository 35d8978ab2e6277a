import { z } from 'zod/mini'

export const orderKinds = ['dataset', 'renewal', 'deposit', 'final', 'fee'] as const
export const orderStates = ['open', 'processing', 'paid', 'failed', 'expired', 'cancelled'] as const
export type OrderState = (typeof orderStates)[number]

/** The states that may follow each one. The last four are final: whoever tries again makes a new order. */
export const nextStates: Record<OrderState, readonly OrderState[]> = {
  open: ['processing', 'paid', 'failed', 'expired', 'cancelled'],
  processing: ['paid', 'failed', 'expired', 'cancelled'],
  paid: [],
  failed: [],
  expired: [],
  cancelled: [],
}

/** Tax categories of EN 16931: standard, zero, exempt, reverse charge, export, within the EU, out of scope. */
export const taxCategories = ['S', 'Z', 'E', 'AE', 'G', 'K', 'O'] as const

const amount = z.int()

/** The time that an order of a subscription pays for, as days where the business is. Null for other orders. */
export const orderPeriod = z.nullable(z.object({ start: z.string(), end: z.string() }))

/** A line of an order. Amounts are in the smallest unit of the currency of the order. */
export const orderLine = z.object({
  title: z.string(),
  detail: z.string(),
  /** In thousandths. */
  quantity: z.int(),
  unitAmount: amount,
  discount: amount,
  /** Quantity times unit amount, rounded half up, less the discount. */
  net: amount,
  /** Set on a discount on the whole order: its net is negative, and invoices show it as an allowance. */
  isAllowance: z.optional(z.boolean()),
  /** The kind of supply, which decides the tax. */
  supply: z.enum(['data', 'service']),
  taxCategory: z.enum(taxCategories),
  /** Of 10,000: 1900 is 19%. */
  taxRate: z.int(),
})

export type OrderLine = z.infer<typeof orderLine>

/** The tax of all lines with one category and rate. */
export const taxPart = z.object({
  category: z.enum(taxCategories),
  rate: z.int(),
  net: amount,
  tax: amount,
  /** Why there is no tax, as the invoice says it. Empty where there is. */
  reason: z.string(),
  /** Where the tax is owed, with exact rates. Only for the tax of a payment provider. */
  jurisdiction: z.optional(z.string()),
})

export type TaxPart = z.infer<typeof taxPart>

/** The tax of an order as the payment provider computed it. */
export const providerTax = z.object({
  tax: amount,
  category: z.enum(taxCategories),
  /** Of 10,000, rounded: several rates of one place are one. */
  rate: z.int(),
  reason: z.string(),
  /** Such as `Germany 19%`, or the state and the city with their rates. */
  jurisdiction: z.string(),
  /** Of the address that the provider has used. */
  countryCode: z.string(),
  region: z.string(),
  /** The tax number that the buyer entered there. */
  taxId: z.string(),
})

export type ProviderTax = z.infer<typeof providerTax>

/** The licence that the buyer accepted. */
export const orderLicence = z.object({
  version: z.string(),
  /** SHA-256 of the text, in hex. */
  hash: z.string(),
  text: z.string(),
  acceptedAt: z.string(),
  acceptedBy: z.string(),
})

export type OrderLicence = z.infer<typeof orderLicence>

/** The consent of a private person to immediate supply. */
export const supplyConsent = z.object({ version: z.string(), text: z.string(), acceptedAt: z.string(), acceptedBy: z.string() })

export type SupplyConsent = z.infer<typeof supplyConsent>

import { z } from 'zod/mini'
import { orderLine, taxPart } from '#app/billing/orders/order.ts'

export const invoiceKinds = ['invoice', 'prepayment', 'credit_note', 'corrected'] as const
export type InvoiceKind = (typeof invoiceKinds)[number]

/** The codes of UNTDID 1001. */
export const typeCodes: Record<InvoiceKind, number> = { invoice: 380, prepayment: 386, credit_note: 381, corrected: 384 }

const seller = z.object({
  name: z.string(),
  street: z.string(),
  postcode: z.string(),
  city: z.string(),
  countryCode: z.string(),
  email: z.string(),
  phone: z.string(),
  vatNumber: z.string(),
  taxNumber: z.string(),
  iban: z.string(),
  bic: z.string(),
})

const buyer = z.object({
  /** Of the organization; empty for a personal one. */
  reference: z.string(),
  name: z.string(),
  /** As it was entered, in lines. */
  address: z.string(),
  countryCode: z.string(),
  isBusiness: z.boolean(),
  vatNumber: z.string(),
  email: z.string(),
  buyerReference: z.string(),
  electronicAddress: z.string(),
})

/** An earlier invoice that this one is about. */
const earlier = z.object({ number: z.string(), issuedOn: z.string() })

const prepaid = z.extend(earlier, { net: z.int(), tax: z.int(), gross: z.int(), taxParts: z.array(taxPart) })

export type Prepaid = z.infer<typeof prepaid>

/** Everything that an invoice says. Amounts are in the smallest unit of its currency, and those of a credit note are positive, except where it takes an earlier one back. */
export const invoiceDocument = z.object({
  number: z.string(),
  kind: z.enum(invoiceKinds),
  /** Dates are those of the zone of the business, such as `2026-12-31`. */
  issuedOn: z.string(),
  /** Null for what is paid already, and for credit notes. */
  dueOn: z.nullable(z.string()),
  /** The day of the supply, or the period from it to the second. */
  suppliedOn: z.string(),
  suppliedUntil: z.nullable(z.string()),
  /** Two letters. */
  language: z.string(),
  /** The machine-readable format: inside the PDF (Factur-X) or a separate file. Empty: none. */
  format: z.enum(['', 'factur-x', 'xrechnung', 'peppol']),
  currency: z.string(),
  seller,
  buyer,
  order: z.string(),
  purchaseOrder: z.string(),
  lines: z.array(orderLine),
  taxParts: z.array(taxPart),
  net: z.int(),
  tax: z.int(),
  gross: z.int(),
  isPaid: z.boolean(),
  /** The prepayments that a final invoice takes off; its lines have them already. */
  prepaid: z.array(prepaid),
  corrects: z.nullable(earlier),
  reason: z.string(),
  /** Where the currency is not the seller's: the tax in the seller's, and the rate behind it. */
  exchange: z.nullable(z.object({ currency: z.string(), rate: z.string(), on: z.string(), tax: z.int() })),
  isTest: z.boolean(),
})

export type InvoiceDocument = z.infer<typeof invoiceDocument>

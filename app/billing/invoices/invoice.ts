import { z } from 'zod/mini'
import { invoiceKinds } from './document.ts'

export const INVOICES = '/api/invoices'

/** An invoice in lists. Amounts are in the smallest unit of the currency, and those of credit notes are positive. */
export const listedInvoice = z.object({
  id: z.string(),
  number: z.string(),
  kind: z.enum(invoiceKinds),
  orderId: z.string(),
  issuedOn: z.string(),
  dueOn: z.nullable(z.string()),
  currency: z.string(),
  net: z.int(),
  tax: z.int(),
  gross: z.int(),
  isTest: z.boolean(),
  /** The invoice that takes its place, once it was corrected. */
  correctedBy: z.nullable(z.string()),
  /** False until its document has been made. */
  hasPdf: z.boolean(),
  hasXml: z.boolean(),
})

export type ListedInvoice = z.infer<typeof listedInvoice>

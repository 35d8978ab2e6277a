import { z } from 'zod/mini'
import { atMost, oneLine } from '#app/platform/text/clean-text.ts'
import type { Receipt } from '#app/datasets/catalog/receipt.ts'
import { type InvoiceKind, invoiceKinds } from './document.ts'

export const INVOICES = '/api/invoices'

/** An invoice in lists. Amounts are in the smallest unit of the currency, and those of credit notes are positive, except where one takes an earlier one back. */
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

export const correctBody = z.object({
  reason: z
    .string('Enter a reason')
    .check(z.overwrite(oneLine), z.minLength(1, 'Enter a reason'), ...atMost(300, 'The reason must be at most 300 characters')),
})

export const invoiceLabels: Record<InvoiceKind, string> = {
  invoice: 'Invoice',
  prepayment: 'Prepayment invoice',
  credit_note: 'Credit note',
  corrected: 'Corrected invoice',
}

/** The document of an order that can be corrected: its newest invoice, as long as nothing of it is credited. */
export function correctableOf<Document extends { kind: InvoiceKind }>(documents: readonly Document[]): Document | undefined {
  if (documents.some(({ kind }) => kind === 'credit_note')) return undefined
  return documents.at(-1)
}

/** A credit note with a negative amount takes an earlier one back. */
export function invoiceLabel({ kind, gross }: Pick<ListedInvoice, 'kind' | 'gross'>): string {
  return gross < 0 && kind === 'credit_note' ? 'Reversed credit note' : invoiceLabels[kind]
}

/** A document beside its order, for those who may open it. */
export function receiptOf({ id, kind, gross, number, correctedBy, hasPdf, hasXml }: ListedInvoice): Receipt {
  const title = `${invoiceLabel({ kind, gross })} ${number}${correctedBy ? ` (replaced by ${correctedBy})` : ''}`
  return { id, title, pdfUrl: hasPdf ? `${INVOICES}/${id}/pdf` : null, xmlUrl: hasXml ? `${INVOICES}/${id}/xml` : null }
}

import type { Generated } from 'kysely'
import type { InvoiceDocument } from '#app/billing/invoices/document.ts'
import type { CreatedAt, Json } from './column-kinds.ts'

/** The tables of invoices. Amounts are in the smallest unit of their currency; dates are those of the zone of the business. */
export type InvoiceTables = {
  invoiceCounters: InvoiceCounters
  invoices: Invoices
  invoiceFiles: InvoiceFiles
  vatChecks: VatChecks
}

type InvoiceCounters = {
  series: string
  year: number
  last: number
  lastOn: string
}

type Invoices = {
  id: string
  number: string
  series: string
  year: number
  serial: number
  kind: 'invoice' | 'prepayment' | 'credit_note' | 'corrected'
  orderId: string
  organizationId: string
  correctsId: string | null
  currency: string
  net: number
  tax: number
  gross: number
  issuedOn: string
  dueOn: string | null
  document: Json<InvoiceDocument>
  isTest: Generated<boolean>
  createdAt: CreatedAt
}

type InvoiceFiles = {
  invoiceId: string
  numberStoredAt: Date | null
  pdfBytes: number | null
  pdfHash: string | null
  xmlFormat: Generated<'' | 'factur-x' | 'xrechnung' | 'peppol'>
  xmlBytes: number | null
  xmlHash: string | null
  failure: Generated<string>
  madeAt: Date | null
  sentAt: Date | null
}

type VatChecks = {
  id: string
  organizationId: string
  invoiceId: string | null
  vatNumber: string
  state: 'valid' | 'invalid' | 'not_checked'
  consultation: Generated<string>
  failure: Generated<string>
  createdAt: CreatedAt
}

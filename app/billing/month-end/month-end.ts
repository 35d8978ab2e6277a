import { z } from 'zod/mini'
import { BILLING } from '#app/billing/admin/desk.ts'

export const MONTHS = `${BILLING}/months`

/** The files of a month for an accountant. */
export const monthFiles = {
  'journal.csv': 'Journal',
  'open-items.csv': 'Open items at its end',
  'vat.csv': 'VAT by country and rate',
  'ec-sales.csv': 'EC sales list',
  'us-sales.csv': 'Sales by US state, 12 months',
  'datev.csv': 'DATEV',
  'documents.zip': 'Invoices as PDF and XML',
} as const

export type MonthFile = keyof typeof monthFiles

const isFile = (name: string): name is MonthFile => name in monthFiles
export const monthFileNames = Object.keys(monthFiles).filter(isFile)

export const monthParams = z.object({ month: z.string().check(z.regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'A month is written as 2026-11')) })

/** A month with its invoices. Amounts are in the currency of the site, in its smallest unit. */
export const listedMonth = z.object({
  /** As `2026-11`. */
  id: z.string(),
  currency: z.string(),
  documents: z.number(),
  /** Of those, the ones in another currency, which the sums leave out. */
  foreign: z.number(),
  net: z.number(),
  tax: z.number(),
  /** Not over yet, so it cannot be closed. */
  isCurrent: z.boolean(),
  /** With it, or with a later one. */
  closedAt: z.nullable(z.string()),
  closedBy: z.nullable(z.string()),
})

export type ListedMonth = z.infer<typeof listedMonth>

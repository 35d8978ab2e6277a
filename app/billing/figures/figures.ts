import { z } from 'zod/mini'
import { BILLING } from '#app/billing/admin/desk.ts'

export const BILLING_FIGURES = `${BILLING}/figures`

const share = z.object({ name: z.string(), net: z.number() })

/** Net amounts in the currency of the site, in its smallest unit. Credit notes are taken off. */
export const billingFigures = z.object({
  currency: z.string(),
  /** The last 12 months, the oldest first: of the invoices that were issued in them. */
  months: z.array(z.object({ month: z.string(), paid: z.number(), open: z.number(), overdue: z.number() })),
  /** Of the same 12 months, the largest first. */
  sources: z.array(share),
  services: z.array(share),
  proposals: z.object({ count: z.number(), net: z.number() }),
  /** Owed on invoices, with tax: what customers still have to pay, and how much of it is late. */
  unpaid: z.object({ owed: z.number(), overdue: z.number() }),
  /** Deposits that accepted proposals wait for, with tax. */
  deposits: z.object({ count: z.number(), gross: z.number() }),
  /** Lines of bank statements that wait for staff. */
  transfers: z.number(),
})

export type BillingFigures = z.infer<typeof billingFigures>

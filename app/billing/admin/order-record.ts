import { z } from 'zod/mini'
import { invoiceKinds } from '#app/billing/invoices/document.ts'
import { orderLicence, orderLine, orderPeriod, supplyConsent, taxPart } from '#app/billing/orders/order.ts'
import { refundState } from '#app/billing/refunds/refund.ts'
import { atMost } from '#app/platform/text/clean-text.ts'
import { listedOrder, providers } from './desk.ts'

const someone = z.nullable(z.string())

/** The actions of staff for an order. */
export const orderActions = ['pay', 'cancel', 'approveCancel', 'declineCancel', 'reminders'] as const
export type OrderAction = (typeof orderActions)[number]

/** Everything of an order, for staff. Amounts are in the smallest unit of its currency. */
export const orderRecord = z.extend(listedOrder, {
  lines: z.array(orderLine),
  taxParts: z.array(taxPart),
  net: z.number(),
  tax: z.number(),
  purchaseOrder: z.string(),
  failure: z.string(),
  licence: z.nullable(orderLicence),
  supplyConsent: z.nullable(supplyConsent),
  withdrawal: z.nullable(
    z.object({
      name: z.string(),
      state: z.enum(['received', 'refunded', 'staff', 'cancelled']),
      createdAt: z.string(),
      /** Staff had to decide, and have. */
      isDecided: z.boolean(),
    }),
  ),
  /** The address of the person who ordered. */
  orderedBy: someone,
  product: z.nullable(z.object({ slug: z.string(), name: z.string() })),
  subscription: z.nullable(z.string()),
  period: orderPeriod,
  remindersPaused: z.boolean(),
  /** The actions that its reader can take now. */
  actions: z.array(z.enum(orderActions)),
  /** A cancellation that waits for a second person. */
  cancelAsked: z.nullable(z.object({ by: someone, reason: z.string() })),
  version: z.number(),
  invoices: z.array(
    z.object({ id: z.string(), number: z.string(), kind: z.enum(invoiceKinds), gross: z.number(), issuedOn: z.string(), dueOn: someone }),
  ),
  payments: z.array(
    z.object({
      /** Of the allocation. */
      id: z.string(),
      paymentId: z.string(),
      provider: z.enum(providers),
      /** For this order. */
      amount: z.number(),
      whole: z.number(),
      fee: z.nullable(z.number()),
      paidAt: z.string(),
    }),
  ),
  /** The refundable rest of each payment. */
  refundable: z.array(z.object({ paymentId: z.string(), amount: z.number() })),
  refunds: z.array(
    z.object({
      id: z.string(),
      paymentId: z.string(),
      amount: z.number(),
      state: refundState,
      reason: z.string(),
      /** Why it failed or was declined. */
      failure: z.string(),
      askedBy: someone,
      /** By the person who reads it: nobody approves a refund of their own. */
      mayApprove: z.boolean(),
      createdAt: z.string(),
    }),
  ),
  disputes: z.array(
    z.object({
      id: z.string(),
      amount: z.number(),
      fee: z.number(),
      state: z.enum(['inquiry', 'open', 'won', 'lost']),
      reason: z.string(),
      evidenceDueAt: someone,
      createdAt: z.string(),
    }),
  ),
  reminders: z.array(z.object({ step: z.number(), interest: z.number(), fee: z.number(), sentAt: z.string() })),
  ledger: z.array(
    z.object({ id: z.string(), cause: z.string(), account: z.string(), amount: z.number(), currency: z.string(), occurredAt: z.string() }),
  ),
  events: z.array(
    z.object({ id: z.string(), provider: z.string(), kind: z.string(), occurredAt: z.string(), appliedAt: someone, refusal: z.string() }),
  ),
  timeline: z.array(z.object({ id: z.string(), action: z.string(), reason: z.string(), by: someone, at: z.string() })),
})

export type OrderRecord = z.infer<typeof orderRecord>

export const cancelBody = z.object({
  reason: z
    .string('Enter a reason')
    .check(z.trim(), z.minLength(3, 'Enter a reason of at least 3 characters'), ...atMost(300, 'At most 300 characters')),
})

export const remindersBody = z.object({ paused: z.boolean('This must be true or false') })

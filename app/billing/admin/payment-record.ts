import { z } from 'zod/mini'
import { refundState } from '#app/billing/refunds/refund.ts'
import { atMost } from '#app/platform/text/clean-text.ts'
import { UUID } from '#app/platform/text/uuid.ts'
import { isoDay } from '#app/platform/time/iso-moment.ts'
import { listedPayment } from './desk.ts'

/** A payment with what it paid. Amounts are in the smallest unit of its currency. */
export const paymentRecord = z.extend(listedPayment, {
  providerId: z.string(),
  enteredBy: z.nullable(z.string()),
  allocations: z.array(
    z.object({
      id: z.string(),
      order: z.string(),
      title: z.string(),
      amount: z.number(),
      by: z.nullable(z.string()),
      createdAt: z.string(),
    }),
  ),
  refunds: z.array(
    z.object({
      id: z.string(),
      amount: z.number(),
      state: refundState,
      reason: z.string(),
      /** Why it failed or was declined. */
      failure: z.string(),
      /** By the person who reads it: nobody approves a refund of their own. */
      mayApprove: z.boolean(),
      createdAt: z.string(),
    }),
  ),
  /** The part of what is left that no refund waits for: it can be refunded, or pay an order. */
  free: z.number(),
  /** The text of the bank. */
  bankLine: z.nullable(
    z.object({
      bookedOn: z.string(),
      payer: z.string(),
      payerAccount: z.string(),
      purpose: z.string(),
      amount: z.number(),
      currency: z.string(),
    }),
  ),
  /** Orders of the customer that still take money in this currency. */
  payable: z.array(z.object({ reference: z.string(), title: z.string(), owed: z.number() })),
})

export type PaymentRecord = z.infer<typeof paymentRecord>

const amount = z.int('Enter an amount, such as 119.00').check(z.minimum(1, 'Enter an amount above zero'))

const order = z
  .string('Enter the order')
  .check(z.trim(), z.minLength(1, 'Enter the order, such as B-7K3M9Q'), ...atMost(40, 'There is no such order'))

/** A credit that pays an order. */
export const allocationBody = z.object({ order, amount })

/** A payment that staff enter: cash, a cheque, another bank. */
export const enteredPayment = z.object({
  /** Sent twice, it is entered once. */
  key: z.string('Send a key').check(z.regex(UUID, 'The key must be a UUID')),
  order,
  amount,
  paidOn: isoDay('Enter a date, such as 2026-12-31'),
  note: z
    .string('Enter a note')
    .check(z.trim(), z.minLength(3, 'Say how it was paid, in at least 3 characters'), ...atMost(300, 'At most 300 characters')),
})

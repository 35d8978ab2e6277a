import { z } from 'zod/mini'
import { atMost, oneLine } from '#app/platform/text/clean-text.ts'

/** Refunds, disputes and what they leave to decide, for staff. */
export const STAFF_BILLING = '/api/admin/billing'

const reason = z
  .string('Enter a reason')
  .check(z.overwrite(oneLine), z.minLength(1, 'Enter a reason'), ...atMost(200, 'The reason must be at most 200 characters'))

/** A second person declines what another one asked for. */
export const declineBody = z.object({ reason })

export const refundBody = z.object({
  /** Empty for what no order took of the payment. */
  orderId: z._default(z.string('Choose an order').check(z.maxLength(40, 'Choose an order')), ''),
  /** In the smallest unit of the currency. */
  amount: z.int('Enter an amount').check(z.positive('Enter an amount above zero'), z.maximum(10 ** 12, 'The amount is too large')),
  reason,
})

export const refundState = z.enum(['asked', 'pending', 'succeeded', 'failed', 'declined'])
export type RefundState = z.infer<typeof refundState>

export const refundReceipt = z.object({ id: z.string(), state: refundState })

/** The kinds of tasks that wait for a second person. They are decided at their order or payment, and their asker cannot approve them. */
export const decidedElsewhere = ['refund_asked', 'cancel_asked'] as const

export const taskNote = z.object({
  note: z._default(z.string().check(z.overwrite(oneLine), ...atMost(500, 'The note must be at most 500 characters')), ''),
})

/** The bank actions of the test provider. */
export const testDisputeBody = z.object({ state: z.enum(['inquiry', 'open', 'won', 'lost'], 'Choose a state') })

import { z } from 'zod/mini'
import { orderKinds, orderPeriod, orderStates } from '#app/billing/orders/order.ts'
import { receipt } from '#app/datasets/catalog/receipt.ts'

/** An order as the members of its organization see it. For those who do not buy, amounts are null and it has no invoices. */
export const ownOrder = z.object({
  id: z.string(),
  reference: z.string(),
  kind: z.enum(orderKinds),
  title: z.string(),
  state: z.enum(orderStates),
  method: z.enum(['checkout', 'invoice']),
  period: orderPeriod,
  /** Whether its customer can still cancel it. Renewals are cancelled with their subscription. */
  mayCancel: z.boolean(),
  /** Whether they ask staff to cancel it: its invoice is issued. */
  isCancelledByStaff: z.boolean(),
  failure: z.string(),
  /** The dataset, as long as there is one. */
  slug: z.nullable(z.string()),
  purchaseOrder: z.string(),
  currency: z.string(),
  /** In the smallest unit of the currency. */
  net: z.nullable(z.number()),
  tax: z.nullable(z.number()),
  gross: z.nullable(z.number()),
  /** The total in words: with tax, or without the tax that the payment page adds. */
  total: z.nullable(z.string()),
  /** Whether it can be paid now: a renewal is charged by the provider, which may have a page for it. */
  mayPay: z.boolean(),
  invoices: z.array(receipt),
  /** The contract of a private person, from which they can withdraw. */
  isConsumer: z.boolean(),
  /** They have withdrawn from it. */
  isWithdrawn: z.boolean(),
  /** How much of it was paid back. */
  refunded: z.enum(['none', 'part', 'whole']),
  isTest: z.boolean(),
  createdAt: z.string(),
  dueAt: z.nullable(z.string()),
  /** The last day to pay an invoice, where the business is. */
  dueOn: z.nullable(z.string()),
  paidAt: z.nullable(z.string()),
})

export type OwnOrder = z.infer<typeof ownOrder>

/** `nextCursor` is null on the last page. */
export const ownOrderPage = z.object({ items: z.array(ownOrder), nextCursor: z.nullable(z.string()) })

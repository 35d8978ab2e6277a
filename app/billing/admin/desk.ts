import { z } from 'zod/mini'
import { invoiceKinds } from '#app/billing/invoices/document.ts'
import { orderKinds, orderStates } from '#app/billing/orders/order.ts'
import { decidedElsewhere } from '#app/billing/refunds/refund.ts'
import { paging, searchText } from '#app/ui/admin/paging.ts'

/** Billing for staff. */
export const BILLING = '/api/admin/billing'
export const billingData = [BILLING]

const q = searchText('Search for one text of at most 200 characters.')
const sortOf = <const Keys extends readonly string[]>(keys: Keys) =>
  z.optional(
    z.enum(
      keys.flatMap((key): (Keys[number] | `-${Keys[number]}`)[] => [key, `-${key}`]),
      `The order is by ${keys.join(', ')}, with a - in front for the last first.`,
    ),
  )

/** `overdue` are those by invoice whose day to pay has passed; `unpaid` are all that take money; `refunded` are those of which some went back. */
export const shownOrderStates = [...orderStates, 'overdue', 'unpaid', 'refunded', 'disputed'] as const

export const orderChoice = z.object({
  q,
  state: z.optional(z.enum(shownOrderStates, 'There is no such state.')),
  kind: z.optional(z.enum(orderKinds, 'There is no such kind.')),
  method: z.optional(z.enum(['checkout', 'invoice'], 'The method is checkout or invoice.')),
  sort: sortOf(['created', 'gross', 'due']),
})
export const orderQuery = z.extend(orderChoice, paging)

const organization = z.object({ id: z.string(), reference: z.nullable(z.string()), name: z.string() })

/** Amounts are in the smallest unit of the currency. */
export const listedOrder = z.object({
  id: z.string(),
  reference: z.string(),
  title: z.string(),
  kind: z.enum(orderKinds),
  state: z.enum(orderStates),
  method: z.enum(['checkout', 'invoice']),
  organization,
  currency: z.string(),
  gross: z.number(),
  owed: z.number(),
  /** The money that went back to the customer. */
  refunded: z.number(),
  /** The dispute that holds its money, or has taken it. */
  dispute: z.nullable(z.enum(['open', 'lost'])),
  invoice: z.nullable(z.string()),
  dueOn: z.nullable(z.string()),
  isOverdue: z.boolean(),
  isTest: z.boolean(),
  createdAt: z.string(),
  paidAt: z.nullable(z.string()),
})
export type ListedOrder = z.infer<typeof listedOrder>
export const orderPage = z.object({ orders: z.array(listedOrder), nextCursor: z.nullable(z.string()) })

export const invoiceChoice = z.object({
  q,
  kind: z.optional(z.enum(invoiceKinds, 'There is no such kind.')),
  state: z.optional(z.enum(['unpaid', 'overdue', 'paid'], 'The state is unpaid, overdue or paid.')),
  sort: sortOf(['issued', 'gross', 'due']),
})
export const invoiceQuery = z.extend(invoiceChoice, paging)

export const listedInvoice = z.object({
  id: z.string(),
  number: z.string(),
  kind: z.enum(invoiceKinds),
  order: z.string(),
  organization,
  currency: z.string(),
  net: z.number(),
  tax: z.number(),
  gross: z.number(),
  /** Of its order. */
  owed: z.number(),
  issuedOn: z.string(),
  dueOn: z.nullable(z.string()),
  isOverdue: z.boolean(),
  /** A corrected invoice took its place. */
  isReplaced: z.boolean(),
  isTest: z.boolean(),
})
export type ListedInvoice = z.infer<typeof listedInvoice>
export const invoicePage = z.object({ invoices: z.array(listedInvoice), nextCursor: z.nullable(z.string()) })

export const providers = ['test', 'stripe', 'transfer'] as const

export const paymentChoice = z.object({
  q,
  provider: z.optional(z.enum(providers, 'There is no such provider.')),
  rest: z.optional(z.enum(['left'], 'rest is left.')),
  sort: sortOf(['paid', 'amount']),
})
export const paymentQuery = z.extend(paymentChoice, paging)

export const listedPayment = z.object({
  id: z.string(),
  provider: z.enum(providers),
  organization: z.nullable(organization),
  currency: z.string(),
  amount: z.number(),
  /** Not allocated to an order. */
  left: z.number(),
  fee: z.nullable(z.number()),
  orders: z.array(z.string()),
  note: z.string(),
  isTest: z.boolean(),
  paidAt: z.string(),
})
export type ListedPayment = z.infer<typeof listedPayment>
export const paymentPage = z.object({ payments: z.array(listedPayment), nextCursor: z.nullable(z.string()) })

export const taskKinds = [
  ...decidedElsewhere,
  'difference',
  'refund_failed',
  'late_payment',
  'double_subscription',
  'dispute',
  'withdrawal',
] as const

export const taskQuery = z.object({
  q,
  kind: z.optional(z.enum(taskKinds, 'There is no such kind.')),
  state: z._default(z.enum(['open', 'done'], 'The state is open or done.'), 'open'),
  sort: sortOf(['created']),
  ...paging,
})

/** Something for staff to decide, with both sides of it. */
export const listedTask = z.object({
  id: z.string(),
  kind: z.enum(taskKinds),
  title: z.string(),
  ours: z.string(),
  theirs: z.string(),
  /** References, for links. */
  order: z.nullable(z.string()),
  paymentId: z.nullable(z.string()),
  subscription: z.nullable(z.string()),
  /** Whether its late payment can reopen the subscription: it has not begun again. */
  mayReopen: z.boolean(),
  isTest: z.boolean(),
  createdAt: z.string(),
  /** The person who asked for a second one. */
  askedBy: z.nullable(z.string()),
  doneAt: z.nullable(z.string()),
  /** Null: it was decided elsewhere, or its person has left. */
  doneBy: z.nullable(z.string()),
  note: z.string(),
})
export type ListedTask = z.infer<typeof listedTask>
export const taskPage = z.object({
  tasks: z.array(listedTask),
  /** All that are open, whatever the list is narrowed to. */
  open: z.number(),
  nextCursor: z.nullable(z.string()),
})

export const subscriptionStates = ['incomplete', 'active', 'grace', 'ended'] as const

export const subscriptionChoice = z.object({
  q,
  state: z.optional(z.enum(subscriptionStates, 'There is no such state.')),
  sort: sortOf(['created', 'amount', 'renews']),
})
export const subscriptionQuery = z.extend(subscriptionChoice, paging)

export const listedSubscription = z.object({
  id: z.string(),
  reference: z.string(),
  product: z.string(),
  organization,
  state: z.enum(subscriptionStates),
  endsAtPeriodEnd: z.boolean(),
  currency: z.string(),
  amount: z.number(),
  charged: z.enum(['once', 'month', 'quarter', 'year']),
  periodEnd: z.nullable(z.string()),
  isTest: z.boolean(),
  createdAt: z.string(),
})
export type ListedSubscription = z.infer<typeof listedSubscription>
export const subscriptionPage = z.object({ subscriptions: z.array(listedSubscription), nextCursor: z.nullable(z.string()) })

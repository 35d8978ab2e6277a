import type Stripe from 'stripe'
import type { ProviderObjects } from '#app/billing/payments/provider.server.ts'
import { taxOfInvoice, taxOfSession } from './stripe-tax.server.ts'
import { orMissing, stripeClient } from './stripe-client.server.ts'

type Readers = { [Kind in keyof ProviderObjects]: (id: string) => Promise<ProviderObjects[Kind] | undefined> }

/** The current objects of Stripe as the product reads them. */
export const readers: Readers = {
  checkout: async (id) => {
    const { checkout } = await stripeClient()
    const session = await orMissing(checkout.sessions.retrieve(id, { expand: ['invoice.payments', 'total_details.breakdown'] }))
    return session && toCheckout(session)
  },
  payment: async (id) => {
    const { paymentIntents } = await stripeClient()
    const payment = await orMissing(paymentIntents.retrieve(id, { expand: ['latest_charge.balance_transaction'] }))
    return payment && toPayment(payment, payment.metadata['checkoutId'] ? null : await findInvoiceOf(id))
  },
  refund: async (id) => {
    const { refunds } = await stripeClient()
    const refund = await orMissing(refunds.retrieve(id))
    return refund && toRefund(refund)
  },
  dispute: async (id) => {
    const { disputes } = await stripeClient()
    const dispute = await orMissing(disputes.retrieve(id))
    return dispute && toDispute(dispute)
  },
  subscription: async (id) => {
    const { subscriptions } = await stripeClient()
    const subscription = await orMissing(subscriptions.retrieve(id))
    return subscription && toSubscription(subscription)
  },
  period: async (id) => {
    const { invoices } = await stripeClient()
    const invoice = await orMissing(invoices.retrieve(id, { expand: ['payments.data.payment.payment_intent'] }))
    return invoice && { ...toPeriod(invoice), tax: await taxOfInvoice(invoice) }
  },
}

/** The payment of an invoice does not name it. */
async function findInvoiceOf(payment: string): Promise<string | null> {
  const { invoicePayments } = await stripeClient()
  const found = await invoicePayments.list({ payment: { type: 'payment_intent', payment_intent: payment }, limit: 1 })
  return idOf(found.data[0]?.invoice)
}

function toCheckout(session: Stripe.Checkout.Session): ProviderObjects['checkout'] {
  const invoice = typeof session.invoice === 'object' ? session.invoice : null
  return {
    id: session.id,
    state: session.status === 'complete' ? 'complete' : session.status === 'expired' ? 'expired' : 'open',
    isPaid: session.payment_status === 'paid',
    amount: session.amount_total ?? 0,
    currency: currencyOf(session.currency),
    tax: taxOfSession(session),
    checkoutId: session.client_reference_id ?? '',
    paymentId: idOf(session.payment_intent) ?? (invoice && paymentOf(invoice)?.id) ?? null,
    subscriptionId: idOf(session.subscription),
    customer: idOf(session.customer),
  }
}

function toPayment(payment: Stripe.PaymentIntent, periodId: string | null): ProviderObjects['payment'] {
  const charge = typeof payment.latest_charge === 'object' ? payment.latest_charge : null
  const isPaid = payment.status === 'succeeded'
  return {
    id: payment.id,
    state: isPaid ? 'succeeded' : hasFailed(payment) ? 'failed' : 'pending',
    amount: isPaid ? payment.amount_received : payment.amount,
    currency: currencyOf(payment.currency),
    fee: feeOf(charge?.balance_transaction),
    paidAt: isPaid ? momentOf(charge?.created ?? payment.created) : null,
    failure: payment.last_payment_error?.message ?? '',
    checkoutId: payment.metadata['checkoutId'] ?? null,
    periodId,
  }
}

/** A payment without a payment method has failed only if one was tried. */
function hasFailed({ status, last_payment_error: error }: Stripe.PaymentIntent): boolean {
  return status === 'canceled' || (status === 'requires_payment_method' && Boolean(error))
}

/** In the currency of the payment, although Stripe settles it in that of the account. */
function feeOf(moved: string | Stripe.BalanceTransaction | null | undefined): number | null {
  if (!moved || typeof moved === 'string') return null
  return Math.round(moved.fee / (moved.exchange_rate ?? 1))
}

export function toRefund(refund: Stripe.Refund): ProviderObjects['refund'] {
  const { status } = refund
  return {
    id: refund.id,
    refundId: refund.metadata?.['refundId'] ?? null,
    paymentId: idOf(refund.payment_intent) ?? '',
    amount: refund.amount,
    currency: currencyOf(refund.currency),
    state: status === 'succeeded' ? 'succeeded' : status === 'failed' || status === 'canceled' ? 'failed' : 'pending',
    failure: refund.failure_reason ?? (status === 'canceled' ? 'canceled' : ''),
  }
}

/** An inquiry moves no money; Stripe calls it a warning. One that is closed or prevented is won. */
const disputeStates: Record<string, ProviderObjects['dispute']['state']> = {
  warning_needs_response: 'inquiry',
  warning_under_review: 'inquiry',
  warning_closed: 'won',
  prevented: 'won',
  needs_response: 'open',
  under_review: 'open',
  won: 'won',
  lost: 'lost',
}

function toDispute(dispute: Stripe.Dispute): ProviderObjects['dispute'] {
  const due = dispute.evidence_details.due_by
  return {
    id: dispute.id,
    paymentId: idOf(dispute.payment_intent) ?? '',
    amount: dispute.amount,
    currency: currencyOf(dispute.currency),
    fee: dispute.balance_transactions.reduce((sum, moved) => sum + (feeOf(moved) ?? 0), 0),
    state: disputeStates[dispute.status] ?? 'open',
    reason: dispute.reason,
    evidenceDueAt: due ? momentOf(due) : null,
  }
}

const subscriptionStates: Record<string, ProviderObjects['subscription']['state']> = {
  incomplete: 'incomplete',
  incomplete_expired: 'ended',
  // Paid until the end of the trial, see `changePrice`.
  trialing: 'active',
  active: 'active',
  past_due: 'pastDue',
  unpaid: 'pastDue',
  paused: 'pastDue',
  canceled: 'ended',
}

function toSubscription(subscription: Stripe.Subscription): ProviderObjects['subscription'] {
  const [item] = subscription.items.data
  return {
    id: subscription.id,
    state: subscriptionStates[subscription.status] ?? 'pastDue',
    subscriptionId: subscription.metadata['subscriptionId'] ?? '',
    periodStart: momentOf(item?.current_period_start ?? subscription.start_date),
    periodEnd: momentOf(item?.current_period_end ?? subscription.start_date),
    endsAtPeriodEnd: subscription.cancel_at_period_end || subscription.cancel_at !== null,
    amount: item?.price.unit_amount ?? 0,
    currency: currencyOf(subscription.currency),
    customer: idOf(subscription.customer),
  }
}

/** Others are a draft, or open. */
const periodStates: Record<string, ProviderObjects['period']['state']> = { paid: 'paid', void: 'void', uncollectible: 'uncollectible' }

function toPeriod(invoice: Stripe.Invoice): Omit<ProviderObjects['period'], 'tax'> {
  const payment = paymentOf(invoice)
  const line = invoice.lines.data.at(-1)
  return {
    id: invoice.id,
    subscriptionId: idOf(invoice.parent?.subscription_details?.subscription) ?? '',
    state: periodStates[invoice.status ?? ''] ?? 'open',
    amount: invoice.amount_due,
    currency: currencyOf(invoice.currency),
    paymentId: payment?.id ?? null,
    start: momentOf(line?.period.start ?? invoice.period_start),
    end: momentOf(line?.period.end ?? invoice.period_end),
    actionUrl: payment?.status === 'requires_action' ? (invoice.hosted_invoice_url ?? null) : null,
    payUrl: invoice.status === 'open' ? (invoice.hosted_invoice_url ?? null) : null,
    failure: payment?.last_payment_error?.message ?? '',
  }
}

type PaymentOfInvoice = Pick<Stripe.PaymentIntent, 'id'> & Partial<Pick<Stripe.PaymentIntent, 'status' | 'last_payment_error'>>

/** The payment that settled an invoice, or the one that Stripe tries. */
function paymentOf({ payments }: Stripe.Invoice): PaymentOfInvoice | undefined {
  const tried = payments?.data ?? []
  const found = tried.find(({ status }) => status === 'paid') ?? tried.find(({ is_default: isDefault }) => isDefault) ?? tried[0]
  const payment = found?.payment.payment_intent
  return typeof payment === 'string' ? { id: payment } : payment
}

function idOf(object: string | { id: string } | null | undefined): string | null {
  return typeof object === 'string' ? object : (object?.id ?? null)
}

/** Stripe writes currencies in small letters. */
export function currencyOf(currency: string | null): string {
  return (currency ?? '').toUpperCase()
}

/** Stripe counts in seconds. */
export function momentOf(seconds: number): Date {
  return new Date(seconds * 1000)
}

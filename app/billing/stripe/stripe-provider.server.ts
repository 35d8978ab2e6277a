import { createHash } from 'node:crypto'
import type Stripe from 'stripe'
import type {
  BalanceMove,
  CheckoutAsked,
  Interval,
  PaymentProvider,
  Payout,
  ProviderEvent,
  TaxAsked,
} from '#app/billing/payments/provider.server.ts'
import { addProvider } from '#app/billing/payments/providers.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { later } from '#app/platform/process/later.ts'
import { stripeClient } from './stripe-client.server.ts'
import { readStripeEvent, toEvent } from './stripe-event.server.ts'
import { quoteStripeTax } from './stripe-tax.server.ts'
import { currencyOf, momentOf, readers, toRefund } from './stripe-objects.server.ts'

const recurring = {
  month: { interval: 'month', interval_count: 1 },
  quarter: { interval: 'month', interval_count: 3 },
  year: { interval: 'year', interval_count: 1 },
} as const satisfies Record<Interval, Stripe.PriceCreateParams.Recurring>

/** Stripe behind the product's interface. Card data never reaches us: customers pay on Stripe's own page. */
export const stripeProvider: PaymentProvider = {
  name: 'stripe',
  startCheckout: async (asked, key) => {
    const { checkout } = await stripeClient()
    // Refused, such as a currency that the account cannot take, or an amount below its least.
    const wanted = checkoutOf(asked)
    const session = await orRefused('order', checkout.sessions.create(wanted, { idempotencyKey: keyFor(key, wanted) }))
    const { id, url, expires_at: expiresAt, customer } = session
    if (!url) throw new Error('Stripe made a checkout without a page.')
    return { id, url, expiresAt: momentOf(expiresAt), ...(typeof customer === 'string' && { customer }) }
  },
  quoteTax: quoteStripeTax,
  endCheckout: async (id) => {
    const { checkout, errors } = await stripeClient()
    await checkout.sessions.expire(id).catch((error: unknown) => {
      if (!(error instanceof errors.StripeInvalidRequestError)) throw error
    })
  },
  read: async (kind, id) => readers[kind](id),
  refund: async ({ refundId, paymentId, amount, reason }, key) => {
    const { refunds } = await stripeClient()
    const metadata = { refundId, reason: reason.slice(0, 400) }
    const asked = { payment_intent: paymentId, amount, metadata }
    return toRefund(await orRefused('refund', refunds.create(asked, { idempotencyKey: key })))
  },
  cancelSubscription: async (id, at, key) => {
    const { subscriptions } = await stripeClient()
    if (at === 'now') await subscriptions.cancel(id, {}, { idempotencyKey: key })
    else await subscriptions.update(id, { cancel_at_period_end: true }, { idempotencyKey: key })
  },
  continueSubscription: async (id, key) => {
    const { subscriptions } = await stripeClient()
    await subscriptions.update(id, { cancel_at_period_end: false }, { idempotencyKey: key })
  },
  changePrice: async (id, { amount, currency, every, title, from, isTaxed }, key) => {
    const { products, subscriptions } = await stripeClient()
    const subscription = await subscriptions.retrieve(id)
    const [item] = subscription.items.data
    if (!item) throw new Error('A subscription of Stripe has no price.')
    const product = await products.create({ name: title }, { idempotencyKey: `${key}:product` })
    const money = { currency: currency.toLowerCase(), unit_amount: amount, ...(isTaxed && exclusive) }
    const price = { ...money, product: product.id, recurring: recurring[every] }
    const isSamePeriod = Math.floor(from.getTime() / 1000) === item.current_period_end
    const isSameInterval = every === intervalOf(item.price.recurring)
    await subscriptions.update(
      id,
      {
        items: [{ id: item.id, price_data: price }],
        proration_behavior: 'none',
        // A new interval would begin, and be charged, now. A trial moves the next charge to the day that is paid for.
        ...(!(isSamePeriod && isSameInterval) && { trial_end: Math.floor(from.getTime() / 1000) }),
      },
      { idempotencyKey: key },
    )
  },
  paymentMethodPage: async (customer, returnUrl) => {
    const { billingPortal } = await stripeClient()
    const configuration = await portalConfiguration()
    const flow = { type: 'payment_method_update' } as const
    const session = await billingPortal.sessions.create({ customer, configuration, return_url: returnUrl, flow_data: flow })
    return session.url
  },
  readEvent: readStripeEvent,
  listEvents: (since) => listEvents(since),
  listBalance: (since) => listBalance(since),
  listPayouts: (since) => listPayouts(since),
}

addProvider(stripeProvider)

/**
 * Stripe refuses a key that comes back with other parameters. They differ when an attempt that was cut off is made again from another page, or by a
 * buyer whose address has changed since: that begins a page of its own, and nobody has the address of the first.
 */
function keyFor(key: string, wanted: Stripe.Checkout.SessionCreateParams): string {
  return `${key}:${createHash('sha256').update(JSON.stringify(wanted)).digest('hex').slice(0, 16)}`
}

/** A retry cannot help after a refusal by Stripe, so it stops with a sentence. */
async function orRefused<T>(what: 'order' | 'refund', call: Promise<T>): Promise<T> {
  const { errors } = await stripeClient()
  return call.catch((error: unknown) => {
    if (!(error instanceof errors.StripeInvalidRequestError)) throw error
    return stop('conflict', `The payment provider refuses this ${what}: ${error.message}`, { code: 'provider_refused' })
  })
}

function checkoutOf({ checkoutId, orderId, subscription, ...asked }: CheckoutAsked): Stripe.Checkout.SessionCreateParams {
  const { title, amount, currency, email, customer, returnUrl, cancelUrl, expiresAt, tax } = asked
  const metadata = { checkoutId, orderId, ...(subscription && { subscriptionId: subscription.id }) }
  const price = { currency: currency.toLowerCase(), unit_amount: amount, product_data: { name: title }, ...(tax && exclusive) }
  const shared: Stripe.Checkout.SessionCreateParams = {
    client_reference_id: checkoutId,
    metadata,
    success_url: returnUrl,
    cancel_url: cancelUrl,
    expires_at: Math.floor(expiresAt.getTime() / 1000),
    // The order has one amount in one currency.
    adaptive_pricing: { enabled: false },
    ...(customer ? { customer } : { customer_email: email }),
    ...(tax && taxing(tax, customer !== null)),
  }
  if (subscription) {
    const line = { quantity: 1, price_data: { ...price, recurring: recurring[subscription.every] } }
    return { ...shared, mode: 'subscription', line_items: [line], subscription_data: { metadata } }
  }
  return {
    ...shared,
    mode: 'payment',
    line_items: [{ quantity: 1, price_data: price }],
    payment_intent_data: { metadata },
    // We issue every invoice.
    invoice_creation: { enabled: false },
    ...(!customer && { customer_creation: 'always' }),
  }
}

/** The tax comes on top of the price. */
const exclusive = { tax_behavior: 'exclusive' } as const

/** Stripe asks for the address and for the tax number of a business, keeps both with its customer, and computes the tax from them. */
function taxing({ isBusiness }: TaxAsked, isKnown: boolean): Partial<Stripe.Checkout.SessionCreateParams> {
  return {
    automatic_tax: { enabled: true },
    billing_address_collection: 'required',
    ...(isBusiness && { tax_id_collection: { enabled: true } }),
    ...(isKnown && { customer_update: { address: 'auto', name: 'auto' } }),
  }
}

function intervalOf(price: Stripe.Price.Recurring | null): Interval | undefined {
  if (price?.interval === 'year') return 'year'
  return price?.interval_count === 3 ? 'quarter' : 'month'
}

/** Of the payment method only: our own pages cancel subscriptions and show invoices. Made once for each account, found again by its mark. */
const portalConfiguration = later(async () => {
  const { billingPortal } = await stripeClient()
  for await (const { id, metadata } of billingPortal.configurations.list({ active: true, limit: 100 })) {
    if (metadata?.['winnow'] === PORTAL) return id
  }
  const made = await billingPortal.configurations.create(
    {
      name: 'Payment method',
      metadata: { winnow: PORTAL },
      features: {
        payment_method_update: { enabled: true },
        customer_update: { enabled: false },
        invoice_history: { enabled: false },
        subscription_cancel: { enabled: false },
        subscription_update: { enabled: false },
      },
    },
    { idempotencyKey: `portal:${PORTAL}` },
  )
  return made.id
})

const PORTAL = 'payment-method-1'

/** Oldest first; Stripe lists the newest first, and has those of 30 days. */
async function* listEvents(since: Date): AsyncIterable<ProviderEvent> {
  const { events } = await stripeClient()
  const found: ProviderEvent[] = []
  for await (const event of events.list({ created: { gte: secondsOf(since) }, limit: 100 })) {
    const known = toEvent(event, JSON.stringify(event))
    if (known) found.push(known)
  }
  yield* found.toReversed()
}

const moveKinds: Record<string, BalanceMove['kind']> = {
  charge: 'payment',
  payment: 'payment',
  refund: 'refund',
  payment_refund: 'refund',
  refund_failure: 'refund',
  payment_failure_refund: 'refund',
  adjustment: 'dispute',
  stripe_fee: 'fee',
  stripe_fx_fee: 'fee',
  payout: 'payout',
  payout_cancel: 'payout',
  payout_failure: 'payout',
}

async function* listBalance(since: Date): AsyncIterable<BalanceMove> {
  const { balanceTransactions } = await stripeClient()
  const asked = { created: { gte: secondsOf(since) }, limit: 100, expand: ['data.source'] }
  for await (const moved of balanceTransactions.list(asked)) yield toMove(moved)
}

function toMove(moved: Stripe.BalanceTransaction): BalanceMove {
  const rate = moved.exchange_rate ?? 1
  const source = typeof moved.source === 'object' ? moved.source : null
  return {
    id: moved.id,
    kind: source?.object === 'dispute' ? 'dispute' : moved.type === 'adjustment' ? 'other' : (moveKinds[moved.type] ?? 'other'),
    objectId: source && objectIdOf(source),
    // Back from the currency of the account to that of the payment.
    amount: Math.round(moved.amount / rate),
    fee: Math.round(moved.fee / rate),
    currency: rate === 1 ? currencyOf(moved.currency) : currencyOf(currencyIn(source) ?? moved.currency),
    occurredAt: momentOf(moved.created),
  }
}

async function* listPayouts(since: Date): AsyncIterable<Payout> {
  const { payouts } = await stripeClient()
  for await (const { id, amount, currency, automatic, status, failure_message: failure, created } of payouts.list({
    created: { gte: secondsOf(since) },
    limit: 100,
  })) {
    // Somebody took it back before it left.
    if (status === 'canceled') continue
    const hasFailed = status === 'failed'
    yield {
      id,
      amount,
      currency: currencyOf(currency),
      failure: hasFailed ? (failure ?? 'The bank refused it.') : null,
      occurredAt: momentOf(created),
      parts: automatic && !hasFailed ? await listParts(id) : null,
    }
  }
}

async function listParts(payout: string): Promise<{ move: BalanceMove; net: number }[]> {
  const { balanceTransactions } = await stripeClient()
  const parts = []
  for await (const moved of balanceTransactions.list({ payout, limit: 100, expand: ['data.source'] })) {
    // The payout itself is one of them.
    if (moved.type !== 'payout') parts.push({ move: toMove(moved), net: moved.net })
  }
  return parts
}

/** A charge is known to us by its payment. */
function objectIdOf(source: Stripe.BalanceTransactionSource): string {
  if (source.object !== 'charge') return source.id
  const { payment_intent: payment, id } = source
  return typeof payment === 'string' ? payment : (payment?.id ?? id)
}

function currencyIn(source: Stripe.BalanceTransactionSource | null): string | null {
  return source && 'currency' in source && typeof source.currency === 'string' ? source.currency : null
}

function secondsOf(date: Date): number {
  return Math.floor(date.getTime() / 1000)
}

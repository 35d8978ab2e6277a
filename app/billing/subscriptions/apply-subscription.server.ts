import { z } from 'zod'
import { taxOrder } from '#app/billing/orders/order-tax.server.ts'
import { endOrder } from '#app/billing/orders/fulfilment.server.ts'
import { refreshCheckout } from '#app/billing/payments/apply-checkout.server.ts'
import { addBillingTask } from '#app/billing/orders/billing-task.server.ts'
import { applyEventsOf, lockObject } from '#app/billing/payments/events.server.ts'
import type { PaymentProvider, ProviderObjects } from '#app/billing/payments/provider.server.ts'
import { findProvider } from '#app/billing/payments/providers.server.ts'
import { settlePayment } from '#app/billing/payments/settlement.server.ts'
import { db, insert, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { defineJob, enqueue } from '#app/platform/jobs.server.ts'
import { Stop } from '#app/platform/errors/stop.ts'
import { moneyText } from '#app/platform/text/money.ts'
import { UUID } from '#app/platform/text/uuid.ts'
import { longDay } from '#app/platform/time/english-date.ts'
import type { Row } from '#db/tables.ts'
import { emailSubscribers } from './subscription-emails.server.ts'
import { CANCEL_JOB, PRICE_JOB, SYNC_JOB } from './subscription-jobs.ts'
import { confirmRenewalEmail, renewalFailedEmail } from './subscription.email.tsx'
import { placeRenewal, totalsOfPeriod } from './renewal-order.server.ts'
import {
  changeSubscription,
  endSubscription,
  giveAccess,
  GRACE_DAYS,
  lockOpenOrders,
  lockSubscription,
  productName,
  setEnding,
} from './subscription-state.server.ts'

type Subscription = Row<'subscriptions'>
type Seen = ProviderObjects['subscription']
type Period = ProviderObjects['period']
type Payment = ProviderObjects['payment']

const GRACE_MS = GRACE_DAYS * 86_400_000

/** Applies the current state of a subscription: its exact period at first, whether it ends, and its end. Periods that follow are applied when they are paid. */
export async function applySubscription(provider: PaymentProvider, id: string): Promise<string | undefined> {
  const seen = await provider.read('subscription', id)
  if (!seen) return `The provider has no subscription ${id}.`
  const unknown = `The subscription ${id} is not one of this installation.`
  if (!UUID.test(seen.subscriptionId)) return unknown
  return transaction(async (trx) => {
    const known = await lockWhole(trx, seen.subscriptionId)
    if (!known || known.provider !== provider.name || (known.providerId !== null && known.providerId !== id)) return unknown
    const isFirst = known.providerId === null
    const subscription = isFirst ? await changeSubscription(trx, known, { providerId: id }) : known
    if (subscription.state === 'incomplete') return undefined
    if (subscription.state === 'ended') return stopCharging(trx, subscription, seen)
    if (seen.state === 'ended') await endSubscription(trx, subscription, endReasonOf(subscription), { isToldTo: false })
    else if (isFirst) await setFirstPeriod(trx, subscription, seen)
    else await setEnding(trx, subscription, seen.endsAtPeriodEnd, {})
    return undefined
  })
}

function endReasonOf({ endsAtPeriodEnd, state }: Subscription) {
  return endsAtPeriodEnd ? 'cancelled' : state === 'grace' ? 'unpaid' : 'provider'
}

/** The provider still charges what has ended here. */
async function stopCharging(trx: Trx, { id, version }: Subscription, { state }: Seen): Promise<undefined> {
  if (state !== 'ended') await enqueue(trx, { kind: CANCEL_JOB, payload: { id }, dedupeKey: `${CANCEL_JOB}:${id}:${version}` })
}

async function setFirstPeriod(trx: Trx, subscription: Subscription, { periodStart, periodEnd }: Seen): Promise<void> {
  const { id, amount } = subscription
  const orders = trx.selectFrom('orders').select(['id', 'net', 'periodStart', 'periodEnd']).where('subscriptionId', '=', id)
  const first = await orders.where('kind', '=', 'dataset').executeTakeFirstOrThrow()
  // A discount applies to the first period only, but the provider would charge the discounted price for every period.
  if (first.net !== amount) await enqueue(trx, { kind: PRICE_JOB, payload: { id }, dedupeKey: `${PRICE_JOB}:${id}:first` })
  // The provider has renewed it already. That period comes with its payment.
  const middle = ((first.periodStart?.getTime() ?? 0) + (first.periodEnd?.getTime() ?? 0)) / 2
  if (first.periodEnd && periodStart.getTime() > middle) return
  await trx.updateTable('orders').set({ periodStart, periodEnd }).where('id', '=', first.id).execute()
  await giveAccess(trx, await changeSubscription(trx, subscription, { periodStart, periodEnd }))
}

/** Locks a subscription after its open orders, as payments do. */
async function lockWhole(trx: Trx, id: string): Promise<Subscription | undefined> {
  await lockObject(trx, 'subscription', id)
  await lockOpenOrders(trx, id)
  return lockSubscription(trx, id)
}

/** Applies the current state of a period: its order, its payment, or the grace in which it can still be paid. */
export async function applyPeriod(provider: PaymentProvider, id: string): Promise<string | undefined> {
  const period = await provider.read('period', id)
  if (!period) return `The provider has no period ${id}.`
  // Such as what Stripe writes when a trial begins.
  if (period.amount === 0) return undefined
  const known = await findOwn(provider, period)
  if (!known) return `The period ${id} is of a subscription that is not one of this installation.`
  const payment = period.paymentId ? await provider.read('payment', period.paymentId) : undefined
  return transaction(async (trx) => {
    const subscription = await lockWhole(trx, known)
    if (!subscription || subscription.state === 'incomplete') return undefined
    return applySeen(trx, subscription, { period, payment })
  })
}

/** Our id of the subscription of a period. The event of its checkout may not have come yet: then it is applied first. */
async function findOwn(provider: PaymentProvider, { subscriptionId }: Period): Promise<string | undefined> {
  const seen = await provider.read('subscription', subscriptionId)
  if (!seen || !UUID.test(seen.subscriptionId)) return undefined
  const own = db.selectFrom('subscriptions').select(['id', 'state']).where('id', '=', seen.subscriptionId)
  const known = await own.where('provider', '=', provider.name).executeTakeFirst()
  if (known?.state !== 'incomplete') return known?.id
  const first = db.selectFrom('orders').select('id').where('subscriptionId', '=', known.id).where('kind', '=', 'dataset')
  const order = await first.executeTakeFirst()
  if (order) await refreshCheckout(order.id)
  return known.id
}

type Both = { period: Period; payment: Payment | undefined }

async function applySeen(trx: Trx, subscription: Subscription, { period, payment }: Both): Promise<string | undefined> {
  const isPaid = period.state === 'paid' && payment?.state === 'succeeded'
  if (payment && (await isBooked(trx, subscription, payment))) return undefined
  const order = await findOrderOf(trx, subscription, period)
  const isOver = subscription.state === 'ended'
  if (!order && isOver && isPaid) return bookLate(trx, subscription, payment)
  if (!order && isOver) return undefined
  const asked = order ?? (await orderPeriod(trx, subscription, period))
  if (typeof asked === 'string') {
    if (isPaid) await bookUnallocated(trx, subscription, payment)
    return asked
  }
  if (isPaid) return settlePeriod(trx, subscription, { period, payment, order: asked })
  if (asked.state !== 'open' && asked.state !== 'processing') return undefined
  await trx
    .updateTable('checkouts')
    .set({ url: period.payUrl ?? '' })
    .where('orderId', '=', asked.id)
    .where('providerId', '=', period.id)
    .execute()
  if (period.state === 'void' || period.state === 'uncollectible') {
    const to = period.state === 'void' ? 'cancelled' : 'failed'
    await endOrder(trx, asked.id, to, 'The payment provider gave up.')
    return undefined
  }
  if (period.actionUrl !== null || period.failure !== '') await beginGrace(trx, subscription, { period, payment, order: asked })
  return undefined
}

async function isBooked(trx: Trx, { provider }: Subscription, { id }: Payment): Promise<boolean> {
  const booked = trx.selectFrom('payments').select('id').where('provider', '=', provider).where('providerId', '=', id)
  return (await booked.executeTakeFirst()) !== undefined
}

async function findOrderOf(trx: Trx, { provider }: Subscription, { id }: Period): Promise<Row<'orders'> | undefined> {
  if (provider === 'transfer') return undefined
  return trx
    .selectFrom('orders')
    .innerJoin('checkouts', 'checkouts.orderId', 'orders.id')
    .selectAll('orders')
    .where('checkouts.provider', '=', provider)
    .where('checkouts.providerId', '=', id)
    .executeTakeFirst()
}

/**
 * A period is an order, and its attempt at the provider has the id of the period: there is one order for each. Without a rule for its tax there is no
 * order, but a sentence for staff.
 */
async function orderPeriod(trx: Trx, subscription: Subscription, period: Period): Promise<Row<'orders'> | string> {
  if (subscription.provider === 'transfer') throw new Error('A transfer has no periods at a provider.')
  const span = { start: period.start, end: period.end }
  const totals = await totalsOfPeriod(trx, subscription, span).catch((error: unknown) => {
    if (!(error instanceof Stop)) throw error
    return `The renewal of ${subscription.reference} has no order: ${error.data}`
  })
  if (typeof totals === 'string') return totals
  const order = await placeRenewal(trx, subscription, span, { totals })
  const asked = { orderId: order.id, amount: order.gross, currency: order.currency }
  await insert(trx, 'checkouts', { provider: subscription.provider, providerId: period.id, ...asked })
  return order
}

type Whole = Both & { order: Row<'orders'> }

/** Money of another amount or currency than asked buys nothing: staff decide about it. */
async function settlePeriod(trx: Trx, subscription: Subscription, { period, payment, order }: Whole): Promise<string | undefined> {
  if (!payment) return undefined
  const tax = subscription.taxBy === 'provider' ? period.tax : undefined
  // The net is as asked; the tax of the provider comes on top of it.
  const isTaxed = tax === undefined || (tax !== null && tax.tax >= 0)
  const isWhole = payment.amount === period.amount && payment.currency === order.currency
  const isAsked = isTaxed && isWhole && period.amount - (tax?.tax ?? 0) === order.net + (tax ? 0 : order.tax)
  const isLate = subscription.state === 'ended' || (order.state !== 'open' && order.state !== 'processing')
  if (isLate) return bookLate(trx, subscription, payment)
  if (!isAsked) {
    await bookUnallocated(trx, subscription, payment)
    return `The payment ${payment.id} of ${order.reference} has another amount or currency than asked.`
  }
  if (tax) await taxOrder(trx, order.id, tax)
  await settlePayment(trx, { ...settled(subscription, payment), orderId: order.id })
  await trx.updateTable('checkouts').set({ state: 'complete' }).where('orderId', '=', order.id).execute()
  return undefined
}

function settled({ provider, organizationId }: Subscription, { id: providerId, amount, currency, fee, paidAt }: Payment) {
  return { provider, providerId, amount, currency, fee, paidAt: paidAt ?? new Date(), organizationId }
}

async function bookUnallocated(trx: Trx, subscription: Subscription, payment: Payment): Promise<string> {
  const { paymentId } = await settlePayment(trx, { ...settled(subscription, payment), allocations: [] })
  return paymentId
}

/** A late payment of an ended subscription grants nothing. Staff refund it, or reopen the subscription for its time. */
async function bookLate(trx: Trx, subscription: Subscription, payment: Payment): Promise<undefined> {
  const paymentId = await bookUnallocated(trx, subscription, payment)
  const amount = moneyText(payment.amount, payment.currency)
  await addBillingTask(trx, {
    kind: 'late_payment',
    about: `late_payment:${paymentId}`,
    title: `${amount} arrived for the subscription ${subscription.reference}, which has ended`,
    ours: 'Refund the payment, or reopen the subscription for the time that it pays for.',
    paymentId,
    subscriptionId: subscription.id,
    isTest: subscription.isTest,
  })
}

/** The provider tries again. Each failed period is told once, and each request to confirm a payment. */
async function beginGrace(trx: Trx, subscription: Subscription, { period, order }: Whole): Promise<void> {
  const graceUntil = new Date(period.start.getTime() + GRACE_MS)
  if (subscription.state === 'active') await changeSubscription(trx, subscription, { state: 'grace', graceUntil })
  const told = { name: await productName(trx, subscription), amount: moneyText(period.amount, order.currency) }
  const { actionUrl: url } = period
  if (url !== null) {
    await emailSubscribers(trx, subscription, (to) => confirmRenewalEmail(to, { ...told, url }), `subscription-confirm:${period.id}`)
    return
  }
  const until = longDay(graceUntil)
  await emailSubscribers(trx, subscription, (to) => renewalFailedEmail(to, { ...told, until }), `subscription-failed:${period.id}`)
}

applyEventsOf('subscription', applySubscription)
applyEventsOf('period', applyPeriod)

/** Finds the subscription at the provider by the checkout that started it. */
defineJob(SYNC_JOB, z.object({ id: z.string() }), async ({ id }) => {
  const checkout = await db
    .selectFrom('checkouts')
    .innerJoin('orders', 'orders.id', 'checkouts.orderId')
    .select(['checkouts.provider', 'checkouts.providerId'])
    .where('orders.subscriptionId', '=', id)
    .where('orders.kind', '=', 'dataset')
    .where('checkouts.state', '=', 'complete')
    .executeTakeFirst()
  const provider = checkout && findProvider(checkout.provider)
  const seen = provider && checkout.providerId ? await provider.read('checkout', checkout.providerId) : undefined
  if (provider && seen?.subscriptionId) await applySubscription(provider, seen.subscriptionId)
})

defineJob(CANCEL_JOB, z.object({ id: z.string() }), async ({ id }) => {
  const found = await db.selectFrom('subscriptions').select(['provider', 'providerId']).where('id', '=', id).executeTakeFirst()
  const provider = found && findProvider(found.provider)
  if (!provider || !found.providerId) return
  const seen = await provider.read('subscription', found.providerId)
  if (seen && seen.state !== 'ended') await provider.cancelSubscription(found.providerId, 'now', `${CANCEL_JOB}:${id}`)
})

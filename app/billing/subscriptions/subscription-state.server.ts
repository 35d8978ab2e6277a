import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { grantIn } from '#app/datasets/access/grant.server.ts'
import { endOrder, onEnded, onPaid } from '#app/billing/orders/fulfilment.server.ts'
import { addBillingTask } from '#app/billing/orders/billing-task.server.ts'
import type { Interval } from '#app/billing/payments/provider.server.ts'
import type { Trx } from '#app/platform/database/db.server.ts'
import { now } from '#app/platform/database/sql.server.ts'
import { enqueue } from '#app/platform/jobs.server.ts'
import { onClosing } from '#app/organizations/organization/organization.server.ts'
import { longDay } from '#app/platform/time/english-date.ts'
import type { Row } from '#db/tables.ts'
import { endOfPeriod } from '#app/billing/orders/period.ts'
import { CANCEL_JOB, PRICE_JOB, SYNC_JOB } from './subscription-jobs.ts'
import { emailSubscribers } from './subscription-emails.server.ts'
import { cancelledEmail, endedEmail } from './subscription.email.tsx'

type Subscription = Row<'subscriptions'>

/** How long access continues after a period that was paid, while a renewal fails. */
export const GRACE_DAYS = 7
const GRACE_MS = GRACE_DAYS * 86_400_000

export const endReasons = {
  cancelled: 'You cancelled it.',
  unpaid: 'The renewal was not paid.',
  refunded: 'The payment was refunded.',
  disputed: 'The payment was disputed.',
  provider: 'The payment provider ended it.',
  closed: 'The organization was closed.',
} as const

export type EndReason = keyof typeof endReasons

/** Locks a subscription until the transaction ends. Lock its order first where both are needed. */
export async function lockSubscription(trx: Trx, id: string): Promise<Subscription | undefined> {
  return trx.selectFrom('subscriptions').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

export async function changeSubscription(
  trx: Trx,
  { id, version }: Subscription,
  to: Partial<Omit<Subscription, 'createdAt'>>,
): Promise<Subscription> {
  return trx
    .updateTable('subscriptions')
    .set({ ...to, version: version + 1, updatedAt: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function productName(trx: Trx, { productId }: Pick<Subscription, 'productId'>): Promise<string> {
  const { name } = await trx.selectFrom('dataProducts').select('name').where('id', '=', productId).executeTakeFirstOrThrow()
  return name
}

/** How often an offer is charged. */
export async function findInterval(trx: Trx, offerId: string): Promise<Interval> {
  const { charged } = await trx.selectFrom('productOffers').select('charged').where('id', '=', offerId).executeTakeFirstOrThrow()
  if (charged === 'once') throw new Error('A subscription has the offer of a single payment.')
  return charged
}

/** The first payment of a subscription starts it. The job reads the exact period at the provider, which has no part in the transaction. */
onPaid('dataset', async (trx, order) => {
  const subscription = order.subscriptionId && (await lockSubscription(trx, order.subscriptionId))
  if (!subscription || subscription.state !== 'incomplete') return
  const periodStart = order.paidAt ?? new Date()
  const periodEnd = endOfPeriod(periodStart, await findInterval(trx, subscription.offerId))
  await enqueue(trx, { kind: SYNC_JOB, payload: { id: subscription.id }, dedupeKey: `${SYNC_JOB}:${order.id}` })
  if (await hasAnother(trx, subscription)) return endDouble(trx, order, subscription)
  await trx.updateTable('orders').set({ periodStart, periodEnd }).where('id', '=', order.id).execute()
  const started = await changeSubscription(trx, subscription, { state: 'active', periodStart, periodEnd })
  await giveAccess(trx, started, order)
  await audit(trx, 'subscription_started', { subjectId: started.organizationId, detail: { subscription: started.reference } })
})

/** A paid period continues a subscription. One of another offer is an upgrade. */
onPaid('renewal', async (trx, order) => {
  const subscription = order.subscriptionId && (await lockSubscription(trx, order.subscriptionId))
  const { periodStart, periodEnd, offerId } = order
  if (!subscription || !periodStart || !periodEnd) return
  const isReopened = subscription.state === 'ended'
  // Staff reopen one for the time that is paid: the provider does not charge it any more.
  if (isReopened && (await hasAnother(trx, subscription))) return endDouble(trx, order, subscription)
  const isLater = !subscription.periodEnd || periodEnd > subscription.periodEnd || offerId !== subscription.offerId
  const period = isLater ? { periodStart, periodEnd, remindedFor: null } : {}
  const upgrade = offerId && offerId !== subscription.offerId ? planOf(order, offerId) : {}
  const state = { state: 'active' as const, graceUntil: null, endedAt: null, endReason: '', ...(isReopened && { endsAtPeriodEnd: true }) }
  const continued = await changeSubscription(trx, subscription, { ...state, ...period, ...upgrade })
  await giveAccess(trx, continued, order)
  if ('offerId' in upgrade) {
    await enqueue(trx, { kind: PRICE_JOB, payload: { id: continued.id }, dedupeKey: `${PRICE_JOB}:${order.id}` })
    await audit(trx, 'subscription_changed', { subjectId: continued.organizationId, detail: { subscription: continued.reference } })
  }
  if (isReopened)
    await audit(trx, 'subscription_reopened', { subjectId: continued.organizationId, detail: { subscription: continued.reference } })
})

// A first payment that never came.
onEnded('dataset', async (trx, order) => {
  const subscription = order.subscriptionId && (await lockSubscription(trx, order.subscriptionId))
  if (subscription && subscription.state === 'incomplete')
    await changeSubscription(trx, subscription, { state: 'ended', endedAt: new Date() })
})

// Lock the orders first, as payments do.
onClosing(async (trx, organizationId, actor) => {
  const own = trx
    .selectFrom('subscriptions')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('state', 'in', ['active', 'grace'])
  for (const { id } of await own.orderBy('id').execute()) {
    await lockOpenOrders(trx, id)
    const subscription = await lockSubscription(trx, id)
    if (subscription) await endSubscription(trx, subscription, 'closed', { actor })
  }
})

/** The open orders of a subscription, in the order in which payments lock them. */
export async function lockOpenOrders(trx: Trx, subscriptionId: string): Promise<{ id: string }[]> {
  return trx
    .selectFrom('orders')
    .select('id')
    .where('subscriptionId', '=', subscriptionId)
    .where('state', 'in', ['open', 'processing'])
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** The plan of an upgrade, at the price that its order had. A price change that was announced for the former plan is dropped. */
function planOf({ lines }: Row<'orders'>, offerId: string) {
  const amount = lines.reduce((sum, { unitAmount }) => sum + unitAmount, 0)
  return { offerId, amount, nextOfferId: null, nextAmount: null, nextAmountFrom: null }
}

async function hasAnother(trx: Trx, { id, organizationId, productId }: Subscription): Promise<boolean> {
  const another = await trx
    .selectFrom('subscriptions')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('productId', '=', productId)
    .where('state', 'in', ['active', 'grace'])
    .where('id', '!=', id)
    .executeTakeFirst()
  return another !== undefined
}

/** Two pages that were paid at once. The money is there, so staff refund one. */
async function endDouble(trx: Trx, order: Row<'orders'>, subscription: Subscription): Promise<void> {
  await changeSubscription(trx, subscription, { state: 'ended', endedAt: new Date(), endReason: 'There is another one.' })
  await enqueue(trx, { kind: CANCEL_JOB, payload: { id: subscription.id }, dedupeKey: `${CANCEL_JOB}:${subscription.id}:double` })
  await addBillingTask(trx, {
    kind: 'double_subscription',
    about: `double_subscription:${subscription.id}`,
    title: `${order.reference} was paid, although a subscription to this dataset is running`,
    ours: 'Refund the order, or reopen the subscription once the other one has ended.',
    orderId: order.id,
    subscriptionId: subscription.id,
    isTest: order.isTest,
  })
}

/** Access lasts through the grace period, unless the customer has cancelled. */
export async function giveAccess(trx: Trx, subscription: Subscription, order?: Row<'orders'>): Promise<void> {
  const { id: subscriptionId, productId, organizationId, userId, reference, periodEnd, endsAtPeriodEnd } = subscription
  if (!periodEnd) return
  const expiresAt = new Date(periodEnd.getTime() + (endsAtPeriodEnd ? 0 : GRACE_MS))
  const live = await trx
    .updateTable('entitlements')
    .set({ expiresAt })
    .where('subscriptionId', '=', subscriptionId)
    .where('revokedAt', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (live || !order) return
  const given = { productId, organizationId, userId, paymentReference: reference, orderId: order.id, subscriptionId, expiresAt }
  await grantIn(trx, given, { id: userId ?? undefined })
  await trx.updateTable('orders').set({ grantedAt: now }).where('id', '=', order.id).where('grantedAt', 'is', null).execute()
}

/** Ends a subscription and its access at once. The provider is told by a job, unless it is the one who says so. */
export async function endSubscription(
  trx: Trx,
  subscription: Subscription,
  reason: EndReason,
  { actor = {}, isToldTo = true }: { actor?: Actor; isToldTo?: boolean } = {},
): Promise<void> {
  if (subscription.state === 'ended') return
  const ended = await changeSubscription(trx, subscription, {
    state: 'ended',
    endedAt: new Date(),
    endReason: reason,
    graceUntil: null,
    nextOfferId: null,
    nextAmount: null,
    nextAmountFrom: null,
  })
  await trx
    .updateTable('entitlements')
    .set({ revokedAt: now })
    .where('subscriptionId', '=', ended.id)
    .where('revokedAt', 'is', null)
    .execute()
  const open = await trx
    .selectFrom('orders')
    .select('id')
    .where('subscriptionId', '=', ended.id)
    .where('kind', '=', 'renewal')
    .where('state', 'in', ['open', 'processing'])
    .execute()
  for (const { id } of open) await endOrder(trx, id, reason === 'unpaid' ? 'failed' : 'cancelled', endReasons[reason], actor)
  if (isToldTo) await enqueue(trx, { kind: CANCEL_JOB, payload: { id: ended.id }, dedupeKey: `${CANCEL_JOB}:${ended.id}:${ended.version}` })
  await audit(trx, 'subscription_ended', {
    ...by(actor),
    subjectId: ended.organizationId,
    detail: { subscription: ended.reference, reason },
  })
  const name = await productName(trx, ended)
  await emailSubscribers(
    trx,
    ended,
    (to) => endedEmail(to, { name, reason: endReasons[reason] }),
    `subscription-ended:${ended.id}:${ended.version}`,
  )
}

/** Sets whether a subscription ends with its period. Nothing is charged after a cancellation; it can be taken back until then. */
export async function setEnding(trx: Trx, subscription: Subscription, endsAtPeriodEnd: boolean, actor: Actor): Promise<Subscription> {
  if (subscription.endsAtPeriodEnd === endsAtPeriodEnd) return subscription
  const changed = await changeSubscription(trx, subscription, { endsAtPeriodEnd })
  await giveAccess(trx, changed)
  const action = endsAtPeriodEnd ? 'subscription_cancelled' : 'subscription_continued'
  await audit(trx, action, { ...by(actor), subjectId: changed.organizationId, detail: { subscription: changed.reference } })
  if (endsAtPeriodEnd && changed.periodEnd) {
    const told = { name: await productName(trx, changed), until: longDay(changed.periodEnd) }
    await emailSubscribers(trx, changed, (to) => cancelledEmail(to, told), `subscription-cancelled:${changed.id}:${changed.version}`)
  }
  return changed
}

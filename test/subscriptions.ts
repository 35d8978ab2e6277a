import { placeOrder } from '#app/billing/orders/place-order.server.ts'
import { totalsOf } from '#app/billing/orders/totals.ts'
import type { Interval } from '#app/billing/payments/provider.server.ts'
import { applySubscription } from '#app/billing/subscriptions/apply-subscription.server.ts'
import { beginSubscription } from '#app/billing/subscriptions/begin-subscription.server.ts'
import { findTestSubscription, turnTestClock } from '#app/billing/subscriptions/test-subscription.server.ts'
import type { TestTurn } from '#app/billing/subscriptions/subscription.ts'
import { findProvider } from '#app/billing/payments/providers.server.ts'
import { db, insert, transaction } from '#app/platform/database/db.server.ts'
import type { Row } from '#db/tables.ts'
import { applyWaitingEvents, pressTest, startTestCheckout } from './billing.ts'
import { makeProduct } from './factories.ts'

type Given = {
  userId: string
  organizationId?: string
  productId?: string
  every?: Interval
  amount?: number
  taxBy?: Row<'orders'>['taxBy']
  /** Off the first period. */
  discount?: number
}

/** The order of a subscription that is not paid yet. */
export async function orderSubscription({
  userId,
  organizationId = userId,
  every = 'month',
  amount = 9900,
  taxBy = 'table',
  discount = 0,
  ...given
}: Given) {
  const productId = given.productId ?? (await makeProduct({ priceCents: 29_900 })).id
  const offer = await makeOffer(productId, every, amount)
  const line = { title: 'Shop prices', detail: '', quantity: 1000, unitAmount: amount, discount, supply: 'data' as const }
  const totals = totalsOf([line], () => ({ category: 'O', rate: 0, reason: '' }))
  const facts = { organizationId, userId, productId, offerId: offer.id, currency: 'USD', taxBy }
  return transaction(async (trx) => {
    const subscriptionId = await beginSubscription(trx, { ...facts, amount })
    return placeOrder(trx, { ...facts, subscriptionId, kind: 'dataset', includes: 'feed', title: 'Shop prices', totals })
  })
}

export async function makeOffer(productId: string, charged: Interval, amount: number): Promise<Row<'productOffers'>> {
  return insert(db, 'productOffers', { productId, charged, currency: 'USD', amount, includes: 'feed' })
}

/** A subscription of the test provider whose first period is paid. */
export async function subscribe(given: Given): Promise<Row<'subscriptions'>> {
  const order = await orderSubscription(given)
  await pressTest(await startTestCheckout(order.id), 'pay')
  return subscriptionOf(order.subscriptionId)
}

export async function subscriptionOf(id: string | null): Promise<Row<'subscriptions'>> {
  return db.selectFrom('subscriptions').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
}

/** Lets the clock of the test provider begin the next period, and applies what it tells. */
export async function turnClock(id: string, turn: TestTurn): Promise<Row<'subscriptions'>> {
  await turnTestClock(await findTestSubscription(id), turn)
  await applyWaitingEvents()
  return subscriptionOf(id)
}

/** Does the work of the jobs after a first payment. */
export async function syncSubscription(id: string): Promise<void> {
  const provider = findProvider('test')
  if (provider) await applySubscription(provider, await findTestSubscription(id))
}

export async function ordersOf(subscriptionId: string): Promise<Row<'orders'>[]> {
  return db.selectFrom('orders').selectAll().where('subscriptionId', '=', subscriptionId).orderBy('createdAt').orderBy('id').execute()
}

export async function grantsOf(subscriptionId: string): Promise<Row<'entitlements'>[]> {
  return db.selectFrom('entitlements').selectAll().where('subscriptionId', '=', subscriptionId).where('revokedAt', 'is', null).execute()
}

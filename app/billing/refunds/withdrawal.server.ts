import type { Trx } from '#app/platform/database/db.server.ts'
import { now } from '#app/platform/database/sql.server.ts'
import { endSubscription, lockSubscription } from '#app/billing/subscriptions/subscription-state.server.ts'
import type { Row } from '#db/tables.ts'

type Order = Row<'orders'>

/** Takes away what a locked order gave, in the transaction that books its full refund or its lost dispute. A subscription ends with its current period. */
export async function withdrawAccess(trx: Trx, order: Order, reason: 'refunded' | 'disputed'): Promise<void> {
  await grantsOf(trx, order).set({ revokedAt: now }).where('subscriptionId', 'is', null).execute()
  const subscription = order.subscriptionId && (await lockSubscription(trx, order.subscriptionId))
  if (subscription && (await isCurrent(trx, order))) await endSubscription(trx, subscription, reason)
}

/** Holds access back while a payment is disputed. */
export async function suspendAccess(trx: Trx, order: Order): Promise<void> {
  if (order.subscriptionId && !(await isCurrent(trx, order))) return
  await grantsOf(trx, order).set({ suspendedAt: now }).where('suspendedAt', 'is', null).execute()
}

/** Gives suspended access back. What was revoked meanwhile stays revoked. */
export async function restoreAccess(trx: Trx, order: Order): Promise<void> {
  await grantsOf(trx, order).set({ suspendedAt: null }).execute()
}

/** A refund that failed did not happen: what it took away is there again. An ended subscription is for staff to reopen. */
export async function giveBackAccess(trx: Trx, { id }: Order, revokedSince: Date): Promise<void> {
  await trx
    .updateTable('entitlements')
    .set({ revokedAt: null })
    .where('orderId', '=', id)
    .where('subscriptionId', 'is', null)
    .where('revokedAt', '>=', revokedSince)
    .execute()
}

function grantsOf(trx: Trx, { id, subscriptionId }: Order) {
  return trx
    .updateTable('entitlements')
    .where('revokedAt', 'is', null)
    .where((or) => or.or([or('orderId', '=', id), ...(subscriptionId ? [or('subscriptionId', '=', subscriptionId)] : [])]))
}

/** Whether the order paid for the newest period of its subscription. */
async function isCurrent(trx: Trx, { id, subscriptionId }: Order): Promise<boolean> {
  const newest = await trx
    .selectFrom('orders')
    .select('id')
    .where('subscriptionId', '=', subscriptionId)
    .where('state', '=', 'paid')
    .orderBy('periodEnd', 'desc')
    .executeTakeFirst()
  return newest?.id === id
}

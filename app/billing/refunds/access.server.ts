import type { UpdateQueryBuilder, UpdateResult } from 'kysely'
import { onPaid } from '#app/billing/orders/fulfilment.server.ts'
import { endSubscription, lockSubscription } from '#app/billing/subscriptions/subscription-state.server.ts'
import type { Trx } from '#app/platform/database/db.server.ts'
import { now } from '#app/platform/database/sql.server.ts'
import type { Row, Tables } from '#db/tables.ts'
import { refundedOf } from './refund-ledger.server.ts'

type Order = Row<'orders'>
type Grants = UpdateQueryBuilder<Tables, 'entitlements', 'entitlements', UpdateResult>

/**
 * Makes the access of a locked order what its refunds and disputes leave of it: none after a full refund or a lost dispute, suspended while a dispute is
 * open. It reads all of them, so it makes no difference in which order they are learned of. Call it in the transaction that books one.
 */
export async function settleAccess(trx: Trx, order: Order): Promise<void> {
  const isLost = await hasDispute(trx, order.id, 'lost')
  const isGone = isLost || (order.gross > 0 && (await refundedOf(trx, order.id)) >= order.gross)
  if (order.subscriptionId) return settleSubscription(trx, order, order.subscriptionId, isGone && (isLost ? 'disputed' : 'refunded'))
  const grants = trx.updateTable('entitlements').where('orderId', '=', order.id)
  if (isGone) await grants.set({ revokedAt: now, revokedByPayment: true }).where('revokedAt', 'is', null).execute()
  else await grants.set({ revokedAt: null, revokedByPayment: false }).where('revokedByPayment', '=', true).execute()
  await suspend(grants, await hasDispute(trx, order.id, 'open'))
}

/** A subscription ends with its current period, and is then for staff to reopen. Payments of earlier periods make no difference to it. */
async function settleSubscription(trx: Trx, order: Order, id: string, end: 'refunded' | 'disputed' | false): Promise<void> {
  const subscription = await lockSubscription(trx, id)
  const current = await findCurrent(trx, id)
  if (subscription && end && current?.id === order.id) await endSubscription(trx, subscription, end)
  const grants = trx.updateTable('entitlements').where('subscriptionId', '=', id).where('revokedAt', 'is', null)
  await suspend(grants, current !== undefined && (await hasDispute(trx, current.id, 'open')))
}

async function suspend(grants: Grants, isDisputed: boolean): Promise<void> {
  if (isDisputed) await grants.set({ suspendedAt: now }).where('suspendedAt', 'is', null).execute()
  else await grants.set({ suspendedAt: null }).where('suspendedAt', 'is not', null).execute()
}

/** The order that paid for the newest period of a subscription. After an upgrade it can end before the one that it replaced. */
async function findCurrent(trx: Trx, subscriptionId: string): Promise<{ id: string } | undefined> {
  return trx
    .selectFrom('orders')
    .select('id')
    .where('subscriptionId', '=', subscriptionId)
    .where('state', '=', 'paid')
    .orderBy('periodStart', 'desc')
    .orderBy('createdAt', 'desc')
    .executeTakeFirst()
}

async function hasDispute(trx: Trx, orderId: string, state: Row<'disputes'>['state']): Promise<boolean> {
  const found = trx.selectFrom('disputes').select('id').where('orderId', '=', orderId).where('state', '=', state)
  return (await found.executeTakeFirst()) !== undefined
}

// A new period is paid, whatever becomes of the payment of the one before.
onPaid('renewal', settleAccess)

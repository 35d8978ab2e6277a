import { z } from 'zod'
import { endOrder } from '#app/billing/orders/fulfilment.server.ts'
import { lockOrder } from '#app/billing/orders/order-state.server.ts'
import { db, transaction } from '#app/platform/database/db.server.ts'
import { now } from '#app/platform/database/sql.server.ts'
import { defineJob } from '#app/platform/jobs.server.ts'
import { endPage } from './checkout.server.ts'

const MOST = 200

/** Ends orders that nobody has paid in time. Their pages at the provider end first, and what was paid at the last moment counts. */
export async function expireOrders(): Promise<void> {
  const due = await db
    .selectFrom('orders')
    .select('id')
    .where('state', '=', 'open')
    .where('method', '=', 'checkout')
    .where('expiresAt', '<', now)
    .orderBy('expiresAt')
    .limit(MOST)
    .execute()
  for (const { id } of due) await expireOrder(id)
}

async function expireOrder(orderId: string): Promise<void> {
  const open = await db.selectFrom('checkouts').selectAll().where('orderId', '=', orderId).where('state', '=', 'open').execute()
  for (const checkout of open) await endPage(checkout)
  await transaction(async (trx) => {
    const order = await lockOrder(trx, orderId)
    if (order?.state !== 'open') return
    await trx.updateTable('checkouts').set({ state: 'expired' }).where('orderId', '=', orderId).where('state', '=', 'open').execute()
    await endOrder(trx, orderId, 'expired')
  })
}

defineJob('orders.expire', z.unknown(), expireOrders, { every: 'hour' })

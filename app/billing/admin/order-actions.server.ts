import { cancelOrder } from '#app/billing/payments/checkout.server.ts'
import { lockOrder } from '#app/billing/orders/order-state.server.ts'
import { audit, by } from '#app/auth/users/audit.server.ts'
import { db, transaction } from '#app/platform/database/db.server.ts'
import { now } from '#app/platform/database/sql.server.ts'
import { stop } from '#app/platform/errors/stop.ts'

type Actor = { id: string; address: string }

export async function requireOrder(reference: string): Promise<string> {
  const order = await db.selectFrom('orders').select('id').where('reference', '=', reference.toUpperCase()).executeTakeFirst()
  return order?.id ?? stop('notFound', 'There is no such order.')
}

/** Cancels an unpaid order, with a reason that its credit note and the log have. */
export async function cancelByStaff(reference: string, reason: string, actor: Actor): Promise<void> {
  const orderId = await requireOrder(reference)
  await cancelOrder(orderId, actor, reason)
}

/** Stops the reminders of an order, as for an arrangement, or continues them. */
export async function pauseReminders(reference: string, paused: boolean, actor: Actor): Promise<void> {
  const orderId = await requireOrder(reference)
  await transaction(async (trx) => {
    const order = await lockOrder(trx, orderId)
    if (!order || order.remindersPaused === paused) return
    await trx.updateTable('orders').set({ remindersPaused: paused, updatedAt: now }).where('id', '=', orderId).execute()
    const detail = { order: order.reference }
    await audit(trx, paused ? 'order_reminders_paused' : 'order_reminders_continued', {
      ...by(actor),
      subjectId: order.organizationId,
      detail,
    })
  })
}

import { cancelOrder } from '#app/billing/payments/checkout.server.ts'
import { addBillingTask, closeBillingTask } from '#app/billing/orders/billing-task.server.ts'
import { creditOfCancelling } from '#app/billing/payments/cancelled-invoice.server.ts'
import { lockOrder } from '#app/billing/orders/order-state.server.ts'
import { tellDeclined } from '#app/billing/refunds/second-person.server.ts'
import { audit, by } from '#app/auth/users/audit.server.ts'
import { db, newId, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { now } from '#app/platform/database/sql.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { Row } from '#db/tables.ts'
import type { OrderAction } from './order-record.ts'
import { requireAction } from './order-refusals.server.ts'

type Actor = { id: string; address: string }

export async function requireOrder(reference: string): Promise<string> {
  const order = await db.selectFrom('orders').select('id').where('reference', '=', reference.toUpperCase()).executeTakeFirst()
  return order?.id ?? stop('notFound', 'There is no such order.')
}

/** Locks an order for an action of a person, or stops with a sentence. */
export async function lockFor(trx: Trx, action: OrderAction, orderId: string, actor: Actor): Promise<Row<'orders'>> {
  const order = (await lockOrder(trx, orderId)) ?? stop('notFound', 'There is no such order.')
  await requireAction(trx, action, order, actor.id)
  return order
}

/** The credit that cancelling an order makes: zero for one that has no invoice. */
export async function findCancelCredit(reference: string): Promise<{ amount: number; currency: string }> {
  const orderId = await requireOrder(reference)
  return transaction(async (trx) => {
    const order = (await lockOrder(trx, orderId)) ?? stop('notFound', 'There is no such order.')
    return { amount: await creditOfCancelling(trx, order), currency: order.currency }
  })
}

/** Cancels an unpaid order, with a reason that its credit note and the log have. `limit`: from this credit a second person approves it first. */
export async function cancelByStaff(reference: string, reason: string, actor: Actor, limit: number | false): Promise<void> {
  const orderId = await requireOrder(reference)
  const waits = await transaction(async (trx) => {
    const order = await lockFor(trx, 'cancel', orderId, actor)
    const credit = await creditOfCancelling(trx, order)
    if (limit === false || credit <= 0 || credit < limit) return false
    await setAsked(trx, order, { cancelAskedBy: actor.id, cancelReason: reason }, reason, actor)
    await askSecondPerson(trx, order, reason, actor)
    return true
  })
  if (!waits) await cancelOrder(orderId, actor, reason)
}

/** The same can be asked for again after it was declined. */
async function askSecondPerson(trx: Trx, order: Row<'orders'>, reason: string, { id: askedBy }: Actor): Promise<void> {
  const { id: orderId, reference, isTest } = order
  const title = `Cancelling ${reference} needs a second person`
  const task = { kind: 'cancel_asked', about: `cancel_asked:${newId()}`, title, theirs: reason, orderId, isTest, askedBy } as const
  await addBillingTask(trx, task, aboutOrder(order).link)
}

/** A second person approves what the first one asked for. */
export async function approveCancel(reference: string, actor: Actor): Promise<void> {
  const orderId = await requireOrder(reference)
  const { cancelAskedBy, cancelReason } = await transaction(async (trx) => lockFor(trx, 'approveCancel', orderId, actor))
  await cancelOrder(orderId, actor, cancelReason, cancelAskedBy ?? undefined)
}

/** The reason is in the timeline of the order. */
export async function declineCancel(reference: string, reason: string, actor: Actor): Promise<void> {
  const orderId = await requireOrder(reference)
  await transaction(async (trx) => {
    const order = await lockFor(trx, 'declineCancel', orderId, actor)
    await setAsked(trx, order, { cancelAskedBy: null, cancelReason: '' }, reason, actor)
    await closeBillingTask(trx, { kind: 'cancel_asked', orderId }, `Declined: ${reason}`, actor.id)
    const title = `The cancellation of ${order.reference} was declined`
    if (order.cancelAskedBy) await tellDeclined(trx, { ...aboutOrder(order), title, reason }, { by: actor.id, to: order.cancelAskedBy })
  })
}

const aboutOrder = ({ id, reference }: Row<'orders'>) => ({ link: `/admin/billing/orders/${reference}`, subjectId: id })

type Asked = Pick<Row<'orders'>, 'cancelAskedBy' | 'cancelReason'>

async function setAsked(
  trx: Trx,
  { id, organizationId, reference }: Row<'orders'>,
  asked: Asked,
  reason: string,
  actor: Actor,
): Promise<void> {
  await trx
    .updateTable('orders')
    .set({ ...asked, updatedAt: now })
    .where('id', '=', id)
    .execute()
  const action = asked.cancelAskedBy ? 'order_cancel_asked' : 'order_cancel_declined'
  await audit(trx, action, { ...by(actor), subjectId: organizationId, detail: { order: reference, reason } })
}

/** Stops the reminders of an order, as for an arrangement, or continues them. */
export async function pauseReminders(reference: string, paused: boolean, actor: Actor): Promise<void> {
  const orderId = await requireOrder(reference)
  await transaction(async (trx) => {
    const order = await lockFor(trx, 'reminders', orderId, actor)
    if (order.remindersPaused === paused) return
    await trx.updateTable('orders').set({ remindersPaused: paused, updatedAt: now }).where('id', '=', orderId).execute()
    const detail = { order: order.reference }
    await audit(trx, paused ? 'order_reminders_paused' : 'order_reminders_continued', {
      ...by(actor),
      subjectId: order.organizationId,
      detail,
    })
  })
}

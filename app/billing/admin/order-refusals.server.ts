import { isPeriod } from '#app/billing/orders/order-state.server.ts'
import { findOwed } from '#app/billing/payments/settlement.server.ts'
import type { Trx } from '#app/platform/database/db.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { Row } from '#db/tables.ts'
import { type OrderAction, orderActions } from './order-record.ts'

type Facts = Row<'orders'> & { owed: number }

type Refusal = { sentence: string; code: string; status?: 'forbidden' }

const CHARGED = 'The payment provider charges this renewal by itself'

const refusals: Record<OrderAction, (order: Facts, actorId: string) => Refusal | undefined> = {
  pay,
  cancel,
  approveCancel,
  declineCancel,
  reminders,
}

/** The actions of a person for an order: those that `requireAction` lets them do, so that the page shows no others. */
export function actionsOf(order: Facts, actorId: string): OrderAction[] {
  return orderActions.filter((action) => refusals[action](order, actorId) === undefined)
}

/** Stops with a sentence where an action of staff for a locked order is not possible now. */
export async function requireAction(trx: Trx, action: OrderAction, order: Row<'orders'>, actorId: string): Promise<void> {
  const refusal = refusals[action]({ ...order, owed: await owedOf(trx, order) }, actorId)
  if (refusal) stop(refusal.status ?? 'conflict', refusal.sentence, { code: refusal.code })
}

/** An order that ended by checkout owes nothing. */
async function owedOf(trx: Trx, order: Row<'orders'>): Promise<number> {
  const isOver = order.state === 'failed' || order.state === 'expired' || order.state === 'cancelled'
  return isOver && order.method === 'checkout' ? 0 : findOwed(trx, order)
}

function pay(order: Facts): Refusal | undefined {
  if (isChargedPeriod(order)) {
    const sentence = `${CHARGED}, so it would be paid twice. Its customer pays it on the page of its order.`
    return { sentence, code: 'is_renewal' }
  }
  if (order.owed <= 0) return { sentence: 'This order owes nothing. Enter the payment for an order that does.', code: 'nothing_owed' }
  if (order.taxBy !== 'provider' || order.providerTax) return undefined
  return { sentence: 'The payment provider adds the tax of this order, so it is paid on the page of its order alone.', code: 'untaxed' }
}

function cancel(order: Facts): Refusal | undefined {
  if (isChargedPeriod(order)) return { sentence: `${CHARGED}. Cancel the subscription instead.`, code: 'is_renewal' }
  if (order.state !== 'open') return ended
  return order.cancelAskedBy === null ? undefined : { sentence: 'Its cancellation was asked for already.', code: 'cancel_asked' }
}

const ended = { sentence: 'This order can no longer be cancelled: it is being paid, or has ended.', code: 'order_ended' }

function approveCancel(order: Facts, actorId: string): Refusal | undefined {
  return (
    declineCancel(order) ??
    (order.cancelAskedBy === actorId
      ? { sentence: 'Another person has to approve your cancellation.', code: 'second_person', status: 'forbidden' }
      : undefined)
  )
}

function declineCancel({ state, cancelAskedBy }: Facts): Refusal | undefined {
  if (state !== 'open') return ended
  return cancelAskedBy === null ? { sentence: 'This cancellation has been decided already.', code: 'cancel_decided' } : undefined
}

function reminders({ method, owed }: Facts): Refusal | undefined {
  if (method === 'invoice' && owed > 0) return undefined
  return { sentence: 'This order has no reminders: it owes nothing, or has no invoice to pay.', code: 'no_reminders' }
}

function isChargedPeriod(order: Facts): boolean {
  return order.state === 'open' && isPeriod(order)
}

import { businessDay } from '#app/platform/time/business-day.ts'
import { closeBillingTask } from './billing-task.server.ts'
import { billing } from '#app/content/billing.server.ts'
import { db, type Trx } from '#app/platform/database/db.server.ts'
import { now } from '#app/platform/database/sql.server.ts'
import type { Row } from '#db/tables.ts'
import { nextStates, type OrderState } from './order.ts'

/** Locks an order until the transaction ends: everything that happens to it happens one after the other. */
export async function lockOrder(trx: Trx, id: string): Promise<Row<'orders'> | undefined> {
  return trx.selectFrom('orders').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

export async function findOrder(reference: string): Promise<Row<'orders'> | undefined> {
  return db.selectFrom('orders').selectAll().where('reference', '=', reference.toUpperCase()).executeTakeFirst()
}

type Moved = Partial<Pick<Row<'orders'>, 'paidAt' | 'grantedAt' | 'failure'>>

/** Moves a locked order to a state. Undefined where the diagram has no such step, such as from a final state: then nothing changes. */
export async function moveOrder(
  trx: Trx,
  { id, state, version, cancelAskedBy }: Row<'orders'>,
  to: OrderState,
  also: Moved = {},
): Promise<Row<'orders'> | undefined> {
  if (!nextStates[state].includes(to)) return undefined
  // It is no longer open, so there is nothing to cancel.
  if (cancelAskedBy) await closeBillingTask(trx, { kind: 'cancel_asked', orderId: id }, `The order is ${to}.`)
  return trx
    .updateTable('orders')
    .set({ ...also, state: to, version: version + 1, updatedAt: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Whether an order is a period that the provider of a subscription charges. An upgrade is paid as other orders are, and within an hour. */
export function isPeriod({ kind, expiresAt }: Pick<Row<'orders'>, 'kind' | 'expiresAt'>): boolean {
  return kind === 'renewal' && expiresAt === null
}

/** The time that an order of a subscription pays for, as days where the business is. */
export function periodOf({
  periodStart,
  periodEnd,
}: Pick<Row<'orders'>, 'periodStart' | 'periodEnd'>): { start: string; end: string } | null {
  if (!periodStart || !periodEnd) return null
  return { start: businessDay(periodStart, billing.zone), end: businessDay(periodEnd, billing.zone) }
}

import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import type { Trx } from '#app/platform/database/db.server.ts'
import { emitWebhook } from '#app/platform/jobs/webhook-event.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { Row } from '#db/tables.ts'
import { book, type Booking } from './ledger.server.ts'
import { orderEvent } from './order-event.server.ts'
import type { orderKinds, OrderState } from './order.ts'
import { lockOrder, moveOrder } from './order-state.server.ts'

type Kind = (typeof orderKinds)[number]
type Ended = Extract<OrderState, 'failed' | 'expired' | 'cancelled'>
type OnOrder = (trx: Trx, order: Row<'orders'>) => Promise<void>

type Sale = (trx: Trx, order: Row<'orders'>) => Promise<Booking['amounts']>

const sold: OnOrder[] = []
const sales = new Map<Kind, Sale>()
const paid = new Map<Kind, OnOrder[]>()
const settled: OnOrder[] = []
const ended = new Map<Kind, OnOrder[]>()

/** Runs once for each order, of every kind, as soon as it is owed or paid: an order by invoice when it is placed, others with their payment. */
export function onSold(run: OnOrder): void {
  sold.push(run)
}

/** Sets the ledger amounts for orders of a kind that book more than their own net and tax. A final payment also books its deposit. */
export function bookSale(kind: Kind, sale: Sale): void {
  sales.set(kind, sale)
}

/** Runs once for each paid order of a kind, in the transaction that books its payment, before its invoice is issued. */
export function onPaid(kind: Kind, run: OnOrder): void {
  paid.set(kind, [...(paid.get(kind) ?? []), run])
}

/** Runs once for each paid order, of every kind, after all else: its invoice is issued and paid. */
export function onSettled(run: OnOrder): void {
  settled.push(run)
}

/** Runs once for each order of a kind that ends unpaid: failed, expired or cancelled. */
export function onEnded(kind: Kind, run: OnOrder): void {
  ended.set(kind, [...(ended.get(kind) ?? []), run])
}

/**
 * Fulfils an order, in the transaction that books its payment: it is paid, sold, and its kind does the rest. The webhook, the return page, a bank file
 * and staff all end here. Returns `false` if it was fulfilled before, or ended unpaid.
 */
export async function fulfilOrder(trx: Trx, orderId: string, paidAt = new Date()): Promise<boolean> {
  const order = (await lockOrder(trx, orderId)) ?? stop('notFound', 'There is no such order.')
  const moved = await moveOrder(trx, order, 'paid', { paidAt })
  if (!moved) return false
  // First: a subscription writes the period that its invoice names.
  for (const run of paid.get(moved.kind) ?? []) await run(trx, moved)
  // One by invoice was sold when it was placed.
  if (moved.method === 'checkout') await sellOrder(trx, moved)
  for (const run of settled) await run(trx, moved)
  await audit(trx, 'order_paid', { subjectId: moved.organizationId, detail: { order: moved.reference } })
  await emitWebhook(trx, 'order.paid', async () => [await orderEvent(trx, moved)])
  return true
}

/** Ends an order unpaid. Returns `false` where the diagram has no such step: it was paid, or has ended. */
export async function endOrder(trx: Trx, orderId: string, to: Ended, failure = '', actor: Actor = {}): Promise<boolean> {
  const order = (await lockOrder(trx, orderId)) ?? stop('notFound', 'There is no such order.')
  const moved = await moveOrder(trx, order, to, { failure })
  if (!moved) return false
  for (const run of ended.get(moved.kind) ?? []) await run(trx, moved)
  await trx.deleteFrom('discountUses').where('orderId', '=', orderId).execute()
  await audit(trx, `order_${to}`, { ...by(actor), subjectId: moved.organizationId, detail: { order: moved.reference } })
  if (to === 'failed') await emitWebhook(trx, 'order.failed', async () => [await orderEvent(trx, moved)])
  return true
}

/** Books what is owed for an order, and issues its invoice. */
export async function sellOrder(trx: Trx, order: Row<'orders'>): Promise<void> {
  const { id, kind, currency, isTest } = order
  const amounts = await (sales.get(kind) ?? ownSale)(trx, order)
  await book(trx, { cause: `sale:${id}`, orderId: id, currency, isTest, occurredAt: new Date(), amounts })
  for (const run of sold) await run(trx, order)
}

async function ownSale(_trx: Trx, { kind, net, tax, gross }: Row<'orders'>): Promise<Booking['amounts']> {
  const account = kind === 'deposit' ? 'prepayments' : kind === 'fee' ? 'reminder_fees' : 'revenue'
  return { receivable: gross, tax: -tax, [account]: -net }
}

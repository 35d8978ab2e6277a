import { audit, by } from '#app/auth/users/audit.server.ts'
import { notificationJob } from '#app/account/notifications/notification.server.ts'
import { endOrder, fulfilOrder } from '#app/billing/orders/fulfilment.server.ts'
import { book } from '#app/billing/orders/ledger.server.ts'
import { isPeriod, lockOrder } from '#app/billing/orders/order-state.server.ts'
import { type Database, insert, newId, type Trx } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { enqueue } from '#app/platform/jobs.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { moneyText } from '#app/platform/text/money.ts'
import type { Row } from '#db/tables.ts'

type Share = { orderId: string; amount: number }

export type Settled = {
  provider: Row<'payments'>['provider']
  /** The provider's id of the payment: it is settled once, however often its event comes. */
  providerId: string
  amount: number
  currency: string
  paidAt: Date
  /** Of the provider; null while unknown. */
  fee: number | null
  checkoutId?: string
  /** Where no order names it. */
  organizationId?: string
  enteredBy?: string
  note?: string
} & ({ orderId: string } | { allocations: readonly Share[] })

type Outcome = { paymentId: string; isNew: boolean; unallocated: number }

/**
 * Books a payment, allocates it and fulfils what it pays in full, in the caller's transaction. The webhook, the return page, a bank file and staff all
 * end here. The rest of a payment, or all of it where an order takes no money any more, stays unallocated, and staff are told.
 */
export async function settlePayment(trx: Trx, given: Settled): Promise<Outcome> {
  const { provider, providerId, amount, currency, paidAt, fee, checkoutId, enteredBy, note } = given
  const shares = 'orderId' in given ? [{ orderId: given.orderId, amount }] : given.allocations
  const orders = await lockAll(trx, shares)
  const known = await trx
    .selectFrom('payments')
    .select('id')
    .where('provider', '=', provider)
    .where('providerId', '=', providerId)
    .executeTakeFirst()
  if (known) return { paymentId: known.id, isNew: false, unallocated: 0 }
  const organizationId = orders[0]?.organizationId ?? given.organizationId ?? null
  const isTest = provider === 'test' || (orders[0]?.isTest ?? env.PAYMENTS.includes('test'))
  const row = { organizationId, provider, providerId, checkoutId, amount, currency, fee, enteredBy, note, isTest, paidAt }
  const { id: paymentId } = await insert(trx, 'payments', row)
  let left = amount
  for (const [index, share] of shares.entries()) {
    const order = orders[index]
    if (!order) continue
    left -= await allocate(trx, order, {
      paymentId,
      cause: `payment:${paymentId}`,
      account: 'cash',
      isOfProvider: provider !== 'transfer',
      amount: share.amount,
      currency,
      paidAt,
    })
  }
  if (left < 0) stop('unprocessable', 'More is allocated than was paid.')
  const facts = { paymentId, currency, isTest, occurredAt: paidAt }
  await book(trx, { ...facts, cause: `payment:${paymentId}`, orderId: null, amounts: { cash: left, unallocated: -left } })
  await bookFee(trx, { ...facts, orderId: orders[0]?.id ?? null, fee: fee ?? 0 })
  // Less was taken than was meant for the orders, such as by one that has ended meanwhile.
  const meant = shares.reduce((sum, share) => sum + share.amount, 0)
  if (left > amount - meant) await tellUnallocated(trx, { paymentId, amount: left, currency, order: orders[0] })
  return { paymentId, isNew: true, unallocated: left }
}

/** Allocates a part of a payment that is not allocated yet to an order. */
export async function allocatePayment(
  trx: Trx,
  { paymentId, orderId, amount, actorId }: Share & { paymentId: string; actorId: string | null },
): Promise<void> {
  // In this order, as refunds do.
  const order = await lockOrder(trx, orderId)
  const payment = await trx.selectFrom('payments').selectAll().where('id', '=', paymentId).forUpdate().executeTakeFirst()
  if (!payment || !order) stop('notFound', 'There is no such payment or order.')
  if (payment.currency !== order.currency) stop('conflict', 'The payment has another currency than the order.', { code: 'other_currency' })
  if (amount <= 0 || amount > (await findFree(trx, paymentId))) {
    stop('unprocessable', 'The payment has less than that left.', { errors: { amount: 'The payment has less than that left' } })
  }
  const { currency } = payment
  const taken = await allocate(trx, order, {
    paymentId,
    amount,
    currency,
    paidAt: new Date(),
    account: 'unallocated',
    isOfProvider: payment.provider !== 'transfer',
    cause: `allocation:${newId()}`,
    actorId,
  })
  if (taken !== amount) stop('conflict', 'This order takes no such payment: it is paid, or has ended.', { code: 'order_ended' })
}

/** The unallocated rest of a payment. */
export async function findUnallocated(connection: Database | Trx, paymentId: string): Promise<number> {
  const { left } = await connection
    .selectFrom('ledgerEntries')
    .select((of) => of.fn.coalesce(of.fn.sum<string>('amount'), of.lit(0)).as('left'))
    .where('paymentId', '=', paymentId)
    .where('account', '=', 'unallocated')
    .executeTakeFirstOrThrow()
  return 0 - Number(left)
}

/** The part of it that no refund waits for. */
export async function findFree(connection: Database | Trx, paymentId: string): Promise<number> {
  const { waiting } = await connection
    .selectFrom('refunds')
    .select((of) => of.fn.coalesce(of.fn.sum<string>('amount'), of.lit(0)).as('waiting'))
    .where('paymentId', '=', paymentId)
    .where('orderId', 'is', null)
    .where('state', 'in', ['asked', 'pending'])
    .executeTakeFirstOrThrow()
  return Math.max(0, (await findUnallocated(connection, paymentId)) - Number(waiting))
}

/** The amount owed for an order. An order by checkout is booked with its payment. */
export async function findOwed(trx: Trx, { id, method, state, gross }: Row<'orders'>): Promise<number> {
  if (method === 'checkout' && state !== 'paid') return gross
  const { owed } = await trx
    .selectFrom('ledgerEntries')
    .select((of) => of.fn.coalesce(of.fn.sum<string>('amount'), of.lit(0)).as('owed'))
    .where('orderId', '=', id)
    .where('account', '=', 'receivable')
    .executeTakeFirstOrThrow()
  return Number(owed)
}

/** Books a provider's fee, once, also where it is known only later. */
export async function bookFee(
  trx: Trx,
  {
    paymentId,
    fee,
    ...facts
  }: { paymentId: string; orderId: string | null; fee: number; currency: string; isTest: boolean; occurredAt: Date },
): Promise<void> {
  if (fee === 0) return
  const isNew = await book(trx, { ...facts, paymentId, cause: `fee:${paymentId}`, amounts: { fees: fee, cash: -fee } })
  if (isNew) await trx.updateTable('payments').set({ fee }).where('id', '=', paymentId).execute()
}

/** In the order of their ids, so that two payments of the same orders cannot wait for each other. */
async function lockAll(trx: Trx, shares: readonly Share[]): Promise<Row<'orders'>[]> {
  const locked = new Map<string, Row<'orders'>>()
  for (const orderId of [...new Set(shares.map((share) => share.orderId))].toSorted()) {
    locked.set(orderId, (await lockOrder(trx, orderId)) ?? stop('notFound', 'There is no such order.'))
  }
  return shares.flatMap(({ orderId }) => locked.get(orderId) ?? [])
}

type Allocation = {
  paymentId: string
  cause: string
  account: 'cash' | 'unallocated'
  amount: number
  currency: string
  paidAt: Date
  /** The provider charged it, on its own or on its page. */
  isOfProvider: boolean
  actorId?: string | null
}

/** Returns how much the order took: never more than is owed, and nothing once it has ended. */
async function allocate(trx: Trx, order: Row<'orders'>, allocation: Allocation): Promise<number> {
  const { paymentId, cause, account, currency, paidAt, isOfProvider, actorId = null } = allocation
  if (currency !== order.currency) return 0
  // Money from elsewhere comes without the tax that the provider would have added.
  if (order.taxBy === 'provider' && !order.providerTax) return 0
  // Its provider charges a period, and would charge it again.
  if (isPeriod(order) && order.state !== 'paid' && !isOfProvider) return 0
  // A paid one owes again what the bank took back.
  if (!['open', 'processing', 'paid'].includes(order.state)) return 0
  if (order.state !== 'paid' && (await refuseLate(trx, order))) return 0
  const owed = await findOwed(trx, order)
  const amount = Math.min(allocation.amount, owed)
  // A checkout is paid whole. Other amounts are not what was asked.
  if (amount <= 0 || (order.method === 'checkout' && amount < owed)) return 0
  const { id: orderId, isTest } = order
  await insert(trx, 'paymentAllocations', { paymentId, orderId, amount, actorId })
  await book(trx, { cause, orderId, paymentId, currency, isTest, occurredAt: paidAt, amounts: { [account]: amount, receivable: -amount } })
  if (actorId)
    await audit(trx, 'payment_allocated', {
      ...by({ id: actorId }),
      subjectId: order.organizationId,
      detail: { order: order.reference, amount },
    })
  if (amount === owed) await fulfilOrder(trx, orderId, paidAt)
  return amount
}

/** Ends an order that can no longer be fulfilled, so that its money buys nothing: staff are told, and it can be refunded. */
async function refuseLate(trx: Trx, order: Row<'orders'>): Promise<boolean> {
  const obstacle = await findObstacle(trx, order)
  return obstacle !== undefined && endOrder(trx, order.id, 'failed', obstacle)
}

async function findObstacle(trx: Trx, { kind, organizationId, productId }: Row<'orders'>): Promise<string | undefined> {
  if (kind !== 'dataset' && kind !== 'renewal') return undefined
  const organization = await trx.selectFrom('organizations').select('state').where('id', '=', organizationId).executeTakeFirstOrThrow()
  if (organization.state === 'closed') return 'The organization was closed before the payment arrived.'
  const product = productId && (await trx.selectFrom('dataProducts').select('removedAt').where('id', '=', productId).executeTakeFirst())
  return product && product.removedAt ? 'The dataset was withdrawn before the payment arrived.' : undefined
}

type Unallocated = { paymentId: string; amount: number; currency: string; order: Row<'orders'> | undefined }

async function tellUnallocated(trx: Trx, { paymentId, amount, currency, order }: Unallocated): Promise<void> {
  await enqueue(
    trx,
    notificationJob({
      kind: 'payment_problem',
      title: `${moneyText(amount, currency)} arrived that no order takes${order ? ` (${order.reference})` : ''}`,
      body: 'Allocate it to another order, or refund it.',
      link: `/admin/billing/payments/${paymentId}`,
      subjectId: paymentId,
      dedupeKey: `payment_unallocated:${paymentId}`,
      to: { roles: ['staff', 'owner'] },
    }),
  )
}

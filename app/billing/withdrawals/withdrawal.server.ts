import { z } from 'zod'
import { audit } from '#app/auth/users/audit.server.ts'
import { findOrder, lockOrder } from '#app/billing/orders/order-state.server.ts'
import { billingAddresses } from '#app/billing/orders/recipients.server.ts'
import { totalText } from '#app/billing/orders/totals.ts'
import { addBillingTask } from '#app/billing/orders/billing-task.server.ts'
import { cancelOrder } from '#app/billing/payments/checkout.server.ts'
import { refundableOf, requestRefund } from '#app/billing/refunds/refund.server.ts'
import { lockPayment } from '#app/billing/refunds/known-payment.server.ts'
import { WITHDRAWAL_DAYS, withdrawalWords as words } from '#app/content/withdrawal.ts'
import { enqueueEmail } from '#app/mail/outbox.server.ts'
import { type Database, db, insert, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { now } from '#app/platform/database/sql.server.ts'
import { Stop, stop } from '#app/platform/errors/stop.ts'
import { defineJob, enqueue } from '#app/platform/jobs.server.ts'
import { inUtc } from '#app/auth/tokens/email-time.ts'
import { moneyText } from '#app/platform/text/money.ts'
import type { Row } from '#db/tables.ts'
import { withdrawalReceivedEmail, withdrawalSettledEmail } from './withdrawal.email.tsx'

type Order = Row<'orders'>
type Withdrawal = Row<'orderWithdrawals'>

/** Nothing was paid, and no payment is on its way. */
const unpaid: ReadonlySet<Order['state']> = new Set(['open', 'failed', 'expired', 'cancelled'])

const SETTLE_JOB = 'withdrawals.settle'
/** The day of the contract does not count, and a day ends later in the west. */
const PERIOD_MS = (WITHDRAWAL_DAYS + 2) * 86_400_000

/** The order of a private person by its number and an address of its buyer. Undefined for everything else, whatever of it is wrong. */
export async function findConsumerOrder(reference: string, email: string): Promise<Order | undefined> {
  const order = await findOrder(reference.trim())
  if (!order || order.isBusiness || order.kind !== 'dataset') return undefined
  const given = email.trim().toLowerCase()
  return (await addressesOf(order)).includes(given) ? order : undefined
}

async function addressesOf({ userId, organizationId }: Order): Promise<string[]> {
  const account = userId ? await db.selectFrom('accounts').select('email').where('id', '=', userId).executeTakeFirst() : undefined
  const { billingEmails } = await db
    .selectFrom('organizations')
    .select('billingEmails')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow()
  return [account?.email?.toLowerCase() ?? [], billingAddresses(billingEmails)].flat()
}

export type Contract = { reference: string; title: string; total: string; orderedAt: string; received: string | null; next: string | null }

/** The contract as the page states it, with its withdrawal if there is one already. */
export async function describeContract(order: Order): Promise<Contract> {
  const { id, reference, title, createdAt } = order
  const known = await db.selectFrom('orderWithdrawals').selectAll().where('orderId', '=', id).executeTakeFirst()
  const received = known ? inUtc(known.createdAt.toISOString()) : null
  const next = known ? await nextOf(db, order, known.state) : null
  return { reference, title, total: totalText(order), orderedAt: inUtc(createdAt.toISOString()), received, next }
}

/** The sentence for the customer about the next step: the order, and its amount. */
async function nextOf(connection: Database | Trx, order: Order, state: Withdrawal['state']): Promise<string> {
  const { id, currency } = order
  if (state === 'received' && unpaid.has(order.state)) return words.next.unpaid()
  if (order.state === 'processing') return words.next[state](totalText(order))
  const allocations = connection.selectFrom('paymentAllocations').where('orderId', '=', id)
  // One that staff asked for can still be declined by a second person.
  const refunds = connection
    .selectFrom('refunds')
    .where('orderId', '=', id)
    .where('state', 'in', state === 'staff' ? ['pending', 'succeeded'] : ['asked', 'pending', 'succeeded'])
  const [paid, back] = [
    await allocations.select((of) => of.fn.sum<string | null>('amount').as('sum')).executeTakeFirstOrThrow(),
    await refunds.select((of) => of.fn.sum<string | null>('amount').as('sum')).executeTakeFirstOrThrow(),
  ]
  const [had, given] = [Number(paid.sum ?? 0), Number(back.sum ?? 0)]
  if (state === 'refunded') return words.next.refunded(moneyText(given, currency))
  // Staff may have refunded it, or decided against it.
  if (state === 'staff' && given > 0 && given >= had) return words.next.refundedByStaff(moneyText(given, currency))
  if (state === 'staff' && (await isDecided(connection, id))) return words.next.decided()
  return words.next[state](had > given ? moneyText(had - given, currency) : '')
}

/** Whether staff have dealt with the task of a withdrawal. */
export async function isDecided(connection: Database | Trx, orderId: string): Promise<boolean> {
  const task = await connection
    .selectFrom('billingTasks')
    .select('doneAt')
    .where('orderId', '=', orderId)
    .where('kind', '=', 'withdrawal')
    .where('doneAt', 'is not', null)
    .executeTakeFirst()
  return task !== undefined
}

/** Takes a withdrawal and sends its receipt, in one transaction. A second one of the same order changes nothing. */
export async function withdraw(orderId: string, { name, email }: { name: string; email: string }): Promise<Withdrawal> {
  return transaction(async (trx) => {
    const order = (await lockOrder(trx, orderId)) ?? stop('notFound', 'There is no such order.')
    const known = await trx.selectFrom('orderWithdrawals').selectAll().where('orderId', '=', orderId).executeTakeFirst()
    if (known) return known
    const { title, reference, organizationId } = order
    const statement = words.statement(name, title, reference)
    const row = await insert(trx, 'orderWithdrawals', { orderId, name, email: email.trim(), statement })
    const next = await nextOf(trx, order, row.state)
    const told = { reference, statement, at: inUtc(row.createdAt.toISOString()), total: totalText(order), next }
    await enqueueEmail(trx, withdrawalReceivedEmail(row.email, told))
    await audit(trx, 'order_withdrawn', { subjectId: organizationId, detail: { order: reference } })
    await enqueue(trx, { kind: SETTLE_JOB, payload: { id: row.id }, dedupeKey: `${SETTLE_JOB}:${row.id}` })
    return row
  })
}

/** Decides about a withdrawal that has arrived. A second run goes on where the first one stopped: what is refunded already is not refundable. */
export async function settleWithdrawal(id: string): Promise<void> {
  const found = await db.selectFrom('orderWithdrawals').selectAll().where('id', '=', id).where('state', '=', 'received').executeTakeFirst()
  if (!found) return
  const order = await db.selectFrom('orders').selectAll().where('id', '=', found.orderId).executeTakeFirstOrThrow()
  if (order.state === 'open' && (await isCancelled(order))) return finish(found, order, 'cancelled')
  if (order.state !== 'open' && unpaid.has(order.state)) return finish(found, order, 'cancelled')
  const reason = await findObstacle(order, found)
  if (reason) return finish(found, order, 'staff', reason)
  const refunded = await refundWhole(order)
  return refunded
    ? finish(found, order, 'refunded')
    : finish(found, order, 'staff', 'There is nothing left to refund, or the payment is disputed.')
}

async function isCancelled({ id }: Order): Promise<boolean> {
  try {
    await cancelOrder(id, {}, 'The buyer has withdrawn.')
    return true
  } catch (error) {
    if (error instanceof Stop) return false
    throw error
  }
}

/** Why staff decide: the law leaves it open, or no money has arrived yet. */
async function findObstacle(order: Order, { createdAt }: Withdrawal): Promise<string | undefined> {
  if (order.state !== 'paid') return 'The payment is on its way.'
  if (createdAt.getTime() > order.createdAt.getTime() + PERIOD_MS) return `It came after ${WITHDRAWAL_DAYS} days.`
  if (!order.supplyConsent || !(await isSupplied(order))) return undefined
  return 'The buyer agreed to immediate supply, and has downloaded the data, queried it or read it through the API.'
}

/** The first consent whose text names reading on the site. */
const NAMES_SITE = '2026-11-30'

/** Whether the buyer has used the data since the order: by a file, through the API, or on the site where the consent says so. */
async function isSupplied({ id, subscriptionId, organizationId, productId, createdAt, supplyConsent }: Order): Promise<boolean> {
  if (!productId) return false
  const used = await db
    .selectFrom('downloads')
    .select('id')
    .where('organizationId', '=', organizationId)
    .where('productId', '=', productId)
    .where('createdAt', '>=', createdAt)
    .executeTakeFirst()
  if (used) return true
  const seen = await db
    .selectFrom('entitlements')
    .select('id')
    .where((or) => or.or([or('orderId', '=', id), ...(subscriptionId ? [or('subscriptionId', '=', subscriptionId)] : [])]))
    .where('readAt', 'is not', null)
    .executeTakeFirst()
  if (seen && (supplyConsent?.version ?? '') >= NAMES_SITE) return true
  const read = await db
    .selectFrom('apiKeyReads')
    .innerJoin('apiKeys', 'apiKeys.id', 'apiKeyReads.keyId')
    .select('keyId')
    .where('organizationId', '=', organizationId)
    .where('productId', '=', productId)
    .where('readAt', '>=', createdAt)
    .executeTakeFirst()
  return read !== undefined
}

/** Refunds what is left of each payment of an order. Returns `false` where that is nothing. */
async function refundWhole(order: Order): Promise<boolean> {
  const shares = await db.selectFrom('paymentAllocations').select('paymentId').distinct().where('orderId', '=', order.id).execute()
  let isRefunded = (await db.selectFrom('refunds').select('id').where('orderId', '=', order.id).executeTakeFirst()) !== undefined
  for (const { paymentId } of shares) {
    const amount = await transaction(async (trx) => {
      const found = await lockPayment(trx, paymentId, order.id)
      return found ? refundableOf(trx, { paymentId, orderId: order.id }) : 0
    })
    if (amount <= 0) continue
    await requestRefund({ paymentId, orderId: order.id, amount, reason: 'Withdrawal from the contract' }, {}, false)
    isRefunded = true
  }
  return isRefunded
}

async function finish({ id }: Withdrawal, order: Order, state: Exclude<Withdrawal['state'], 'received'>, reason = ''): Promise<void> {
  await transaction(async (trx) => {
    const row = await trx
      .updateTable('orderWithdrawals')
      .set({ state, reason, updatedAt: now })
      .where('id', '=', id)
      .where('state', '=', 'received')
      .returningAll()
      .executeTakeFirst()
    if (!row) return
    const { reference, title } = order
    if (state !== 'staff')
      return enqueueEmail(trx, withdrawalSettledEmail(row.email, { reference, title, next: await nextOf(trx, order, state) }))
    await askStaff(trx, row, order)
  })
}

async function askStaff(trx: Trx, { id, name, reason }: Withdrawal, { id: orderId, reference, isTest }: Order): Promise<void> {
  await addBillingTask(trx, {
    kind: 'withdrawal',
    about: `withdrawal:${id}`,
    title: `${name} has withdrawn from ${reference}`,
    ours: 'Refund the order, or write to the buyer why the right has ended.',
    theirs: reason,
    orderId,
    isTest,
  })
}

defineJob(SETTLE_JOB, z.object({ id: z.string() }), async ({ id }) => settleWithdrawal(id), { keepDays: 30 })

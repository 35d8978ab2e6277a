import { z } from 'zod'
import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { nextStates } from '#app/billing/orders/order.ts'
import { orderEvent } from '#app/billing/orders/order-event.server.ts'
import { addBillingTask, closeBillingTask } from '#app/billing/orders/billing-task.server.ts'
import { releasePayments } from '#app/billing/payments/cancelled-invoice.server.ts'
import { applyEventsOf, lockObject } from '#app/billing/payments/events.server.ts'
import type { PaymentProvider, ProviderObjects } from '#app/billing/payments/provider.server.ts'
import { findProvider } from '#app/billing/payments/providers.server.ts'
import { findFree } from '#app/billing/payments/settlement.server.ts'
import { type Database, db, insert, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { now } from '#app/platform/database/sql.server.ts'
import { defineJob, enqueue } from '#app/platform/jobs.server.ts'
import { emitWebhook } from '#app/platform/jobs/webhook-event.server.ts'
import { Stop, stop } from '#app/platform/errors/stop.ts'
import { moneyText } from '#app/platform/text/money.ts'
import { UUID } from '#app/platform/text/uuid.ts'
import type { Row } from '#db/tables.ts'
import { ensurePayment, lockPayment, type PaymentWithOrder } from './known-payment.server.ts'
import { bookRefund, bookRefundFailure, creditRefunds } from './refund-ledger.server.ts'
import { settleAccess } from './access.server.ts'
import { tellDeclined } from './second-person.server.ts'

type Refund = Row<'refunds'>
type Seen = ProviderObjects['refund']
type Person = { id: string; address?: string }

const SEND_JOB = 'refunds.send'

/** The states that take from what can still be refunded. */
const taking = ['asked', 'pending', 'succeeded'] as const

export type RefundAsked = {
  paymentId: string
  /** Null: what no order took of the payment. */
  orderId: string | null
  amount: number
  reason: string
}

/**
 * Refunds a part of a payment or all of it. Two people at once never refund more than was paid. `limit`: from this sum of the refunds of a payment a
 * second person approves.
 */
export async function requestRefund(
  { paymentId, orderId, amount, reason }: RefundAsked,
  actor: Actor,
  limit: number | false,
): Promise<Refund> {
  return transaction(async (trx) => {
    const found = await lockPayment(trx, paymentId, orderId)
    if (!found) return stop('notFound', 'There is no such payment.')
    const { payment, order } = found
    const left = await refundableOf(trx, { paymentId, orderId: order?.id ?? null })
    if (amount <= 0 || amount > left) {
      const sentence = `At most ${moneyText(left, payment.currency)} can be refunded`
      stop('conflict', `${sentence}: the rest is refunded already, disputed or on its way.`, {
        code: 'too_much',
        errors: { amount: sentence },
      })
    }
    const waits = limit !== false && amount + (await findUnapproved(trx, paymentId)) >= limit
    const facts = { paymentId, orderId: order?.id ?? null, amount, currency: payment.currency, reason, askedBy: actor.id ?? null }
    const refund = await insert(trx, 'refunds', { ...facts, state: waits ? 'asked' : 'pending' })
    await note(trx, 'refund_asked', refund, found, actor)
    if (waits) await askSecondPerson(trx, refund, found)
    else await send(trx, refund)
    return refund
  })
}

const sumOf = ({ amount, currency }: Refund) => `A refund of ${moneyText(amount, currency)}`

async function askSecondPerson(trx: Trx, refund: Refund, found: PaymentWithOrder): Promise<void> {
  const { id, paymentId, orderId, reason, askedBy } = refund
  const { link } = aboutRefund(refund, found)
  const title = `${sumOf(refund)} needs a second person`
  const { isTest } = found.payment
  await addBillingTask(trx, { kind: 'refund_asked', about: taskOf(id), title, theirs: reason, orderId, paymentId, isTest, askedBy }, link)
}

const taskOf = (refundId: string) => `refund_asked:${refundId}`

const aboutRefund = ({ id, paymentId }: Refund, { order }: PaymentWithOrder) => ({
  link: order ? `/admin/billing/orders/${order.reference}` : `/admin/billing/payments/${paymentId}`,
  subjectId: id,
})

/** The sum of the refunds of a payment that staff made without a second person: several small ones are a large one together. */
export async function findUnapproved(connection: Database | Trx, paymentId: string): Promise<number> {
  const { sum } = await connection
    .selectFrom('refunds')
    .select((of) => of.fn.coalesce(of.fn.sum<string>('amount'), of.lit(0)).as('sum'))
    .where('paymentId', '=', paymentId)
    .where('askedBy', 'is not', null)
    .where('approvedBy', 'is', null)
    .where('state', 'in', ['pending', 'succeeded'])
    .executeTakeFirstOrThrow()
  return Number(sum)
}

/** The refundable rest of a payment for its order: the allocated amount, less refunds and open or lost disputes. */
export async function refundableOf(
  connection: Database | Trx,
  { paymentId, orderId }: Pick<RefundAsked, 'paymentId' | 'orderId'>,
): Promise<number> {
  const refunds = connection
    .selectFrom('refunds')
    .select((of) => of.fn.coalesce(of.fn.sum<string>('amount'), of.lit(0)).as('sum'))
    .where('paymentId', '=', paymentId)
    .where('orderId', orderId ? '=' : 'is', orderId)
  if (!orderId) return findFree(connection, paymentId)
  const taken = await refunds.where('state', 'in', taking).executeTakeFirstOrThrow()
  const given = await connection
    .selectFrom('paymentAllocations')
    .select((of) => of.fn.coalesce(of.fn.sum<string>('amount'), of.lit(0)).as('sum'))
    .where('paymentId', '=', paymentId)
    .where('orderId', '=', orderId)
    .executeTakeFirstOrThrow()
  const disputed = await connection
    .selectFrom('disputes')
    .select((of) => of.fn.coalesce(of.fn.sum<string>('amount'), of.lit(0)).as('sum'))
    .where('paymentId', '=', paymentId)
    .where('state', 'in', ['open', 'lost'])
    .executeTakeFirstOrThrow()
  return Math.max(0, Number(given.sum) - Number(taken.sum) - Number(disputed.sum))
}

/** Whether a person can approve a refund: another one has asked for it. */
export function mayApprove({ state, askedBy }: Pick<Refund, 'state' | 'askedBy'>, actorId: string): boolean {
  return state === 'asked' && askedBy !== actorId
}

/** A second person approves what the first one asked for. */
export async function approveRefund(id: string, actor: Person): Promise<void> {
  await transaction(async (trx) => {
    const refund = await lockRefund(trx, id)
    if (refund?.state !== 'asked') stop('conflict', 'This refund has been decided already.', { code: 'refund_decided' })
    if (!mayApprove(refund, actor.id)) stop('forbidden', 'Another person has to approve your refund.', { code: 'second_person' })
    const approved = await change(trx, refund, { state: 'pending', approvedBy: actor.id })
    await closeBillingTask(trx, { about: taskOf(id) }, 'Approved', actor.id)
    await send(trx, approved)
  })
}

/** The reason stays on the refund, for the person who asked for it. */
export async function declineRefund(id: string, reason: string, actor: Person): Promise<void> {
  await transaction(async (trx) => {
    const { paymentId, orderId } = await findRefund(trx, id)
    const found = await lockPayment(trx, paymentId, orderId)
    const refund = await lockRefund(trx, id)
    if (!found || refund?.state !== 'asked') return stop('conflict', 'This refund has been decided already.', { code: 'refund_decided' })
    const declined = await change(trx, refund, { state: 'declined', failure: reason })
    await closeBillingTask(trx, { about: taskOf(id) }, `Declined: ${reason}`, actor.id)
    await releaseRest(trx, found.order)
    const title = `${sumOf(refund)} was declined`
    if (refund.askedBy) await tellDeclined(trx, { ...aboutRefund(refund, found), title, reason }, { by: actor.id, to: refund.askedBy })
    return note(trx, 'refund_declined', declined, found, actor)
  })
}

/** Staff have sent the money of a refund from the bank. */
export async function confirmTransfer(id: string, actor: Person): Promise<void> {
  await transaction((trx) => confirmRefund(trx, id, actor))
}

/** The same in the transaction of the bank line that paid it back. Returns the payment. */
export async function confirmRefund(trx: Trx, id: string, actor: Actor): Promise<string> {
  const refund = await findRefund(trx, id)
  const found = await lockPayment(trx, refund.paymentId, refund.orderId)
  const locked = await lockRefund(trx, id)
  if (!found || found.payment.provider !== 'transfer' || locked?.state !== 'pending') {
    return stop('conflict', 'This refund is not one that you send yourself, or it was sent already.', { code: 'refund_decided' })
  }
  await succeed(trx, locked, found, actor)
  return refund.paymentId
}

async function findRefund(trx: Trx, id: string): Promise<Refund> {
  const found = await trx.selectFrom('refunds').selectAll().where('id', '=', id).executeTakeFirst()
  return found ?? stop('notFound', 'There is no such refund.')
}

async function lockRefund(trx: Trx, id: string): Promise<Refund | undefined> {
  return trx.selectFrom('refunds').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

async function change(trx: Trx, { id }: Refund, to: Partial<Omit<Refund, 'createdAt'>>): Promise<Refund> {
  return trx
    .updateTable('refunds')
    .set({ ...to, updatedAt: now })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** A refund of a transfer is sent by staff. */
async function send(trx: Trx, { id }: Refund): Promise<void> {
  await enqueue(trx, { kind: SEND_JOB, payload: { id }, dedupeKey: `${SEND_JOB}:${id}` })
}

/** Sends a refund to its provider. A second run sends the same: the provider knows it by its key. */
export async function sendRefund(id: string): Promise<void> {
  const refund = await db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.paymentId')
    .select(['refunds.state', 'refunds.amount', 'refunds.reason', 'payments.provider', 'payments.providerId'])
    .where('refunds.id', '=', id)
    .executeTakeFirst()
  const provider = refund && findProvider(refund.provider)
  if (!provider || refund.state !== 'pending') return
  const { providerId: paymentId, amount, reason } = refund
  const sent = await provider.refund({ refundId: id, paymentId, amount, reason }, `refund:${id}`).catch((error: unknown) => {
    if (!(error instanceof Stop)) throw error
    return { failure: error.data }
  })
  if ('id' in sent) await applyRefund(provider, sent.id)
  else await refuseRefund(id, sent.failure)
}

/** The provider will not make it, such as for a payment whose dispute we have not heard of yet. */
async function refuseRefund(id: string, failure: string): Promise<void> {
  await transaction(async (trx) => {
    const refund = await findRefund(trx, id)
    const found = await lockPayment(trx, refund.paymentId, refund.orderId)
    const locked = await lockRefund(trx, id)
    if (found && locked?.state === 'pending') await fail(trx, locked, found, failure)
  })
}

defineJob(SEND_JOB, z.object({ id: z.string() }), async ({ id }) => sendRefund(id), { keepDays: 30 })

/** Applies the current state of a refund, also of one that somebody made at the provider. */
export async function applyRefund(provider: PaymentProvider, id: string): Promise<string | undefined> {
  const seen = await provider.read('refund', id)
  if (!seen) return `The provider has no refund ${id}.`
  const paymentId = await ensurePayment(provider, seen.paymentId)
  if (!paymentId) return `The refund ${id} is of a payment that is not one of this installation.`
  return transaction(async (trx) => {
    await lockObject(trx, provider.name, id)
    const known = await findKnown(trx, seen)
    const found = await lockPayment(trx, paymentId, known ? known.orderId : undefined)
    if (!found) return undefined
    if (known && (known.paymentId !== paymentId || known.amount !== seen.amount || known.currency !== seen.currency)) {
      return `The refund ${id} has another payment, amount or currency than asked.`
    }
    const refund = (known && (await lockRefund(trx, known.id))) ?? (await addForeign(trx, seen, found))
    await moveTo(trx, refund.providerId ? refund : await change(trx, refund, { providerId: id }), seen, found)
    return undefined
  })
}

applyEventsOf('refund', applyRefund)

async function findKnown(trx: Trx, { id, refundId }: Seen): Promise<Refund | undefined> {
  const byProvider = await trx.selectFrom('refunds').selectAll().where('providerId', '=', id).executeTakeFirst()
  if (byProvider || !refundId || !UUID.test(refundId)) return byProvider
  const own = trx.selectFrom('refunds').selectAll().where('id', '=', refundId).where('providerId', 'is', null)
  return own.executeTakeFirst()
}

/** One that somebody made at the provider. */
async function addForeign(trx: Trx, { id, amount, currency }: Seen, { payment, order }: PaymentWithOrder): Promise<Refund> {
  const facts = { paymentId: payment.id, orderId: order?.id ?? null, providerId: id, amount, currency }
  return insert(trx, 'refunds', { ...facts, state: 'pending', reason: 'Made at the payment provider' })
}

/** Pending, succeeded, failed: a later state stays. */
async function moveTo(trx: Trx, refund: Refund, { state, failure }: Seen, found: PaymentWithOrder): Promise<void> {
  if (state === 'succeeded' && refund.state !== 'succeeded' && refund.state !== 'failed') await succeed(trx, refund, found, {})
  if (state === 'failed' && refund.state !== 'failed') await fail(trx, refund, found, failure)
}

async function succeed(trx: Trx, refund: Refund, found: PaymentWithOrder, actor: Actor): Promise<void> {
  const { payment, order } = found
  const booked = await change(trx, refund, { state: 'succeeded' })
  await bookRefund(trx, booked, order, payment.isTest)
  await note(trx, 'refund_booked', booked, found, actor)
  if (!order) return
  await settleAccess(trx, order)
  await emitWebhook(trx, 'order.refunded', async () => {
    const event = await orderEvent(trx, order)
    return [{ ...event, data: { ...event.data, refunded: booked.amount } }]
  })
  // Last: its number keeps others waiting.
  await creditRefunds(trx, order, booked.reason || 'Refund')
}

/** One that had succeeded is taken back: the money is with us again, and staff find another way to pay it. */
async function fail(trx: Trx, refund: Refund, found: PaymentWithOrder, failure: string): Promise<void> {
  const { payment, order } = found
  const failed = await change(trx, refund, { state: 'failed', failure })
  if (refund.state === 'succeeded') {
    await bookRefundFailure(trx, failed, order, payment.isTest)
    if (order) await settleAccess(trx, order)
  }
  await note(trx, 'refund_failed', failed, found, {})
  await releaseRest(trx, order)
  if (order) await creditRefunds(trx, order, failure)
  await addBillingTask(trx, {
    kind: 'refund_failed',
    about: `refund_failed:${refund.id}`,
    title: `The refund of ${moneyText(refund.amount, refund.currency)}${order ? ` for ${order.reference}` : ''} failed`,
    ours: 'Refund it again, or send it by bank transfer.',
    theirs: failure,
    orderId: order?.id ?? null,
    paymentId: payment.id,
    isTest: payment.isTest,
  })
}

/** The amount of a refund that will not be made: an order that ended has no use for it. */
async function releaseRest(trx: Trx, order: PaymentWithOrder['order']): Promise<void> {
  if (order && order.state !== 'paid' && nextStates[order.state].length === 0) await releasePayments(trx, order)
}

type Noted = 'refund_asked' | 'refund_declined' | 'refund_booked' | 'refund_failed'

async function note(trx: Trx, action: Noted, { amount, currency, failure }: Refund, { payment, order }: PaymentWithOrder, actor: Actor) {
  const subjectId = order?.organizationId ?? payment.organizationId
  const detail = { ...(order && { order: order.reference }), amount, currency, ...(failure && { reason: failure }) }
  await audit(trx, action, { ...by(actor), ...(subjectId && { subjectId }), detail })
}

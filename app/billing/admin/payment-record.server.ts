import type { z } from 'zod/mini'
import { audit, by } from '#app/auth/users/audit.server.ts'
import { lockOrder } from '#app/billing/orders/order-state.server.ts'
import { mayApprove } from '#app/billing/refunds/refund.server.ts'
import { allocatePayment, findFree, settlePayment } from '#app/billing/payments/settlement.server.ts'
import { noonOf } from '#app/platform/time/business-day.ts'
import { billing } from '#app/content/billing.server.ts'
import { db, transaction } from '#app/platform/database/db.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { findListedPayment, listPayableOf } from './desk-list.server.ts'
import { lockFor, requireOrder } from './order-actions.server.ts'
import type { allocationBody, enteredPayment, PaymentRecord } from './payment-record.ts'

type Actor = { id: string; address: string }

/** A payment with everything of it. */
export async function findPaymentRecord(id: string, readerId: string): Promise<PaymentRecord | undefined> {
  const [listed, row] = await Promise.all([
    findListedPayment(id),
    db.selectFrom('payments').select(['providerId', 'enteredBy', 'organizationId', 'currency']).where('id', '=', id).executeTakeFirst(),
  ])
  if (!listed || !row) return undefined
  const [allocations, refunds, bankLine, payable] = await Promise.all([
    allocationsOf(id),
    db
      .selectFrom('refunds')
      .select(['id', 'amount', 'state', 'reason', 'failure', 'askedBy', 'createdAt'])
      .where('paymentId', '=', id)
      .orderBy('createdAt')
      .execute(),
    db
      .selectFrom('bankLines')
      .select(['bookedOn', 'payer', 'payerAccount', 'purpose', 'amount', 'currency'])
      .where('paymentId', '=', id)
      .orderBy('bookedOn')
      .executeTakeFirst(),
    listed.left > 0 && row.organizationId ? listPayableOf(row.organizationId, row.currency) : [],
  ])
  return {
    ...listed,
    providerId: row.providerId,
    enteredBy: row.enteredBy && (await emailOf(row.enteredBy)),
    allocations,
    refunds: refunds.map(({ createdAt, askedBy, ...refund }) => ({
      ...refund,
      mayApprove: mayApprove({ state: refund.state, askedBy }, readerId),
      createdAt: createdAt.toISOString(),
    })),
    free: await findFree(db, id),
    bankLine: bankLine ?? null,
    payable: payable.map(({ reference, title, owed }) => ({ reference, title, owed })),
  }
}

async function emailOf(id: string): Promise<string | null> {
  return (await db.selectFrom('accounts').select('email').where('id', '=', id).executeTakeFirst())?.email ?? null
}

async function allocationsOf(paymentId: string): Promise<PaymentRecord['allocations']> {
  const rows = await db
    .selectFrom('paymentAllocations as share')
    .innerJoin('orders', 'orders.id', 'share.orderId')
    .leftJoin('accounts', 'accounts.id', 'share.actorId')
    .select(['share.id', 'orders.reference', 'orders.title', 'share.amount', 'accounts.email', 'share.createdAt'])
    .where('share.paymentId', '=', paymentId)
    .orderBy('share.createdAt')
    .execute()
  return rows.map(({ reference, email, createdAt, ...row }) => ({
    ...row,
    order: reference,
    by: email,
    createdAt: createdAt.toISOString(),
  }))
}

/** Uses the credit of a payment for an order. */
export async function useCredit(paymentId: string, { order, amount }: z.infer<typeof allocationBody>, actor: Actor): Promise<void> {
  const orderId = await requireOrder(order)
  await transaction(async (trx) => {
    await lockFor(trx, 'pay', orderId, actor)
    await allocatePayment(trx, { paymentId, orderId, amount, actorId: actor.id })
  })
}

/** Enters a payment that no bank file and no provider tells of. More than is owed stays as a credit. */
export async function enterPayment(
  { key, order, amount, paidOn, note }: z.infer<typeof enteredPayment>,
  actor: Actor,
): Promise<{ id: string }> {
  const orderId = await requireOrder(order)
  const paidAt = noonOf(paidOn, billing.zone)
  // Where staff are, it may be tomorrow already.
  if (paidAt.getTime() > Date.now() + DAY_MS)
    stop('unprocessable', 'This day has not come yet.', { errors: { paidOn: 'This day has not come yet' } })
  return transaction(async (trx) => {
    const providerId = `entered:${key}`
    await lockOrder(trx, orderId)
    // Sent twice, it has paid its order already.
    const known = await trx.selectFrom('payments').select('id').where('providerId', '=', providerId).executeTakeFirst()
    if (known) return known
    const { currency, reference, organizationId } = await lockFor(trx, 'pay', orderId, actor)
    const given = {
      provider: 'transfer' as const,
      providerId,
      amount,
      currency,
      paidAt,
      fee: null,
      enteredBy: actor.id,
      note,
    }
    const { paymentId } = await settlePayment(trx, { ...given, orderId })
    const detail = { order: reference, amount, currency }
    await audit(trx, 'payment_entered', { ...by(actor), subjectId: organizationId, detail })
    return { id: paymentId }
  })
}

const DAY_MS = 86_400_000

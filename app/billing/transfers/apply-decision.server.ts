import { audit, by } from '#app/auth/users/audit.server.ts'
import { book } from '#app/billing/orders/ledger.server.ts'
import { confirmRefund } from '#app/billing/refunds/refund.server.ts'
import { findUnallocated, settlePayment } from '#app/billing/payments/settlement.server.ts'
import { noonOf } from '#app/platform/time/business-day.ts'
import { billing } from '#app/content/billing.server.ts'
import { insert, newId, type Trx } from '#app/platform/database/db.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { Row } from '#db/tables.ts'
import type { Decision } from './matching.ts'

type Line = Row<'bankLines'>
type Actor = { id: string; address: string }

/** Does what was decided about a locked line. Returns the payment that it made, took back or refunded. */
export async function applyDecision(trx: Trx, line: Line, decision: Decision, actor: Actor | undefined): Promise<string> {
  if (decision.kind === 'book') return bookLine(trx, line, decision, actor)
  if (decision.kind === 'return') return takeBack(trx, line, decision.paymentId, actor)
  const { refundId } = decision
  const paymentId = await confirmRefund(trx, refundId, actor ?? {})
  await trx.updateTable('bankLines').set({ refundId }).where('id', '=', line.id).execute()
  return paymentId
}

async function bookLine(
  trx: Trx,
  line: Line,
  { allocations, amount, currency, fee, organizationId }: Extract<Decision, { kind: 'book' }>,
  actor: Actor | undefined,
): Promise<string> {
  const isForeign = currency !== line.currency
  const { paymentId } = await settlePayment(trx, {
    provider: 'transfer',
    providerId: line.id,
    amount,
    currency,
    paidAt: noonOf(line.bookedOn, billing.zone),
    fee: fee > 0 ? fee : null,
    allocations,
    ...(organizationId && { organizationId }),
    ...(actor && { enteredBy: actor.id }),
    ...(isForeign && { note: `${line.currency} arrived at the bank` }),
  })
  return paymentId
}

/** The bank took a payment back: its orders owe it again. */
async function takeBack(trx: Trx, line: Line, paymentId: string, actor: Actor | undefined): Promise<string> {
  const payment = await trx.selectFrom('payments').selectAll().where('id', '=', paymentId).forUpdate().executeTakeFirst()
  if (!payment) stop('notFound', 'There is no such payment.')
  const shares = await trx
    .selectFrom('paymentAllocations')
    .select(['orderId', (of) => of.fn.sum<string>('amount').as('sum')])
    .where('paymentId', '=', paymentId)
    .groupBy('orderId')
    .execute()
  const facts = { paymentId, currency: payment.currency, isTest: payment.isTest, occurredAt: noonOf(line.bookedOn, billing.zone) }
  const cause = `return:${line.id}`
  for (const { orderId, sum } of shares) {
    const amount = Number(sum)
    if (amount <= 0) continue
    await insert(trx, 'paymentAllocations', { id: newId(), paymentId, orderId, amount: -amount, actorId: actor?.id ?? null })
    await book(trx, { ...facts, cause, orderId, amounts: { receivable: amount, cash: -amount } })
  }
  const left = await findUnallocated(trx, paymentId)
  // Bank charges were not returned either. The line can be in another currency than the payment.
  const kept = payment.fee ?? 0
  await book(trx, { ...facts, cause, orderId: null, amounts: { unallocated: left, fees: -kept, cash: kept - left } })
  const detail = { amount: payment.amount, currency: payment.currency }
  await audit(trx, 'payment_taken_back', {
    ...(actor && by(actor)),
    ...(payment.organizationId && { subjectId: payment.organizationId }),
    detail,
  })
  return paymentId
}

import { audit } from '#app/auth/users/audit.server.ts'
import { book } from '#app/billing/orders/ledger.server.ts'
import { orderEvent } from '#app/billing/orders/order-event.server.ts'
import { addBillingTask, closeBillingTask } from '#app/billing/orders/billing-task.server.ts'
import { applyEventsOf, lockObject } from '#app/billing/payments/events.server.ts'
import type { PaymentProvider, ProviderObjects } from '#app/billing/payments/provider.server.ts'
import { insert, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { now } from '#app/platform/database/sql.server.ts'
import { emitWebhook } from '#app/platform/jobs/webhook-event.server.ts'
import { moneyText } from '#app/platform/text/money.ts'
import { mediumDay } from '#app/platform/time/english-date.ts'
import type { Row } from '#db/tables.ts'
import { ensurePayment, lockPayment, type PaymentWithOrder } from './known-payment.server.ts'
import { settleAccess } from './access.server.ts'

type Dispute = Row<'disputes'>
type State = Dispute['state']
type Seen = ProviderObjects['dispute']

/** An inquiry moves nothing; the last two are final. */
export const nextDisputeStates: Record<State, readonly State[]> = {
  inquiry: ['open', 'won', 'lost'],
  open: ['won', 'lost'],
  won: [],
  lost: [],
}

/** Applies the current state of a dispute: its money, and the access that it holds back. */
export async function applyDispute(provider: PaymentProvider, id: string): Promise<string | undefined> {
  const seen = await provider.read('dispute', id)
  if (!seen) return `The provider has no dispute ${id}.`
  const paymentId = await ensurePayment(provider, seen.paymentId)
  if (!paymentId) return `The dispute ${id} is of a payment that is not one of this installation.`
  return transaction(async (trx) => {
    await lockObject(trx, provider.name, id)
    const known = await trx.selectFrom('disputes').selectAll().where('providerId', '=', id).executeTakeFirst()
    const found = await lockPayment(trx, paymentId, known ? known.orderId : undefined)
    if (!found) return undefined
    if (seen.currency !== found.payment.currency) return `The dispute ${id} has another currency than its payment.`
    const dispute = known ?? (await begin(trx, seen, found))
    if (dispute.paymentId !== paymentId) return `The dispute ${id} has another payment than before.`
    if (nextDisputeStates[dispute.state].includes(seen.state)) await move(trx, dispute, seen, found)
    return undefined
  })
}

applyEventsOf('dispute', applyDispute)

/** Each begins as an inquiry, whatever it is by now, and goes on from there. */
async function begin(trx: Trx, seen: Seen, { payment, order }: PaymentWithOrder): Promise<Dispute> {
  const { id: providerId, amount, currency, reason, evidenceDueAt } = seen
  const facts = { providerId, amount, currency, reason, evidenceDueAt, paymentId: payment.id, orderId: order?.id ?? null }
  const dispute = await insert(trx, 'disputes', { ...facts, state: 'inquiry' })
  const due = evidenceDueAt ? ` Evidence is due by ${mediumDay(evidenceDueAt)}.` : ''
  await addBillingTask(trx, {
    kind: 'dispute',
    about: aboutOf(dispute),
    title: `${moneyText(amount, currency)}${order ? ` of ${order.reference}` : ''} is disputed`,
    ours: `Download the evidence pack and send it to the payment provider.${due}`,
    theirs: `Reason: ${reason.replaceAll('_', ' ')}`,
    orderId: order?.id ?? null,
    paymentId: payment.id,
    isTest: payment.isTest,
  })
  if (order) {
    await emitWebhook(trx, 'order.disputed', async () => {
      const event = await orderEvent(trx, order)
      return [{ ...event, data: { ...event.data, disputed: amount, disputeReason: reason } }]
    })
  }
  return dispute
}

const aboutOf = ({ id }: Dispute) => `dispute:${id}`

/** Won and lost ones were open first, also where nobody saw it: their money moved. An inquiry that is closed never took any. */
async function move(trx: Trx, dispute: Dispute, seen: Seen, found: PaymentWithOrder): Promise<void> {
  const { state, fee, evidenceDueAt, reason } = seen
  const tookMoney = dispute.state === 'open' || state !== 'won' || fee > 0
  const moved = await trx
    .updateTable('disputes')
    .set({ state, fee, evidenceDueAt, reason, updatedAt: now })
    .where('id', '=', dispute.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (tookMoney && dispute.state === 'inquiry') await open(trx, moved, found)
  if (state === 'won') await win(trx, moved, found, tookMoney)
  if (state === 'lost') await lose(trx, moved, found)
  if (found.order) await settleAccess(trx, found.order)
  if (nextDisputeStates[state].length === 0) await closeBillingTask(trx, { about: aboutOf(dispute) }, `The dispute was ${state}.`)
}

async function open(trx: Trx, dispute: Dispute, found: PaymentWithOrder): Promise<void> {
  const { amount, fee } = dispute
  await bookStep(trx, dispute, found, 'open', { disputed: amount, cash: -amount })
  if (fee > 0) await bookStep(trx, dispute, found, 'fee', { fees: fee, cash: -fee })
  await note(trx, 'dispute_opened', dispute, found)
}

async function win(trx: Trx, dispute: Dispute, found: PaymentWithOrder, tookMoney: boolean): Promise<void> {
  const { amount } = dispute
  if (tookMoney) await bookStep(trx, dispute, found, 'won', { cash: amount, disputed: -amount })
  await note(trx, 'dispute_won', dispute, found)
}

async function lose(trx: Trx, dispute: Dispute, found: PaymentWithOrder): Promise<void> {
  const { amount } = dispute
  await bookStep(trx, dispute, found, 'lost', { losses: amount, disputed: -amount })
  await note(trx, 'dispute_lost', dispute, found)
}

type Step = 'open' | 'fee' | 'won' | 'lost'

async function bookStep(
  trx: Trx,
  { id, currency }: Dispute,
  { payment, order }: PaymentWithOrder,
  step: Step,
  amounts: Parameters<typeof book>[1]['amounts'],
): Promise<void> {
  const facts = { orderId: order?.id ?? null, paymentId: payment.id, currency, isTest: payment.isTest, occurredAt: new Date() }
  await book(trx, { ...facts, cause: `dispute:${id}:${step}`, amounts })
}

async function note(
  trx: Trx,
  action: 'dispute_opened' | 'dispute_won' | 'dispute_lost',
  { amount, currency }: Dispute,
  { payment, order }: PaymentWithOrder,
): Promise<void> {
  const subjectId = order?.organizationId ?? payment.organizationId
  const detail = { ...(order && { order: order.reference }), amount, currency }
  await audit(trx, action, { ...(subjectId && { subjectId }), detail })
}

import { sql } from 'kysely'
import { z } from 'zod'
import { mayApprove, refundableOf } from '#app/billing/refunds/refund.server.ts'
import { periodOf } from '#app/billing/orders/order-state.server.ts'
import { isDecided } from '#app/billing/withdrawals/withdrawal.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { queryRows } from '#app/platform/database/sql.server.ts'
import { findListedOrder } from './desk-list.server.ts'
import type { OrderRecord } from './order-record.ts'
import { actionsOf } from './order-refusals.server.ts'

const MOST = 500

/** Everything of an order by its reference, with what its reader can do. */
export async function findOrderRecord(reference: string, readerId: string): Promise<OrderRecord | undefined> {
  const order = await db.selectFrom('orders').select('id').where('reference', '=', reference.toUpperCase()).executeTakeFirst()
  if (!order) return undefined
  // Before the order: a page that sees no pending refunds does not ask again, so it must see their results.
  const money = await moneyOf(order.id, readerId)
  const listed = await findListedOrder(reference)
  const row = await db.selectFrom('orders').selectAll().where('id', '=', order.id).executeTakeFirst()
  if (!listed || !row) return undefined
  const { lines, taxParts, net, tax, purchaseOrder, failure, licence, supplyConsent, remindersPaused, version } = row
  const [withdrawal, people, product, subscription, ledger, events, timeline] = await Promise.all([
    db.selectFrom('orderWithdrawals').select(['name', 'state', 'createdAt']).where('orderId', '=', row.id).executeTakeFirst(),
    emailsOf([row.userId, row.cancelAskedBy].filter((id) => id !== null)),
    row.productId ? db.selectFrom('dataProducts').select(['slug', 'name']).where('id', '=', row.productId).executeTakeFirst() : undefined,
    row.subscriptionId
      ? db.selectFrom('subscriptions').select('reference').where('id', '=', row.subscriptionId).executeTakeFirst()
      : undefined,
    ledgerOf(row.id),
    eventsOf(row.id),
    timelineOf(row.organizationId, row.reference),
  ])
  return {
    ...listed,
    lines,
    taxParts,
    net,
    tax,
    purchaseOrder,
    failure,
    licence,
    supplyConsent,
    withdrawal: withdrawal
      ? {
          ...withdrawal,
          createdAt: withdrawal.createdAt.toISOString(),
          isDecided: withdrawal.state === 'staff' && (await isDecided(db, row.id)),
        }
      : null,
    remindersPaused,
    actions: actionsOf({ ...row, owed: listed.owed }, readerId),
    cancelAsked: row.cancelAskedBy && row.state === 'open' ? { by: people.get(row.cancelAskedBy) ?? null, reason: row.cancelReason } : null,
    version,
    orderedBy: (row.userId && people.get(row.userId)) || null,
    product: product ?? null,
    subscription: subscription?.reference ?? null,
    period: periodOf(row),
    ...money,
    ledger,
    events,
    timeline,
  }
}

async function emailsOf(ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('accounts').select(['id', 'email']).where('id', 'in', ids).execute()
  return new Map(rows.flatMap(({ id, email }) => (email ? [[id, email]] : [])))
}

type Money = Pick<OrderRecord, 'invoices' | 'payments' | 'refundable' | 'refunds' | 'disputes' | 'reminders'>

async function moneyOf(orderId: string, readerId: string): Promise<Money> {
  const [invoices, payments, refunds, disputes, reminders] = await Promise.all([
    db
      .selectFrom('invoices')
      .select(['id', 'number', 'kind', 'gross', 'issuedOn', 'dueOn'])
      .where('orderId', '=', orderId)
      .orderBy('createdAt')
      .orderBy('serial')
      .execute(),
    db
      .selectFrom('paymentAllocations as share')
      .innerJoin('payments', 'payments.id', 'share.paymentId')
      .select(['share.id', 'payments.id as paymentId', 'provider', 'share.amount', 'payments.amount as whole', 'fee', 'paidAt'])
      .where('share.orderId', '=', orderId)
      .orderBy('share.createdAt')
      .execute(),
    db
      .selectFrom('refunds')
      .select(['id', 'paymentId', 'amount', 'state', 'reason', 'failure', 'askedBy', 'createdAt'])
      .where('orderId', '=', orderId)
      .orderBy('createdAt')
      .execute(),
    db
      .selectFrom('disputes')
      .select(['id', 'amount', 'fee', 'state', 'reason', 'evidenceDueAt', 'createdAt'])
      .where('orderId', '=', orderId)
      .orderBy('createdAt')
      .execute(),
    db.selectFrom('orderReminders').selectAll().where('orderId', '=', orderId).orderBy('step').execute(),
  ])
  const people = await emailsOf(refunds.flatMap(({ askedBy }) => askedBy ?? []))
  return {
    invoices,
    refundable: await refundablesOf(orderId, new Set(payments.map(({ paymentId }) => paymentId))),
    payments: payments.map(({ paidAt, ...payment }) => ({ ...payment, paidAt: paidAt.toISOString() })),
    refunds: refunds.map(({ askedBy, createdAt, ...refund }) => ({
      ...refund,
      mayApprove: mayApprove({ state: refund.state, askedBy }, readerId),
      createdAt: createdAt.toISOString(),
      askedBy: (askedBy && people.get(askedBy)) || null,
    })),
    disputes: disputes.map(({ evidenceDueAt, createdAt, ...dispute }) => ({
      ...dispute,
      createdAt: createdAt.toISOString(),
      evidenceDueAt: evidenceDueAt?.toISOString() ?? null,
    })),
    reminders: reminders.map(({ step, interest, fee, sentAt }) => ({ step, interest, fee, sentAt: sentAt.toISOString() })),
  }
}

async function refundablesOf(orderId: string, paymentIds: ReadonlySet<string>): Promise<OrderRecord['refundable']> {
  const refundable: OrderRecord['refundable'] = []
  for (const paymentId of paymentIds) refundable.push({ paymentId, amount: await refundableOf(db, { paymentId, orderId }) })
  return refundable.filter(({ amount }) => amount > 0)
}

async function ledgerOf(orderId: string): Promise<OrderRecord['ledger']> {
  const rows = await db
    .selectFrom('ledgerEntries')
    .select(['id', 'cause', 'account', 'amount', 'currency', 'occurredAt'])
    .where('orderId', '=', orderId)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(MOST)
    .execute()
  return rows.map(({ occurredAt, ...row }) => ({ ...row, occurredAt: occurredAt.toISOString() }))
}

/** The events of providers about its checkouts, payments, refunds and disputes. */
async function eventsOf(orderId: string): Promise<OrderRecord['events']> {
  const rows = await queryRows(
    db,
    {
      id: z.string(),
      provider: z.string(),
      kind: z.string(),
      refusal: z.string(),
      occurredAt: z.date(),
      appliedAt: z.date().nullable(),
    },
    sql`SELECT id, provider, kind, refusal, occurred_at, applied_at FROM payment_events WHERE object_id IN (
      SELECT provider_id FROM checkouts WHERE order_id = ${orderId}
      UNION SELECT payments.provider_id FROM payments JOIN payment_allocations AS share ON share.payment_id = payments.id WHERE share.order_id = ${orderId}
      UNION SELECT provider_id FROM refunds WHERE order_id = ${orderId}
      UNION SELECT provider_id FROM disputes WHERE order_id = ${orderId}) ORDER BY occurred_at, id LIMIT ${MOST}`,
  )
  return rows.map(({ occurredAt, appliedAt, ...row }) => ({
    ...row,
    occurredAt: occurredAt.toISOString(),
    appliedAt: appliedAt?.toISOString() ?? null,
  }))
}

/** The actions of people and of the service, from the audit log. */
async function timelineOf(organizationId: string, reference: string): Promise<OrderRecord['timeline']> {
  const rows = await queryRows(
    db,
    { id: z.string(), action: z.string(), reason: z.string(), actorId: z.string().nullable(), createdAt: z.date() },
    sql`SELECT id, action, coalesce(detail->>'reason', '') AS reason, actor_id, created_at FROM audit_events WHERE detail->>'order' = ${reference}
      AND (subject_id = ${organizationId} OR subject_id IN (SELECT id FROM organizations WHERE merged_into = ${organizationId}))
      ORDER BY created_at DESC, id DESC LIMIT ${MOST}`,
  )
  const people = await emailsOf([...new Set(rows.flatMap(({ actorId }) => actorId ?? []))])
  return rows.map(({ id, action, reason, actorId, createdAt }) => ({
    id,
    action,
    reason,
    at: createdAt.toISOString(),
    by: (actorId && people.get(actorId)) || null,
  }))
}

import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { issueInvoice } from '#app/billing/invoices/invoice.server.ts'
import { invoiceFile } from '#app/billing/invoices/make.server.ts'
import { sendRefund } from '#app/billing/refunds/refund.server.ts'
import { disputeTestPayment } from '#app/billing/refunds/test-money.server.ts'
import { storeNumber } from '#app/ops/invoice-numbers.server.ts'
import { db, insert, newId, transaction } from '#app/platform/database/db.server.ts'
import { queryRows } from '#app/platform/database/sql.server.ts'
import { closeLimits } from '#app/platform/guard/limits.server.ts'
import { openFile, putFile } from '#app/platform/storage/storage.server.ts'
import { startEndpoints } from '#test/app.ts'
import { applyWaitingEvents, makeOrder, pressTest, startTestCheckout } from '#test/billing.ts'
import { signIn, type SignedIn } from '#test/factories.ts'
import { berlin, makeCompany, makeOrder as makeRealOrder, saveBilling } from '#test/invoices.ts'
import { jobOf } from '#test/job.ts'
import { subscribe } from '#test/subscriptions.ts'

const app = await startEndpoints()
const [owner, clerk, buyer] = [await signIn('owner'), await signIn('staff', { rights: '["billing.write"]' }), await signIn()]
beforeAll(async () => saveBilling(berlin))
beforeEach(closeLimits)

const TEST_DATA = '/api/admin/billing/test-data'
const count = async () => (await app.inject({ url: TEST_DATA, headers: owner.headers })).json()
const remove = (orders: number, headers: Partial<SignedIn['headers']> = owner.headers) =>
  app.inject({ method: 'POST', url: `${TEST_DATA}/remove`, headers, payload: { orders } })

async function paid() {
  const order = await makeOrder({ userId: buyer.user.id, taxRate: 1900 })
  await pressTest(await startTestCheckout(order.id), 'pay')
  const { paymentId } = await db
    .selectFrom('paymentAllocations')
    .select('paymentId')
    .where('orderId', '=', order.id)
    .executeTakeFirstOrThrow()
  return { ...order, paymentId }
}

async function refunded() {
  const order = await paid()
  const url = `/api/admin/billing/payments/${order.paymentId}/refunds`
  const payload = { orderId: order.id, amount: 5000, reason: 'Not what was needed' }
  const { id } = (await app.inject({ method: 'POST', url, headers: clerk.headers, payload })).json()
  await sendRefund(id)
  await applyWaitingEvents()
  return order
}

async function disputed() {
  const { paymentId } = await paid()
  const { providerId } = await db.selectFrom('payments').select('providerId').where('id', '=', paymentId).executeTakeFirstOrThrow()
  await disputeTestPayment(providerId, 'open')
  await applyWaitingEvents()
}

/** Every table that can hold something of a test, and how many rows of it are left. */
async function leftOvers(): Promise<Record<string, number>> {
  const marked = await queryRows(
    db,
    { name: z.string() },
    sql`SELECT table_name AS name FROM information_schema.columns WHERE column_name = 'is_test' AND table_schema = current_schema() ORDER BY 1`,
  )
  const counts = await Promise.all(
    marked.map(async ({ name }) => {
      const [row] = await queryRows(db, { rows: z.int() }, sql`SELECT count(*)::integer AS rows FROM ${sql.table(name)} WHERE is_test`)
      return [name, row?.rows ?? 0] as const
    }),
  )
  return Object.fromEntries(counts.filter(([, rows]) => rows > 0))
}

describe('happy', () => {
  test('everything of tests goes at once, with files and access; real orders, invoices and signed proposals stay, and numbers begin again', async () => {
    const first = await refunded()
    await disputed()
    await makeOrder({ userId: buyer.user.id })
    await subscribe({ userId: buyer.user.id })
    const { id: codeId } = await insert(db, 'discountCodes', { code: 'LAUNCH', share: 1000 })
    await db.insertInto('discountUses').values({ codeId, organizationId: buyer.user.id, orderId: first.id }).execute()
    const signed = { state: 'accepted', content: '{}', signedDocument: '{}', signedHash: newId(), validUntil: new Date() } as const
    const proposal = await insert(db, 'proposals', { ...signed, reference: `P-${newId()}` })
    await db.updateTable('orders').set({ proposalId: proposal.id }).where('id', '=', first.id).execute()
    const task = await db.selectFrom('billingTasks').select(['id', 'title']).where('kind', '=', 'dispute').executeTakeFirstOrThrow()
    const notice = { kind: 'payment_problem', title: task.title, link: '/admin/billing?tab=tasks', subjectId: task.id, dedupeKey: task.id }
    await insert(db, 'notifications', { ...notice, userId: owner.user.id })
    const real = await makeRealOrder(await makeCompany())
    const kept = await transaction((trx) => issueInvoice(trx, real.id, 'invoice'))
    const [invoice] = await db.selectFrom('invoices').selectAll().where('orderId', '=', first.id).orderBy('serial').execute()
    if (!invoice) throw new Error('The order has no invoice.')
    await putFile(invoiceFile(invoice.id, 'pdf'), Buffer.from('%PDF'))
    await storeNumber(invoice, {})
    expect(await count()).toEqual({ orders: 4, invoices: 4, payments: 3, subscriptions: 1 })

    expect((await remove(4)).json()).toEqual({ orders: 4, invoices: 4, payments: 3, subscriptions: 1 })
    expect(await leftOvers()).toEqual({})
    for (const table of [
      'checkouts',
      'refunds',
      'disputes',
      'paymentEvents',
      'testPaymentObjects',
      'entitlements',
      'discountUses',
      'notifications',
    ] as const)
      expect([table, await db.selectFrom(table).selectAll().execute()]).toEqual([table, []])
    expect(await db.selectFrom('invoices').select('id').execute()).toEqual([{ id: kept.id }])
    expect(await db.selectFrom('orders').select('id').execute()).toEqual([{ id: real.id }])
    expect(await db.selectFrom('proposals').select('id').execute()).toEqual([{ id: proposal.id }])
    const log = db.selectFrom('auditEvents').select(['actorId', 'detail']).where('action', '=', 'test_payments_removed')
    expect(await log.execute()).toMatchObject([{ actorId: owner.user.id, detail: { orders: 4, payments: 3 } }])

    const jobs = await db.selectFrom('jobs').select('payload').where('kind', '=', 'billing.remove-test-files').execute()
    for (const { payload } of jobs)
      await jobOf('billing.remove-test-files').run(payload, { id: '', attempt: 1, signal: AbortSignal.timeout(60_000) })
    const numberFile = `invoice-numbers/test-/${invoice.year}/${invoice.serial}.json`
    for (const key of [invoiceFile(invoice.id, 'pdf'), numberFile]) expect(await openFile(key)).toBeUndefined()
    const next = await paid()
    const numbers = await db.selectFrom('invoices').select('serial').where('orderId', '=', next.id).execute()
    expect(numbers).toEqual([{ serial: 1 }])
  })
})

describe('error', () => {
  test('with other orders than the question named, and with real money at a test order, nothing is removed, and a sentence says why', async () => {
    const { paymentId, reference } = await paid()
    const before = await count()
    const stale = await remove(before.orders - 1)
    expect([stale.statusCode, stale.json().code]).toEqual([409, 'test_data_changed'])
    await db.updateTable('payments').set({ isTest: false }).where('id', '=', paymentId).execute()
    const mixed = await remove(before.orders)
    expect([mixed.statusCode, mixed.json()]).toEqual([
      409,
      expect.objectContaining({ code: 'mixed_payment', detail: expect.stringContaining(reference) }),
    ])
    await db.updateTable('payments').set({ isTest: true }).where('id', '=', paymentId).execute()
    expect(await count()).toEqual(before)
    expect((await remove(before.orders)).statusCode).toBe(200)
    expect((await remove(0)).json()).toEqual({ orders: 0, invoices: 0, payments: 0, subscriptions: 0 })
  })
})

describe('security', () => {
  test('staff with the right to change billing, customers and strangers remove nothing', async () => {
    await paid()
    const before = await count()
    const answers = [
      await remove(before.orders, clerk.headers),
      await remove(before.orders, buyer.headers),
      await remove(before.orders, {}),
    ]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 403, 401])
    expect(await count()).toEqual(before)
  })
})

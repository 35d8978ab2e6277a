import { sql } from 'kysely'
import { z } from 'zod'
import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { invoiceFile } from '#app/billing/invoices/make.server.ts'
import { TEST_SERIES } from '#app/content/settings/sections.server.ts'
import { removeNumber } from '#app/ops/invoice-numbers.server.ts'
import { type Database, db, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { queryRow, queryRows } from '#app/platform/database/sql.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { defineJob, enqueue } from '#app/platform/jobs.server.ts'
import { removeFile } from '#app/platform/storage/storage.server.ts'
import type { TestData } from './test-data.ts'

const REMOVE_FILES = 'billing.remove-test-files'

const counted = { orders: z.int(), invoices: z.int(), payments: z.int(), subscriptions: z.int() }
const numbered = { id: z.string(), series: z.string(), year: z.int(), serial: z.int() }

const orders = sql`(SELECT id FROM orders WHERE is_test)`
const payments = sql`(SELECT id FROM payments WHERE is_test)`
const subscriptions = sql`(SELECT id FROM subscriptions WHERE is_test)`

export async function countTestData(connection: Database | Trx = db): Promise<TestData> {
  const count = (table: string) => sql`(SELECT count(*)::integer FROM ${sql.table(table)} WHERE is_test)`
  return queryRow(
    connection,
    counted,
    sql`SELECT ${count('orders')} AS orders, ${count('invoices')} AS invoices, ${count('payments')} AS payments,
      ${count('subscriptions')} AS subscriptions`,
  )
}

/**
 * Removes everything that was paid at the provider of tests, in one transaction. Its access ends, and the numbers of its invoices begin again.
 * Accepted proposals stay: only their orders go. `expected` is the number of orders that the owner has agreed to.
 */
export async function removeTestData(expected: number, actor: Actor): Promise<TestData> {
  return transaction(async (trx) => {
    // Payments and orders wait until this transaction ends.
    await sql`LOCK TABLE orders IN EXCLUSIVE MODE`.execute(trx)
    const found = await countTestData(trx)
    if (found.orders !== expected)
      stop('conflict', `There are ${found.orders} test orders by now. Reload the page and look at them first.`, {
        code: 'test_data_changed',
      })
    await refuseMixed(trx)
    const invoices = await removeRows(trx)
    if (invoices.length > 0) await enqueue(trx, { kind: REMOVE_FILES, payload: { invoices } })
    if (Object.values(found).some((count) => count > 0)) await audit(trx, 'test_payments_removed', { ...by(actor), detail: found })
    return found
  })
}

/** Real money at an order of a test has to find its real order first: removing the order would lose it. */
async function refuseMixed(trx: Trx): Promise<void> {
  const [mixed] = await queryRows(
    trx,
    { reference: z.string() },
    sql`SELECT reference FROM payment_allocations AS share JOIN orders ON orders.id = share.order_id JOIN payments ON payments.id = share.payment_id
      WHERE orders.is_test <> payments.is_test ORDER BY reference LIMIT 1`,
  )
  if (mixed)
    stop('conflict', `The order ${mixed.reference} has test money and real money. Take its payment back first.`, { code: 'mixed_payment' })
}

/** Referring rows are deleted first. Returns the invoices whose files are still to be deleted. */
async function removeRows(trx: Trx) {
  const tasks = sql`billing_tasks WHERE is_test OR order_id IN ${orders} OR payment_id IN ${payments} OR subscription_id IN ${subscriptions}`
  await sql`DELETE FROM notifications WHERE subject_id IN ${orders} OR subject_id IN ${payments}
    OR subject_id IN (SELECT id FROM ${tasks})`.execute(trx)
  await sql`DELETE FROM ${tasks}`.execute(trx)
  await sql`DELETE FROM entitlements WHERE order_id IN ${orders} OR subscription_id IN ${subscriptions}`.execute(trx)
  const invoices = await queryRows(trx, numbered, sql`DELETE FROM invoices WHERE is_test RETURNING id, series, year, serial`)
  await trx.deleteFrom('invoiceCounters').where('series', '=', TEST_SERIES).execute()
  await sql`DELETE FROM refunds WHERE order_id IN ${orders} OR payment_id IN ${payments}`.execute(trx)
  await sql`DELETE FROM disputes WHERE order_id IN ${orders} OR payment_id IN ${payments}`.execute(trx)
  await sql`DELETE FROM payment_allocations WHERE order_id IN ${orders}`.execute(trx)
  await trx.deleteFrom('ledgerEntries').where('isTest', '=', true).execute()
  await trx.deleteFrom('payments').where('isTest', '=', true).execute()
  await sql`DELETE FROM checkouts WHERE order_id IN ${orders}`.execute(trx)
  await trx.deleteFrom('orders').where('isTest', '=', true).execute()
  await trx.deleteFrom('subscriptions').where('isTest', '=', true).execute()
  await trx.deleteFrom('paymentEvents').where('provider', '=', 'test').execute()
  await trx.deleteFrom('testPaymentObjects').execute()
  return invoices
}

defineJob(REMOVE_FILES, z.object({ invoices: z.array(z.object(numbered)) }), async ({ invoices }) => {
  for (const { id, ...number } of invoices) {
    for (const kind of ['pdf', 'xml'] as const) await removeFile(invoiceFile(id, kind))
    await removeNumber(number)
  }
})

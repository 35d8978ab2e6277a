import { type Actor, audit, by } from '#app/auth/users/audit.server.ts'
import { grantOrder } from '#app/billing/orders/dataset-order.server.ts'
import { sellOrder } from '#app/billing/orders/fulfilment.server.ts'
import { lockOrder } from '#app/billing/orders/order-state.server.ts'
import { exchangeOn, homeCurrency, toHome } from '#app/billing/tax/tax.server.ts'
import { billing } from '#app/content/billing.server.ts'
import { db, type Database, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { now } from '#app/platform/database/sql.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { Row } from '#db/tables.ts'
import { businessDay } from '#app/platform/time/business-day.ts'
import { findProvider } from './providers.server.ts'

const DAY_MS = 86_400_000

type Order = Row<'orders'>

/** Whether an organization may pay an open order later: staff gave it a limit, and what it owes by invoice stays within. */
export async function mayPayByInvoice(order: Order, connection: Database | Trx = db): Promise<boolean> {
  const { kind, state, method, currency, subscriptionId, organizationId, gross, taxBy } = order
  // Its tax is known only once it is paid.
  if (taxBy === 'provider') return false
  if (kind !== 'dataset' || state !== 'open' || method !== 'checkout' || subscriptionId || currency !== homeCurrency()) return false
  const { invoiceLimit } = await connection
    .selectFrom('organizations')
    .select('invoiceLimit')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow()
  if (invoiceLimit === null) return false
  const rows = await connection
    .selectFrom('orders')
    .innerJoin('ledgerEntries', 'ledgerEntries.orderId', 'orders.id')
    .select((of) => ['ledgerEntries.currency', of.fn.sum<string>('ledgerEntries.amount').as('owed')])
    .where('organizationId', '=', organizationId)
    .where('account', '=', 'receivable')
    .groupBy('ledgerEntries.currency')
    .execute()
  const today = businessDay(new Date(), billing.zone)
  const owed = rows.map((row) => inHome(Number(row.owed), row.currency, today))
  return owed.reduce((sum, amount) => sum + amount, gross) <= invoiceLimit
}

/** An amount in the currency of the limit. Without an exchange rate it is beyond every limit. */
function inHome(amount: number, currency: string, day: string): number {
  if (currency === homeCurrency() || amount === 0) return amount
  const found = exchangeOn(currency, day)
  return found ? toHome(amount, currency, found.rate) : Number.POSITIVE_INFINITY
}

/** The buyer pays an open order later: its invoice is issued, and access starts now. */
export async function payByInvoice(orderId: string, purchaseOrder: string, actor: Actor): Promise<void> {
  const open = await db.selectFrom('checkouts').selectAll().where('orderId', '=', orderId).where('state', '=', 'open').execute()
  for (const { provider, providerId } of open) if (providerId) await findProvider(provider)?.endCheckout(providerId)
  await transaction(async (trx) => {
    const found = await trx.selectFrom('orders').select('organizationId').where('id', '=', orderId).executeTakeFirst()
    // Two orders of one organization cannot share what is left of its limit.
    const organization = await trx
      .selectFrom('organizations')
      .selectAll()
      .where('id', '=', found?.organizationId ?? '')
      .forUpdate()
      .executeTakeFirst()
    const order = await lockOrder(trx, orderId)
    if (!organization || !order || !(await mayPayByInvoice(order, trx)))
      stop('conflict', 'This order cannot be paid by invoice: it is paid, or more than your limit would be unpaid.', { code: 'no_invoice' })
    const number = purchaseOrder || order.purchaseOrder
    if (organization.needsPurchaseOrder && !number)
      stop('unprocessable', 'Your organization asks for a purchase order number. Enter it first.', { code: 'purchase_order_missing' })
    await trx.updateTable('checkouts').set({ state: 'expired' }).where('orderId', '=', orderId).where('state', '=', 'open').execute()
    const days = organization.paymentDays ?? billing.paymentDays
    const moved = await trx
      .updateTable('orders')
      .set({
        method: 'invoice',
        purchaseOrder: number,
        expiresAt: null,
        dueAt: new Date(Date.now() + days * DAY_MS),
        version: order.version + 1,
        updatedAt: now,
      })
      .where('id', '=', orderId)
      .returningAll()
      .executeTakeFirstOrThrow()
    await grantOrder(trx, moved)
    await audit(trx, 'order_by_invoice', { ...by(actor), subjectId: order.organizationId, detail: { order: order.reference } })
    await sellOrder(trx, moved)
  })
}

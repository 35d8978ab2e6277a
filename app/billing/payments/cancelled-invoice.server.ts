import { issueCreditNote } from '#app/billing/invoices/invoice.server.ts'
import { insert, newId, type Trx } from '#app/platform/database/db.server.ts'
import { now } from '#app/platform/database/sql.server.ts'
import type { Row } from '#db/tables.ts'
import { onEnded } from '#app/billing/orders/fulfilment.server.ts'
import { book, type Booking } from '#app/billing/orders/ledger.server.ts'
import { orderKinds } from '#app/billing/orders/order.ts'

for (const kind of orderKinds) onEnded(kind, takeBackSale)

/**
 * An order by invoice was sold when it was placed. When it ends unpaid, its invoice is credited, what was paid of it becomes a credit of the customer,
 * and its access ends. Others were never sold.
 */
async function takeBackSale(trx: Trx, order: Row<'orders'>): Promise<void> {
  if (order.method !== 'invoice') return
  const { id: orderId, currency, isTest, failure } = order
  await releasePayments(trx, order)
  const amounts = await findSale(trx, orderId)
  const gross = amounts.receivable ?? 0
  if (gross <= 0) return
  const reversed: Booking['amounts'] = Object.fromEntries(Object.entries(amounts).map(([account, amount]) => [account, -amount]))
  await trx.updateTable('entitlements').set({ revokedAt: now }).where('orderId', '=', orderId).where('revokedAt', 'is', null).execute()
  const invoice = await trx.selectFrom('invoices').select('id').where('orderId', '=', orderId).limit(1).executeTakeFirst()
  const reason = failure || 'The order was cancelled.'
  const credit = invoice && (await issueCreditNote(trx, { orderId, amount: gross, reason }))
  const cause = `credit:${credit?.id ?? orderId}`
  await book(trx, { cause, orderId, currency, isTest, occurredAt: new Date(), amounts: reversed })
}

/** The credit that an order makes when it is cancelled: what was invoiced, less earlier credits. One by checkout was never sold. */
export async function creditOfCancelling(trx: Trx, { id, method, state }: Row<'orders'>): Promise<number> {
  return method === 'invoice' && state === 'open' ? Math.max(0, (await findSale(trx, id)).receivable ?? 0) : 0
}

/** The booked amount of an order without its payments: its sale, less credits. */
async function findSale(trx: Trx, orderId: string): Promise<Booking['amounts']> {
  const rows = await trx
    .selectFrom('ledgerEntries')
    .select(['account', (of) => of.fn.sum<string>('amount').as('sum')])
    .where('orderId', '=', orderId)
    .where((of) => of.or([of('cause', 'like', 'sale:%'), of('cause', 'like', 'credit:%')]))
    .groupBy('account')
    .execute()
  return Object.fromEntries(rows.map(({ account, sum }) => [account, Number(sum)]))
}

/**
 * The payments of an order that ended become credits of its customer, less the part of each refund that was asked for or made: that part is no credit
 * until the refund was declined or has failed.
 */
export async function releasePayments(trx: Trx, { id: orderId, currency, isTest }: Row<'orders'>): Promise<void> {
  const shares = await trx
    .selectFrom('paymentAllocations')
    .select(['paymentId', (of) => of.fn.sum<string>('amount').as('sum')])
    .where('orderId', '=', orderId)
    .groupBy('paymentId')
    .execute()
  for (const { paymentId, sum } of shares) {
    const { refunded } = await trx
      .selectFrom('refunds')
      .select((of) => of.fn.coalesce(of.fn.sum<string>('amount'), of.lit(0)).as('refunded'))
      .where('paymentId', '=', paymentId)
      .where('orderId', '=', orderId)
      .where('state', 'in', ['asked', 'pending', 'succeeded'])
      .executeTakeFirstOrThrow()
    const amount = Number(sum) - Number(refunded)
    if (amount <= 0) continue
    const { id } = await insert(trx, 'paymentAllocations', { id: newId(), paymentId, orderId, amount: -amount, actorId: null })
    const amounts = { receivable: amount, unallocated: -amount }
    await book(trx, { cause: `allocation:${id}`, orderId, paymentId, currency, isTest, occurredAt: new Date(), amounts })
  }
}

import { book, type Booking } from '#app/billing/orders/ledger.server.ts'
import { issueCreditNote } from '#app/billing/invoices/invoice.server.ts'
import { condition } from '#app/platform/database/sql.server.ts'
import type { Trx } from '#app/platform/database/db.server.ts'
import type { Row } from '#db/tables.ts'

type Refund = Row<'refunds'>
type Order = Row<'orders'>

/** Books a refund. Without an order it is of money that no order took. */
export async function bookRefund(trx: Trx, refund: Refund, order: Order | undefined, isTest: boolean): Promise<void> {
  const amounts = order ? { receivable: refund.amount, cash: -refund.amount } : { unallocated: refund.amount, cash: -refund.amount }
  await book(trx, { ...factsOf(refund, order, isTest), cause: `refund:${refund.id}`, amounts })
}

/** The money is with us again. */
export async function bookRefundFailure(trx: Trx, refund: Refund, order: Order | undefined, isTest: boolean): Promise<void> {
  const amounts = order ? { receivable: -refund.amount, cash: refund.amount } : { unallocated: -refund.amount, cash: refund.amount }
  await book(trx, { ...factsOf(refund, order, isTest), cause: `refund-failed:${refund.id}`, amounts })
}

function factsOf({ paymentId, currency }: Refund, order: Order | undefined, isTest: boolean): Omit<Booking, 'cause' | 'amounts'> {
  return { orderId: order?.id ?? null, paymentId, currency, isTest, occurredAt: new Date() }
}

/** How much of an order has been paid back. */
export async function refundedOf(trx: Trx, orderId: string): Promise<number> {
  const { sum } = await trx
    .selectFrom('refunds')
    .select((of) => of.fn.coalesce(of.fn.sum<string>('amount'), of.lit(0)).as('sum'))
    .where('orderId', '=', orderId)
    .where('state', '=', 'succeeded')
    .executeTakeFirstOrThrow()
  return Number(sum)
}

/** Each refunded amount is credited once. A refund that is repeated after a failure has its credit note already, also where the failure is learned of last. */
export async function creditRefunds(trx: Trx, order: Order, reason: string): Promise<void> {
  const { id: orderId, kind, currency, isTest, gross: most } = order
  const missing = Math.min(await refundedOf(trx, orderId), most) - (await creditedOf(trx, orderId))
  if (missing <= 0) return
  const { id, net, tax, gross } = await issueCreditNote(trx, { orderId, amount: missing, reason })
  const account = kind === 'deposit' ? 'prepayments' : kind === 'fee' ? 'reminder_fees' : 'revenue'
  const amounts = { [account]: net, tax, receivable: -gross }
  await book(trx, { cause: `credit:${id}`, orderId, currency, isTest, occurredAt: new Date(), amounts })
}

async function creditedOf(trx: Trx, orderId: string): Promise<number> {
  const { sum } = await trx
    .selectFrom('ledgerEntries')
    .select((of) => of.fn.coalesce(of.fn.sum<string>('amount'), of.lit(0)).as('sum'))
    .where('orderId', '=', orderId)
    .where('account', '=', 'receivable')
    .where(condition`cause LIKE 'credit:%'`)
    .executeTakeFirstOrThrow()
  return 0 - Number(sum)
}

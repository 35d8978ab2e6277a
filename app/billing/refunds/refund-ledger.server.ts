import { book, type Booking } from '#app/billing/orders/ledger.server.ts'
import { type Issued, issueCreditNote, reverseCreditNotes } from '#app/billing/invoices/invoice.server.ts'
import { nextStates } from '#app/billing/orders/order.ts'
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

/**
 * The credit notes of an order are what was refunded of it. One that was issued never changes, so where a refund failed after it, its credit note is taken
 * back by another document, whichever of several refunds is learned of last. An order that ended unpaid was credited whole.
 */
export async function creditRefunds(trx: Trx, order: Order, reason: string): Promise<void> {
  const { id: orderId, gross: most, state } = order
  if (state !== 'paid' && nextStates[state].length === 0) return
  const missing = Math.min(await refundedOf(trx, orderId), most) - (await creditedOf(trx, orderId))
  if (missing > 0) await bookCredit(trx, order, await issueCreditNote(trx, { orderId, amount: missing, reason }))
  if (missing < 0) for (const note of await reverseCreditNotes(trx, orderId, -missing)) await bookCredit(trx, order, note)
}

async function bookCredit(trx: Trx, order: Order, { id, net, tax, gross }: Issued): Promise<void> {
  const { id: orderId, kind, currency, isTest } = order
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

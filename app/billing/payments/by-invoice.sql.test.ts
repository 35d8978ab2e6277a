import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { placeOrder } from '#app/billing/orders/place-order.server.ts'
import { totalsOf } from '#app/billing/orders/totals.ts'
import { transferDetails } from '#app/billing/transfers/transfer-details.server.ts'
import { db, transaction } from '#app/platform/database/db.server.ts'
import { closeLimits } from '#app/platform/guard/limits.server.ts'
import { startEndpoints } from '#test/app.ts'
import { balancesOf, makeOrder } from '#test/billing.ts'
import { signIn } from '#test/factories.ts'
import { aDataset, berlin, saveBilling } from '#test/invoices.ts'
import { mayPayByInvoice, payByInvoice } from './by-invoice.server.ts'

await startEndpoints()
beforeAll(async () => saveBilling(berlin))
beforeEach(closeLimits)

/** A person whose organization may owe so much. */
async function buyer(invoiceLimit: number | null, given: { needsPurchaseOrder?: boolean } = {}) {
  const { user } = await signIn()
  await db
    .updateTable('organizations')
    .set({ invoiceLimit, ...given })
    .where('id', '=', user.id)
    .execute()
  return user.id
}

const orderOf = (id: string) => db.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

describe('happy', () => {
  test('within its limit an organization pays later: the invoice is issued, access starts, and the page says where to send the money', async () => {
    const userId = await buyer(20_000)
    const order = await makeOrder({ userId })
    await payByInvoice(order.id, 'PO-7', { id: userId })
    const moved = await orderOf(order.id)
    expect(moved).toMatchObject({ state: 'open', method: 'invoice', purchaseOrder: 'PO-7' })
    expect(await balancesOf(order.id)).toMatchObject({ receivable: order.gross })
    expect(await db.selectFrom('entitlements').select('id').where('orderId', '=', order.id).execute()).toHaveLength(1)
    const { number } = await db.selectFrom('invoices').select('number').where('orderId', '=', order.id).executeTakeFirstOrThrow()
    expect(await transferDetails(moved)).toMatchObject({ iban: 'DE89 3704 0044 0532 0130 00', reference: number })
  })

  test('two orders at once share one limit', async () => {
    const userId = await buyer(20_000)
    const [one, two] = [await makeOrder({ userId }), await makeOrder({ userId })]
    const both = await Promise.allSettled([payByInvoice(one.id, '', {}), payByInvoice(two.id, '', {})])
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  test('what is owed in another currency counts with its exchange rate, and without one nothing more is sold by invoice', async () => {
    const userId = await buyer(25_000)
    const totals = totalsOf([{ ...aDataset, unitAmount: 15_000 }], () => ({ category: 'O', rate: 0, reason: '' }))
    const francs = {
      kind: 'final',
      method: 'invoice',
      organizationId: userId,
      userId,
      title: 'A crawler',
      currency: 'CHF',
      totals,
    } as const
    await transaction((trx) => placeOrder(trx, francs))
    const order = await makeOrder({ userId })
    expect(await mayPayByInvoice(order)).toBe(false)
    await saveBilling({ ...berlin, exchange: [{ currency: 'CHF', rate: '1.5', on: '2026-01-01' }] })
    // 150 francs are 100 dollars.
    expect(await mayPayByInvoice(order)).toBe(true)
    await saveBilling({ ...berlin, exchange: [{ currency: 'CHF', rate: '1.4', on: '2026-01-01' }] })
    expect(await mayPayByInvoice(order)).toBe(false)
    await saveBilling(berlin)
  })
})

describe('error', () => {
  test('without a limit, or beyond it, an order is paid before access; a purchase order number is asked where the organization needs one', async () => {
    for (const limit of [null, 14_899]) {
      const order = await makeOrder({ userId: await buyer(limit) })
      expect(await mayPayByInvoice(order)).toBe(false)
      await expect(payByInvoice(order.id, '', {})).rejects.toMatchObject({ extra: { code: 'no_invoice' } })
    }
    const order = await makeOrder({ userId: await buyer(20_000, { needsPurchaseOrder: true }) })
    await expect(payByInvoice(order.id, '', {})).rejects.toMatchObject({ extra: { code: 'purchase_order_missing' } })
    expect(await db.selectFrom('entitlements').select('id').where('orderId', '=', order.id).execute()).toEqual([])
  })
})

describe('security', () => {
  test('a paid order is not made an invoice a second time', async () => {
    const userId = await buyer(50_000)
    const order = await makeOrder({ userId })
    await payByInvoice(order.id, '', { id: userId })
    await expect(payByInvoice(order.id, '', { id: userId })).rejects.toMatchObject({ extra: { code: 'no_invoice' } })
    expect(await db.selectFrom('invoices').select('id').where('orderId', '=', order.id).execute()).toHaveLength(1)
  })
})

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { placeOrder } from '#app/billing/orders/place-order.server.ts'
import { totalsOf } from '#app/billing/orders/totals.ts'
import { mayPayByInvoice } from '#app/billing/payments/by-invoice.server.ts'
import { findTestObject, changeTestObject } from '#app/billing/payments/test-objects.server.ts'
import { settlePayment } from '#app/billing/payments/settlement.server.ts'
import { sendRefund, requestRefund } from '#app/billing/refunds/refund.server.ts'
import { transferDetails } from '#app/billing/transfers/transfer-details.server.ts'
import { taxModes } from '#app/content/settings/sections.server.ts'
import { findSection, saveSection } from '#app/content/settings/settings.server.ts'
import { db, newId, transaction } from '#app/platform/database/db.server.ts'
import type { Row } from '#db/tables.ts'
import { startEndpoints } from '#test/app.ts'
import { forgetLimits } from '#test/auth.ts'
import { applyWaitingEvents, balancesOf, pressTest, startTestCheckout } from '#test/billing.ts'
import { makeProduct, signIn } from '#test/factories.ts'
import { berlin, saveBilling } from '#test/invoices.ts'
import { ordersOf, orderSubscription, subscriptionOf, turnClock } from '#test/subscriptions.ts'
import { taxAtCheckout } from './tax.server.ts'

await startEndpoints()
beforeEach(forgetLimits)
beforeAll(async () => saveBilling({ ...berlin, mode: taxModes.provider }))
afterAll(async () => saveSection('billing', null, newId(), (await findSection('billing')).version))

const orderOf = async (id: string) => db.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const documentsOf = async (orderId: string) => {
  const rows = await db.selectFrom('invoices').select('document').where('orderId', '=', orderId).orderBy('serial').execute()
  return rows.map(({ document }) => document)
}
/** An order of a person in a country, whose tax the provider adds. */
const taxed = async (countryCode: string, { vatNumber = '' } = {}): Promise<Row<'orders'>> => {
  const { user } = await signIn()
  const facts = { countryCode, vatNumber, legalName: 'Acme', kind: 'business' as const }
  await db.updateTable('organizations').set(facts).where('id', '=', user.id).execute()
  const line = { title: 'Shop prices', detail: '', quantity: 1000, unitAmount: 14_900, discount: 0, supply: 'data' as const }
  const { id: productId } = await makeProduct({ priceCents: 14_900 })
  const own = { organizationId: user.id, userId: user.id, productId, currency: 'USD', title: 'Shop prices', includes: 'year' as const }
  const totals = totalsOf([line], taxAtCheckout)
  return transaction((trx) => placeOrder(trx, { ...own, kind: 'dataset', totals, isBusiness: true, taxBy: 'provider' }))
}

describe('happy', () => {
  test('the order is placed without tax; its payment brings the tax into order, ledger and invoice, with its place', async () => {
    const order = await taxed('DE')
    expect([order.net, order.tax, order.gross]).toEqual([14_900, 0, 14_900])
    const checkout = await startTestCheckout(order.id)
    expect(await findTestObject('checkout', checkout)).toMatchObject({ amount: 17_731, tax: { tax: 2831 } })
    await pressTest(checkout, 'duplicate')
    expect(await orderOf(order.id)).toMatchObject({
      state: 'paid',
      net: 14_900,
      tax: 2831,
      gross: 17_731,
      providerTax: { countryCode: 'DE' },
    })
    expect(await balancesOf(order.id)).toEqual({ revenue: -14_900, tax: -2831, cash: 17_731 - 544, fees: 544 })
    const part = { category: 'S', rate: 1900, net: 14_900, tax: 2831, reason: '', jurisdiction: 'Germany 19%' }
    expect(await documentsOf(order.id)).toMatchObject([{ gross: 17_731, taxParts: [part], lines: [{ taxRate: 1900 }], isPaid: true }])
  })

  test('a company of another country of the EU with a number owes the tax itself', async () => {
    const order = await taxed('FR', { vatNumber: 'FR83404833048' })
    await pressTest(await startTestCheckout(order.id), 'pay')
    const [document] = await documentsOf(order.id)
    expect(document).toMatchObject({ gross: 14_900, buyer: { vatNumber: 'FR83404833048' }, taxParts: [{ category: 'AE', tax: 0 }] })
  })

  test('a refund gives back the tax in proportion, and a credit note names it', async () => {
    const order = await taxed('CH')
    await pressTest(await startTestCheckout(order.id), 'pay')
    const payment = await db.selectFrom('paymentAllocations').select('paymentId').where('orderId', '=', order.id).executeTakeFirstOrThrow()
    const asked = { paymentId: payment.paymentId, orderId: order.id, amount: 8053, reason: 'Half of it' }
    const half = await requestRefund(asked, {}, false)
    await sendRefund(half.id)
    await applyWaitingEvents()
    const rest = await requestRefund({ ...asked, amount: 16_107 - 8053 }, {}, false)
    await sendRefund(rest.id)
    await applyWaitingEvents()
    const [invoice, ...credits] = await documentsOf(order.id)
    expect(invoice).toMatchObject({ gross: 16_107, tax: 1207, taxParts: [{ jurisdiction: 'Switzerland 8.1%' }] })
    expect(credits.map(({ tax }) => tax).reduce((sum, tax) => sum + tax, 0)).toBe(1207)
    expect(credits).toMatchObject([{ gross: 8053, taxParts: [{ rate: 810, jurisdiction: 'Switzerland 8.1%' }] }, { gross: 8054 }])
    expect(await balancesOf(order.id)).not.toHaveProperty('tax')
  })

  test('each period of a subscription brings its own tax', async () => {
    const { user } = await signIn()
    await db.updateTable('organizations').set({ countryCode: 'DE', kind: 'business' }).where('id', '=', user.id).execute()
    const first = await orderSubscription({ userId: user.id, taxBy: 'provider' })
    await pressTest(await startTestCheckout(first.id), 'pay')
    const { id } = await subscriptionOf(first.subscriptionId)
    await turnClock(id, 'renew')
    await turnClock(id, 'fail')
    expect(await turnClock(id, 'recover')).toMatchObject({ state: 'active', amount: 9900 })
    expect((await ordersOf(id)).map(({ state, net, tax, gross }) => [state, net, tax, gross])).toEqual(
      Array.from({ length: 3 }, () => ['paid', 9900, 1881, 11_781]),
    )
  })
})

describe('errors', () => {
  test('another net, a payment without the tax, and a tax that was not asked for buy nothing', async () => {
    const alter = async (change: (found: { amount: number }) => object, order: Row<'orders'>) => {
      const checkout = await startTestCheckout(order.id)
      const found = await findTestObject('checkout', checkout)
      if (!found) throw new Error('There is no checkout.')
      await transaction((trx) => changeTestObject(trx, 'checkout', checkout, { ...found, ...change(found) }))
      await pressTest(checkout, 'pay')
      return (await orderOf(order.id)).state
    }
    expect(await alter(({ amount }) => ({ amount: amount - 1 }), await taxed('DE'))).toBe('open')
    expect(await alter(() => ({ amount: 14_900, tax: null }), await taxed('DE'))).toBe('open')
    const untaxed = await taxed('DE')
    await db.updateTable('orders').set({ taxBy: 'table' }).where('id', '=', untaxed.id).execute()
    const tax = { tax: 100, category: 'S', rate: 100, reason: '', jurisdiction: '', countryCode: 'DE', region: '', taxId: '' }
    expect(await alter(({ amount }) => ({ amount: amount + 100, tax }), untaxed)).toBe('open')
  })

  test('what does not come with the tax of the provider waits for staff: no invoice before payment, no bank transfer', async () => {
    const order = await taxed('DE')
    await db.updateTable('organizations').set({ invoiceLimit: 1_000_000 }).where('id', '=', order.organizationId).execute()
    expect([await mayPayByInvoice(order), await transferDetails(order)]).toEqual([false, undefined])
    const money = { provider: 'transfer' as const, providerId: newId(), amount: 14_900, currency: 'USD', paidAt: new Date(), fee: null }
    const settled = await transaction((trx) => settlePayment(trx, { ...money, orderId: order.id }))
    expect([settled.unallocated, (await orderOf(order.id)).state]).toEqual([14_900, 'open'])
  })
})

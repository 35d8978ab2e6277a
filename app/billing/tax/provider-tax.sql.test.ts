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
import { quoteOf } from '#app/billing/buying/quote.server.ts'
import { prepareRenewal } from '#app/billing/subscriptions/subscription-care.server.ts'
import { listSubscriptions } from '#app/billing/subscriptions/subscription.server.ts'
import { startApp } from '#test/app.ts'
import { forgetLimits } from '#test/auth.ts'
import { applyWaitingEvents, balancesOf, pressTest, startTestCheckout } from '#test/billing.ts'
import { emailsTo } from '#test/emails.ts'
import { makeProduct, signIn } from '#test/factories.ts'
import { berlin, saveBilling } from '#test/invoices.ts'
import { makeOffer, ordersOf, orderSubscription, subscriptionOf, turnClock } from '#test/subscriptions.ts'
import { taxAtCheckout } from './tax.server.ts'

const app = await startApp()
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

describe('words', () => {
  const tell = async (id: string, at: Date) => {
    await prepareRenewal(id, at)
    const { userId } = await subscriptionOf(id)
    const { email } = await db.selectFrom('accounts').select('email').where('id', '=', userId).executeTakeFirstOrThrow()
    return (await emailsTo(email ?? '')).filter(({ kind }) => kind === 'subscription-reminder').map(({ data }) => data['amount'])
  }

  test('a reminder has the amount of the last invoice where the price is the same, and says that tax is added where it is not', async () => {
    const { user } = await signIn()
    await db.updateTable('organizations').set({ countryCode: 'DE', kind: 'business' }).where('id', '=', user.id).execute()
    const first = await orderSubscription({ userId: user.id, taxBy: 'provider' })
    await pressTest(await startTestCheckout(first.id), 'pay')
    const { id } = await subscriptionOf(first.subscriptionId)
    expect(await tell(id, new Date())).toEqual(['$117.81'])
    await turnClock(id, 'renew')
    await db.updateTable('subscriptions').set({ amount: 10_000 }).where('id', '=', id).execute()
    expect(await tell(id, new Date())).toEqual(['$117.81', '$100.00 plus tax'])
  })

  test('an unpaid renewal, its order and an upgrade say that tax is added, and paid ones have it', async () => {
    const { user, headers } = await signIn()
    await db.updateTable('organizations').set({ countryCode: 'DE', kind: 'business' }).where('id', '=', user.id).execute()
    const first = await orderSubscription({ userId: user.id, taxBy: 'provider' })
    await pressTest(await startTestCheckout(first.id), 'pay')
    const { id, productId } = await subscriptionOf(first.subscriptionId)
    await makeOffer(productId, 'year', 90_000)
    const [active] = await listSubscriptions(user.id)
    expect(active?.plans.map(({ now }) => now)).toEqual([expect.stringMatching(/^\$8\d\d\.\d\d plus tax$/)])
    await turnClock(id, 'fail')
    const [grace] = await listSubscriptions(user.id)
    expect(grace?.unpaid?.amount).toBe('$99.00 plus tax')
    const orders = (await app.inject({ url: '/api/orders', headers })).json().items
    expect(orders.map(({ state, total }: { state: string; total: string }) => [state, total])).toEqual([
      ['open', '$99.00 plus tax'],
      ['paid', '$117.81'],
    ])
  })

  test('prices of the catalog say that tax is added where it is, in cards, on the page and for machines', async () => {
    const product = await makeProduct({ priceCents: 14_900 })
    const read = async () => (await app.inject({ url: `/data-marketplace/${product.slug}` })).body
    const catalog = async () => (await app.inject({ url: `/datasets?q=${product.name.split(' ').join('+')}` })).body
    for (const [mode, isAdded] of [
      [taxModes.vat, true],
      [taxModes.none, false],
      [taxModes.small, false],
      [taxModes.provider, true],
    ] as const) {
      await saveBilling({ ...berlin, mode, taxNumber: '30/123/45678' })
      expect([mode, (await read()).includes('one-time payment, plus tax')]).toEqual([mode, isAdded])
      expect([mode, (await read()).includes('"valueAddedTaxIncluded":false')]).toEqual([mode, isAdded])
      expect([mode, (await catalog()).includes('$149.00 plus tax')]).toEqual([mode, isAdded])
    }
  })
})

describe('errors', () => {
  test('an order in another currency waits for its exchange rate before anybody pays, and says the way out; a free one does not', async () => {
    const { user } = await signIn()
    await db.updateTable('organizations').set({ countryCode: 'DE', kind: 'business' }).where('id', '=', user.id).execute()
    const organization = await db.selectFrom('organizations').selectAll().where('id', '=', user.id).executeTakeFirstOrThrow()
    const product = await makeProduct({ priceCents: 14_900 })
    const offer = { id: null, charged: 'once' as const, currency: 'CHF', amount: 10_000, includes: 'year' as const }
    const quote = async (given = {}) => quoteOf({ product, organization, offer: { ...offer, ...given }, code: '' })
    await expect(quote()).rejects.toMatchObject({
      status: 409,
      data: expect.stringMatching(/^Orders in CHF wait.*Choose a price in another currency, or write to us\.$/),
      extra: { code: 'exchange_missing' },
    })
    expect((await quote({ currency: 'USD' })).taxBy).toBe('provider')
    await saveBilling({ ...berlin, mode: taxModes.provider, exchange: [{ currency: 'CHF', rate: '0.9412', on: '2026-01-01' }] })
    expect((await quote()).taxBy).toBe('provider')
    await saveBilling({ ...berlin, mode: taxModes.provider })
    expect((await quote({ amount: 0 })).taxBy).toBe('table')
  })

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

import { describe, expect, test } from 'vitest'
import { accessTo } from '#app/datasets/catalog/access.server.ts'
import { personalOf } from '#app/organizations/organization/membership.server.ts'
import { closeOrganization } from '#app/organizations/organization/organization.server.ts'
import { db, transaction } from '#app/platform/database/db.server.ts'
import { emittedEvent, WEBHOOK_JOB } from '#app/platform/jobs/webhook-event.server.ts'
import { startEndpoints } from '#test/app.ts'
import { applyWaitingEvents, balancesOf, makeOrder, pressTest, startTestCheckout } from '#test/billing.ts'
import { makeProduct, signIn } from '#test/factories.ts'
import { organizationsOf } from '#test/organizations.ts'
import { cancelOrder, startCheckoutFor } from './checkout.server.ts'
import { expireOrders } from './expire-orders.server.ts'
import { settlePayment } from './settlement.server.ts'
import { actOnTestCheckout, settleTestCheckout } from './test-checkout.server.ts'
import { changeTestObject, findTestObject } from './test-objects.server.ts'
import { signTestEvent } from './test-provider.server.ts'

const app = await startEndpoints()
const buyer = await signIn()
const organizationId = buyer.user.id

const orderOf = (id: string) => db.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const grantsOf = (orderId: string) => db.selectFrom('entitlements').selectAll().where('orderId', '=', orderId).execute()
const paymentsOf = (checkoutId: string) => db.selectFrom('payments').selectAll().where('checkoutId', '=', checkoutId).execute()
const refusals = async (objectId: string) =>
  (await db.selectFrom('paymentEvents').select('refusal').where('objectId', '=', objectId).execute()).map(({ refusal }) => refusal)
const postEvent = (body: string, headers: Record<string, string>, provider = 'test') =>
  app.inject({
    method: 'POST',
    url: `/api/payment-events/${provider}`,
    payload: body,
    headers: { 'content-type': 'application/json', ...headers },
  })

describe('happy', () => {
  test('an invoice that was paid in part by transfer asks for the rest at the checkout; other programs hear once that it is paid', async () => {
    const hook = { label: 'Books', url: 'https://books.example/hook', events: ['invoice.paid'], format: 'standard' }
    const { headers } = await signIn('owner')
    const made = await app.inject({ method: 'POST', url: '/api/webhooks', headers, payload: hook })
    expect(made.statusCode).toBe(201)
    const paidInvoices = async (orderId: string) => {
      const jobs = await db.selectFrom('jobs').select('payload').where('kind', '=', WEBHOOK_JOB).execute()
      const invoices = await db.selectFrom('invoices').select('id').where('orderId', '=', orderId).execute()
      const sent = jobs.map(({ payload }) => emittedEvent.parse(payload)).filter(({ type }) => type === 'invoice.paid')
      return sent.filter(({ subjectId }) => invoices.some(({ id }) => id === subjectId))
    }
    const order = await makeOrder({ userId: buyer.user.id, kind: 'final', method: 'invoice', amount: 10_000 })
    const transfer = {
      provider: 'transfer',
      providerId: `line:${order.id}`,
      amount: 4000,
      currency: 'USD',
      paidAt: new Date(),
      fee: null,
    } as const
    await transaction((trx) => settlePayment(trx, { ...transfer, orderId: order.id }))
    const checkout = await startTestCheckout(order.id)
    expect(await findTestObject('checkout', checkout)).toMatchObject({ amount: 6000 })
    expect(await paidInvoices(order.id)).toEqual([])
    await pressTest(checkout, 'duplicate')
    expect((await orderOf(order.id)).state).toBe('paid')
    expect((await balancesOf(order.id))['receivable']).toBeUndefined()
    expect(await paidInvoices(order.id)).toMatchObject([{ data: { gross: 10_000, order: order.reference, paidAt: expect.any(String) } }])
    const atOnce = await makeOrder({ userId: buyer.user.id })
    await pressTest(await startTestCheckout(atOnce.id), 'duplicate')
    expect(await paidInvoices(atOnce.id)).toHaveLength(1)
    await app.inject({ method: 'DELETE', url: `/api/webhooks/${made.json().id}`, headers })
  })

  test('a paid order gives access for its 12 months of versions; its ledger is even, less the fee', async () => {
    const order = await makeOrder({ userId: buyer.user.id, taxRate: 1900 })
    const person = { id: buyer.user.id, role: 'customer' as const, organization: personalOf(organizationId) }
    const product = { id: order.productId ?? '', isFree: false }
    expect(await accessTo(product, person)).toBe('pay')
    await pressTest(await startTestCheckout(order.id), 'pay')

    expect(await orderOf(order.id)).toMatchObject({ state: 'paid', isTest: true, gross: 17_731 })
    expect(await accessTo(product, person)).toBe('granted')
    const [grant] = await grantsOf(order.id)
    expect(grant?.versionsUntil?.getTime()).toBeGreaterThan(Date.now() + 360 * 86_400_000)
    const fee = 514 + 30
    expect(await balancesOf(order.id)).toEqual({ cash: 17_731 - fee, fees: fee, revenue: -14_900, tax: -2831 })
  })

  test('an event that comes three times, and a second click, pay once', async () => {
    const order = await makeOrder({ userId: buyer.user.id })
    const checkout = await startTestCheckout(order.id)
    await Promise.all([actOnTestCheckout(checkout, 'duplicate'), actOnTestCheckout(checkout, 'pay')])
    await applyWaitingEvents()
    expect(await grantsOf(order.id)).toHaveLength(1)
    expect(await balancesOf(order.id)).toMatchObject({ revenue: -14_900 })
    expect(
      await db
        .selectFrom('payments')
        .selectAll()
        .where('checkoutId', 'in', (of) => of.selectFrom('checkouts').select('id').where('orderId', '=', order.id))
        .execute(),
    ).toHaveLength(1)
  })

  test('two tabs get the same page to pay on', async () => {
    const order = await makeOrder({ userId: buyer.user.id })
    const [one, two] = await Promise.all([startCheckoutFor(order.id), startCheckoutFor(order.id)])
    expect(one).toBe(two)
  })

  test('a refused card leaves the order open; a delayed payment is pending, and gives access when it arrives', async () => {
    const order = await makeOrder({ userId: buyer.user.id })
    const checkout = await startTestCheckout(order.id)
    await pressTest(checkout, 'fail')
    expect((await orderOf(order.id)).state).toBe('open')
    await pressTest(checkout, 'delay')
    expect((await orderOf(order.id)).state).toBe('processing')
    expect(await grantsOf(order.id)).toEqual([])
    await settleTestCheckout(checkout, true)
    await applyWaitingEvents()
    expect((await orderOf(order.id)).state).toBe('paid')
    expect(await grantsOf(order.id)).toHaveLength(1)
  })

  test('a delayed payment that fails ends the order with its reason', async () => {
    const order = await makeOrder({ userId: buyer.user.id })
    const checkout = await startTestCheckout(order.id)
    await pressTest(checkout, 'delayFail')
    await settleTestCheckout(checkout, false)
    await applyWaitingEvents()
    expect(await orderOf(order.id)).toMatchObject({ state: 'failed', failure: 'The bank refused the payment.' })
  })
})

describe('error', () => {
  test('a paid order cannot be paid again, and an ended one asks for a new one', async () => {
    const order = await makeOrder({ userId: buyer.user.id })
    await pressTest(await startTestCheckout(order.id), 'pay')
    await expect(startCheckoutFor(order.id)).rejects.toMatchObject({ data: 'This order is paid already.' })
  })

  test('money for a company that was closed in between buys nothing, stays unallocated, and staff are told', async () => {
    const owner = await signIn()
    const { id: company } = await organizationsOf(app).found(owner)
    const order = await makeOrder({ userId: owner.user.id, organizationId: company })
    const checkout = await startTestCheckout(order.id)
    await closeOrganization(company, { id: owner.user.id })
    await pressTest(checkout, 'pay')
    expect(await orderOf(order.id)).toMatchObject({ state: 'failed', failure: 'The organization was closed before the payment arrived.' })
    expect(await grantsOf(order.id)).toEqual([])
    const told = await db.selectFrom('jobs').select('dedupeKey').where('dedupeKey', 'like', '%payment_unallocated%').execute()
    expect(told).toHaveLength(1)
  })

  test('money for a dataset that was withdrawn in between buys nothing', async () => {
    const product = await makeProduct({ priceCents: 14_900 })
    const order = await makeOrder({ userId: buyer.user.id, productId: product.id })
    const checkout = await startTestCheckout(order.id)
    await db.updateTable('dataProducts').set({ removedAt: new Date() }).where('id', '=', product.id).execute()
    await pressTest(checkout, 'pay')
    expect((await orderOf(order.id)).state).toBe('failed')
  })
})

describe('orders that nobody pays', () => {
  test('end after their time, with their page; a payment at the last moment counts', async () => {
    const [late, paid] = [await makeOrder({ userId: buyer.user.id }), await makeOrder({ userId: buyer.user.id })]
    const [lateCheckout, paidCheckout] = [await startTestCheckout(late.id), await startTestCheckout(paid.id)]
    // Its event has not been applied yet.
    await actOnTestCheckout(paidCheckout, 'pay')
    await db
      .updateTable('orders')
      .set({ expiresAt: new Date(0) })
      .where('id', 'in', [late.id, paid.id])
      .execute()
    await expireOrders()
    expect([(await orderOf(late.id)).state, (await orderOf(paid.id)).state]).toEqual(['expired', 'paid'])
    expect(await findTestObject('checkout', lateCheckout)).toMatchObject({ state: 'expired' })
  })

  test('one whose page was paid at the last moment is not cancelled', async () => {
    const order = await makeOrder({ userId: buyer.user.id })
    // Its event has not been applied yet.
    await actOnTestCheckout(await startTestCheckout(order.id), 'pay')
    await expect(cancelOrder(order.id, {})).rejects.toMatchObject({ extra: { code: 'order_ended' } })
    expect((await orderOf(order.id)).state).toBe('paid')
    expect(await grantsOf(order.id)).toMatchObject([{ revokedAt: null }])
  })
})

describe('security', () => {
  test('an event that is forged, altered, six minutes old or of another provider is refused; a replayed one changes nothing', async () => {
    const order = await makeOrder({ userId: buyer.user.id })
    const objectId = await startTestCheckout(order.id)
    const body = JSON.stringify({
      id: 'te_mine',
      kind: 'checkout.completed',
      objectKind: 'checkout',
      objectId,
      occurredAt: new Date().toISOString(),
    })
    const count = async () => (await db.selectFrom('paymentEvents').select('id').where('objectId', '=', objectId).execute()).length
    const old = new Date(Date.now() - 6 * 60_000)
    for (const headers of [{}, { 'test-signature': `t=1,v1=${'0'.repeat(64)}` }, signTestEvent(`${body} `), signTestEvent(body, old)]) {
      expect((await postEvent(body, headers)).statusCode).toBe(403)
    }
    expect((await postEvent(body, signTestEvent(body), 'stripe')).statusCode).toBe(404)
    expect(await count()).toBe(0)
    expect((await postEvent(body, signTestEvent(body))).statusCode).toBe(204)
    expect((await postEvent(body, signTestEvent(body))).statusCode).toBe(204)
    expect(await count()).toBe(1)
    await applyWaitingEvents()
    // It only says that something changed; the object itself says that nothing was paid.
    expect((await orderOf(order.id)).state).toBe('open')
  })

  test('another amount or currency than asked, and an object of another installation, are refused in words and pay nothing', async () => {
    const order = await makeOrder({ userId: buyer.user.id })
    const checkout = await startTestCheckout(order.id)
    const body = await findTestObject('checkout', checkout)
    if (!body) throw new Error('The checkout is not there.')
    await transaction((trx) => changeTestObject(trx, 'checkout', checkout, { ...body, amount: 1 }))
    await pressTest(checkout, 'pay')
    expect((await orderOf(order.id)).state).toBe('open')
    expect((await refusals(checkout)).at(-1)).toContain('another amount')
    expect(await paymentsOf(body.checkoutId)).toEqual([])
    const foreign = JSON.stringify({
      id: 'te_foreign',
      kind: 'x',
      objectKind: 'checkout',
      objectId: 'tc_foreign',
      occurredAt: new Date().toISOString(),
    })
    expect((await postEvent(foreign, signTestEvent(foreign))).statusCode).toBe(204)
    await applyWaitingEvents()
    expect(await refusals('tc_foreign')).toEqual(['The provider has no checkout tc_foreign.'])
  })
})

import { beforeEach, describe, expect, test } from 'vitest'
import { EMAIL_JOB, enqueuedEmail } from '#app/mail/outbox.server.ts'
import { db, transaction } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { forgetLimits } from '#test/auth.ts'
import { applyWaitingEvents, balancesOf, pressTest, startTestCheckout } from '#test/billing.ts'
import { makeProduct, signIn } from '#test/factories.ts'
import { grantsOf, makeOffer, ordersOf, orderSubscription, subscribe, subscriptionOf, turnClock } from '#test/subscriptions.ts'
import { findUnallocated } from '#app/billing/payments/settlement.server.ts'
import { findTestObject } from '#app/billing/payments/test-objects.server.ts'
import { endOfPeriod } from './period.ts'
import { careForSubscriptions } from './subscription-care.server.ts'

const app = await startEndpoints()
beforeEach(forgetLimits)

const DAY_MS = 86_400_000
const person = async () => {
  const signedIn = await signIn()
  const call = (method: 'GET' | 'POST', path: string, payload?: object) =>
    app.inject({ method, url: `/api/subscriptions${path}`, headers: signedIn.headers, ...(payload && { payload }) })
  return { ...signedIn, userId: signedIn.user.id, call }
}
const emailsTo = async (address: string) => {
  const jobs = await db.selectFrom('jobs').select('payload').where('kind', '=', EMAIL_JOB).orderBy('id').execute()
  return jobs.flatMap(({ payload }) => {
    const { kind, to } = enqueuedEmail.parse(payload)
    return to === address.toLowerCase() && kind.startsWith('subscription-') ? kind : []
  })
}
const daysAfter = (moment: Date | null, days: number) => new Date((moment?.getTime() ?? 0) + days * DAY_MS)

describe('happy', () => {
  test('subscribe, fail, recover, cancel: each period is an order, access lasts through the grace, and what was cancelled ends with its period', async () => {
    const buyer = await person()
    const begun = await subscribe({ userId: buyer.userId })
    expect(begun).toMatchObject({ state: 'active', isTest: true, amount: 9900, providerId: expect.stringMatching(/^ts_/) })
    const [grant] = await grantsOf(begun.id)
    expect(grant?.expiresAt).toEqual(daysAfter(begun.periodEnd, 7))

    const failed = await turnClock(begun.id, 'fail')
    expect(failed).toMatchObject({ state: 'grace', periodEnd: begun.periodEnd, graceUntil: daysAfter(begun.periodEnd, 7) })
    expect((await grantsOf(begun.id)).length).toBe(1)
    expect(await emailsTo(buyer.user.email ?? '')).toEqual(['subscription-failed'])
    const recovered = await turnClock(begun.id, 'recover')
    expect(recovered).toMatchObject({ state: 'active', graceUntil: null, periodStart: begun.periodEnd })
    const orders = await ordersOf(begun.id)
    expect(orders.map(({ kind, state, periodStart, periodEnd }) => [kind, state, periodStart, periodEnd])).toEqual([
      ['dataset', 'paid', begun.periodStart, begun.periodEnd],
      ['renewal', 'paid', begun.periodEnd, recovered.periodEnd],
    ])
    expect((await grantsOf(begun.id))[0]?.expiresAt).toEqual(daysAfter(recovered.periodEnd, 7))
    expect(await balancesOf(orders[1]?.id ?? '')).toMatchObject({ revenue: -9900, cash: 9900 - 317 })

    expect((await buyer.call('POST', `/${begun.reference}/cancel`, { when: 'periodEnd' })).statusCode).toBe(204)
    expect((await grantsOf(begun.id))[0]?.expiresAt).toEqual(recovered.periodEnd)
    expect((await buyer.call('GET', '')).json()).toMatchObject([{ endsAtPeriodEnd: true, every: 'month', plans: [] }])
    expect((await buyer.call('POST', `/${begun.reference}/continue`)).statusCode).toBe(204)
    await applyWaitingEvents()
    expect(await subscriptionOf(begun.id)).toMatchObject({ endsAtPeriodEnd: false })
    await buyer.call('POST', `/${begun.reference}/cancel`, { when: 'periodEnd' })
    await applyWaitingEvents()
    expect(await turnClock(begun.id, 'renew')).toMatchObject({ state: 'ended', endReason: 'cancelled' })
    expect(await grantsOf(begun.id)).toEqual([])
    expect((await ordersOf(begun.id)).length).toBe(2)
  })

  test('cancelled now, it ends at once, here and at the provider', async () => {
    const buyer = await person()
    const { id, reference, providerId } = await subscribe({ userId: buyer.userId })
    expect((await buyer.call('POST', `/${reference}/cancel`, { when: 'now' })).statusCode).toBe(204)
    expect([(await subscriptionOf(id)).state, await grantsOf(id)]).toEqual(['ended', []])
    expect(await findTestObject('subscription', providerId ?? '')).toMatchObject({ state: 'ended' })
    expect((await buyer.call('POST', `/${reference}/continue`)).statusCode).toBe(409)
  })

  test('a payment that has to be confirmed sends its link at once, and once', async () => {
    const buyer = await person()
    const { id } = await subscribe({ userId: buyer.userId })
    await turnClock(id, 'confirm')
    await db.updateTable('paymentEvents').set({ appliedAt: null }).execute()
    await applyWaitingEvents()
    expect(await emailsTo(buyer.user.email ?? '')).toEqual(['subscription-confirm'])
    expect(await turnClock(id, 'recover')).toMatchObject({ state: 'active' })
  })

  test('a week before, the customer reads what is charged; a new price is told 30 days before, and counts with the renewal after that', async () => {
    const buyer = await person()
    const { id, offerId, periodEnd } = await subscribe({ userId: buyer.userId })
    const soon = new Date(Date.now() + DAY_MS)
    await db.updateTable('productOffers').set({ nextAmount: 12_900, nextAmountFrom: soon }).where('id', '=', offerId).execute()
    await careForSubscriptions()
    await careForSubscriptions()
    expect(await emailsTo(buyer.user.email ?? '')).toEqual(['subscription-price'])
    // The notice is 30 days long, whatever the offer says: the next renewal may be earlier, and has the old price.
    const noticed = await subscriptionOf(id)
    expect(noticed.nextAmountFrom?.getTime()).toBeGreaterThan(Date.now() + 29 * DAY_MS)
    await careForSubscriptions(daysAfter(periodEnd, -6))
    expect(await emailsTo(buyer.user.email ?? '')).toEqual(['subscription-price', 'subscription-reminder'])
    const renewed = await turnClock(id, 'renew')
    await careForSubscriptions(daysAfter(renewed.periodEnd, -6))
    expect(await subscriptionOf(id)).toMatchObject({ amount: 12_900, nextAmount: null })
    await applyWaitingEvents()
    await turnClock(id, 'renew')
    expect((await ordersOf(id)).map(({ gross }) => gross)).toEqual([
      9900,
      Number(noticed.nextAmountFrom) <= Number(periodEnd) ? 12_900 : 9900,
      12_900,
    ])
  })

  test('an upgrade costs its price less the rest of the period, and begins when it is paid; a smaller plan begins with the next period', async () => {
    const buyer = await person()
    const product = await makeProduct({ priceCents: 29_900 })
    const { id, reference, providerId } = await subscribe({ userId: buyer.userId, productId: product.id })
    const year = await makeOffer(product.id, 'year', 99_000)
    const [listed] = (await buyer.call('GET', '')).json()
    expect(listed.plans).toMatchObject([{ offerId: year.id, every: 'year' }])
    const { url } = (await buyer.call('POST', `/${reference}/plan`, { offerId: year.id })).json()
    const before = await subscriptionOf(id)
    expect(before.offerId).not.toBe(year.id)
    await pressTest(new URL(url).pathname.split('/').at(-1) ?? '', 'pay')
    const upgraded = await subscriptionOf(id)
    expect(upgraded).toMatchObject({ offerId: year.id, amount: 99_000, state: 'active' })
    expect(upgraded.periodEnd?.getTime()).toBeGreaterThan(Date.now() + 360 * DAY_MS)
    const order = (await ordersOf(id)).at(-1)
    expect(order?.gross).toBeGreaterThan(99_000 - 9901)
    expect(order?.gross).toBeLessThan(99_000 - 9000)
    await careForSubscriptions(daysAfter(upgraded.periodEnd, -6))
    expect(await findTestObject('subscription', providerId ?? '')).toMatchObject({ amount: 99_000, every: 'year' })

    const month = await db.selectFrom('productOffers').selectAll().where('id', '=', before.offerId).executeTakeFirstOrThrow()
    expect((await buyer.call('POST', `/${reference}/plan`, { offerId: month.id })).json()).toEqual({ url: null })
    expect((await buyer.call('GET', '')).json()[0].nextPlan).toBe('$99.00 month')
  })
})

test('staff add a price, announce another one to whoever has it, and stop offering it', async () => {
  const [staff, buyer] = [await signIn('staff'), await person()]
  const product = await makeProduct({ priceCents: 29_900 })
  const offers = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path = '', payload?: object) =>
    app.inject({
      method,
      url: `/api/data-products/${product.id}/subscription-offers${path}`,
      headers: staff.headers,
      ...(payload && { payload }),
    })
  expect((await offers('POST', '', { charged: 'year', amount: 0 })).statusCode).toBe(422)
  expect((await offers('POST', '', { charged: 'year', amount: 99_000 })).statusCode).toBe(204)
  expect((await offers('POST', '', { charged: 'year', amount: 98_000 })).statusCode).toBe(409)
  const [year] = (await offers('GET')).json()
  expect((await offers('PUT', `/${year.id}`, { amount: 89_000 })).statusCode).toBe(204)
  expect((await offers('GET')).json()).toMatchObject([{ amount: 89_000, nextAmount: null, subscriptions: 0 }])
  const { offerId } = await subscribe({ userId: buyer.userId, productId: product.id })
  expect((await offers('PUT', `/${offerId}`, { amount: 12_900 })).statusCode).toBe(204)
  const announced = (await offers('GET')).json().find(({ id }: { id: string }) => id === offerId)
  expect(announced).toMatchObject({ amount: 9900, nextAmount: 12_900, subscriptions: 1 })
  await careForSubscriptions(new Date(Date.parse(announced.nextAmountFrom) + 1000))
  expect((await offers('GET')).json().find(({ id }: { id: string }) => id === offerId)).toMatchObject({ amount: 12_900, nextAmount: null })
  expect((await offers('DELETE', `/${year.id}`)).statusCode).toBe(204)
  expect((await offers('GET')).json().length).toBe(1)
})

describe('error', () => {
  test('a renewal that is not paid in seven days ends the subscription; its late payment grants nothing until staff reopen it', async () => {
    const [buyer, owner] = [await person(), await signIn('owner')]
    const { id, reference, periodEnd } = await subscribe({ userId: buyer.userId })
    await turnClock(id, 'fail')
    await careForSubscriptions(daysAfter(periodEnd, 6))
    expect((await subscriptionOf(id)).state).toBe('grace')
    await careForSubscriptions(daysAfter(periodEnd, 8))
    expect(await subscriptionOf(id)).toMatchObject({ state: 'ended', endReason: 'unpaid' })
    expect(await grantsOf(id)).toEqual([])
    expect((await ordersOf(id)).at(-1)).toMatchObject({ state: 'failed' })
    expect(await turnClock(id, 'recover')).toMatchObject({ state: 'ended' })
    expect(await grantsOf(id)).toEqual([])
    const task = await db.selectFrom('billingTasks').selectAll().where('subscriptionId', '=', id).executeTakeFirstOrThrow()
    expect(task).toMatchObject({ kind: 'late_payment', doneAt: null })
    expect(await transaction((trx) => findUnallocated(trx, task.paymentId ?? ''))).toBe(9900)
    const url = `/api/admin/subscriptions/${reference}/reopen`
    const reopen = () => app.inject({ method: 'POST', url, headers: owner.headers, payload: { paymentId: task.paymentId } })
    expect((await reopen()).statusCode).toBe(204)
    expect(await subscriptionOf(id)).toMatchObject({ state: 'active', endsAtPeriodEnd: true })
    expect((await grantsOf(id)).length).toBe(1)
    expect((await reopen()).statusCode).toBe(409)
  })

  test('an organization has one subscription to a dataset; two that were paid at once are one, and staff decide about the other', async () => {
    const buyer = await person()
    const product = await makeProduct({ priceCents: 29_900 })
    const given = { userId: buyer.userId, productId: product.id }
    const [one, two] = [await orderSubscription(given), await orderSubscription({ ...given, every: 'year' })]
    for (const { id } of [one, two]) await pressTest(await startTestCheckout(id), 'pay')
    expect((await subscriptionOf(one.subscriptionId)).state).toBe('active')
    expect((await subscriptionOf(two.subscriptionId)).state).toBe('ended')
    expect((await db.selectFrom('billingTasks').select('kind').where('orderId', '=', two.id).execute()).map(({ kind }) => kind)).toEqual([
      'double_subscription',
    ])
    await expect(orderSubscription({ ...given, every: 'quarter' })).rejects.toMatchObject({ extra: { code: 'subscription_running' } })
  })

  test('a renewal of another amount than asked is booked, buys nothing, and staff are told', async () => {
    const buyer = await person()
    const { id, periodEnd } = await subscribe({ userId: buyer.userId })
    await db.updateTable('subscriptions').set({ amount: 19_900 }).where('id', '=', id).execute()
    expect(await turnClock(id, 'renew')).toMatchObject({ periodEnd })
    expect((await ordersOf(id)).at(-1)).toMatchObject({ state: 'open', gross: 19_900 })
    const refusals = await db.selectFrom('paymentEvents').select('refusal').where('refusal', 'like', '%another amount%').execute()
    expect(refusals.length).toBeGreaterThan(0)
  })

  test('a period ends on the same day of the month, or on its last one', () => {
    const end = (start: string, every: 'month' | 'quarter' | 'year') => endOfPeriod(new Date(start), every).toISOString().slice(0, 10)
    expect([end('2027-01-31', 'month'), end('2027-11-30', 'quarter'), end('2028-02-29', 'year'), end('2027-12-15', 'month')]).toEqual([
      '2027-02-28',
      '2028-02-29',
      '2029-02-28',
      '2028-01-15',
    ])
  })
})

describe('security', () => {
  test('subscriptions of another organization do not exist; readers see none; a customer reopens none', async () => {
    const [buyer, other] = [await person(), await person()]
    const { reference } = await subscribe({ userId: buyer.userId })
    expect((await other.call('GET', '')).json()).toEqual([])
    expect((await other.call('POST', `/${reference}/cancel`, { when: 'now' })).statusCode).toBe(404)
    expect((await other.call('POST', `/${reference}/test-clock`, { turn: 'renew' })).statusCode).toBe(404)
    expect((await app.inject({ method: 'GET', url: '/api/subscriptions' })).statusCode).toBe(401)
    const url = `/api/admin/subscriptions/${reference}/reopen`
    expect((await app.inject({ method: 'POST', url, headers: buyer.headers, payload: { paymentId: 'x' } })).statusCode).toBe(403)
  })
})

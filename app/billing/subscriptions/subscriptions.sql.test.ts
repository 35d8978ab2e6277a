import { beforeEach, describe, expect, test, vi } from 'vitest'
import { EMAIL_JOB, enqueuedEmail } from '#app/mail/outbox.server.ts'
import { renderEmail } from '#app/mail/render.server.tsx'
import { taxModes } from '#app/content/settings/sections.server.ts'
import { db, insert, newId, transaction } from '#app/platform/database/db.server.ts'
import { longDay } from '#app/platform/time/english-date.ts'
import { startEndpoints } from '#test/app.ts'
import { forgetLimits } from '#test/auth.ts'
import { applyWaitingEvents, balancesOf, makeOrder, pressTest, startTestCheckout } from '#test/billing.ts'
import { makeProduct, signIn } from '#test/factories.ts'
import { emailsTo as sentTo } from '#test/emails.ts'
import { berlin, saveBilling } from '#test/invoices.ts'
import { runJob } from '#test/organizations.ts'
import {
  grantsOf,
  makeOffer,
  ordersOf,
  orderSubscription,
  subscribe,
  subscriptionOf,
  syncSubscription,
  turnClock,
} from '#test/subscriptions.ts'
import { startCheckoutFor } from '#app/billing/payments/checkout.server.ts'
import { providerFor } from '#app/billing/payments/providers.server.ts'
import { requestRefund, sendRefund } from '#app/billing/refunds/refund.server.ts'
import { readBooks } from '#app/billing/transfers/books.server.ts'
import { findUnallocated, settlePayment } from '#app/billing/payments/settlement.server.ts'
import { addTestObject, findTestObject } from '#app/billing/payments/test-objects.server.ts'
import { endOfPeriod } from '#app/billing/orders/period.ts'
import { applySubscription } from './apply-subscription.server.ts'
import { totalsOfPeriod } from './renewal-order.server.ts'
import { careForSubscriptions } from './subscription-care.server.ts'
import { PRICE_JOB } from './subscription-jobs.ts'
import { payTestRenewal } from './test-subscription.server.ts'

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
  test('the line of a period has the days of the business, as its invoice', async () => {
    const buyer = await person()
    const subscription = await subscribe({ userId: buyer.userId })
    await saveBilling({ zone: 'Asia/Tokyo' })
    const period = { start: new Date('2026-11-30T16:00:00Z'), end: new Date('2026-12-30T16:00:00Z') }
    const { lines } = await transaction((trx) => totalsOfPeriod(trx, subscription, period))
    expect(lines[0]?.detail).toBe('Dec 1, 2026 to Dec 31, 2026')
    await saveBilling({ zone: 'UTC' })
  })

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
    // Each invoice names the period that it is for, the first one too.
    const invoices = await db
      .selectFrom('invoices')
      .innerJoin('orders', 'orders.id', 'orderId')
      .select('document')
      .where('subscriptionId', '=', begun.id)
      .orderBy('serial')
      .execute()
    const day = (moment: Date | null) => moment?.toISOString().slice(0, 10)
    expect(invoices.map(({ document: { suppliedOn, suppliedUntil } }) => [suppliedOn, suppliedUntil])).toEqual([
      [day(begun.periodStart), day(begun.periodEnd)],
      [day(begun.periodEnd), day(recovered.periodEnd)],
    ])
    const listed = (await app.inject({ url: '/api/orders', headers: buyer.headers })).json()
    expect(listed.items).toMatchObject([
      { period: { start: day(begun.periodEnd), end: day(recovered.periodEnd) } },
      { period: { start: day(begun.periodStart), end: day(begun.periodEnd) } },
    ])

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

  test('cancelled now, by a double click too, it ends at once, here and at the provider, and is told once', async () => {
    const buyer = await person()
    const { id, reference, providerId } = await subscribe({ userId: buyer.userId })
    const clicks = await Promise.all([1, 2].map(() => buyer.call('POST', `/${reference}/cancel`, { when: 'now' })))
    expect(clicks.map(({ statusCode }) => statusCode)).toContain(204)
    expect(await emailsTo(buyer.user.email ?? '')).toEqual(['subscription-ended'])
    expect([(await subscriptionOf(id)).state, await grantsOf(id)]).toEqual(['ended', []])
    expect(await findTestObject('subscription', providerId ?? '')).toMatchObject({ state: 'ended' })
    expect((await buyer.call('POST', `/${reference}/continue`)).statusCode).toBe(409)
  })

  test('a renewal that failed is paid by hand on the page of the provider, which the page of its order leads to; nothing else takes its money, and it is cancelled only with its subscription', async () => {
    const buyer = await person()
    const { id, reference } = await subscribe({ userId: buyer.userId })
    await turnClock(id, 'fail')
    const [listed] = (await buyer.call('GET', '')).json()
    const open = (await ordersOf(id)).at(-1)
    expect(listed.unpaid).toEqual({ order: open?.reference, amount: '$99.00' })
    const page = await startCheckoutFor(open?.id ?? '')
    expect(page).toMatch(/\/pay\/test\/ti_/)
    expect(await startCheckoutFor(open?.id ?? '')).toBe(page)
    const cancel = await app.inject({ method: 'POST', url: `/api/orders/${open?.reference}/cancel`, headers: buyer.headers })
    expect([cancel.statusCode, cancel.json().code]).toEqual([409, 'is_renewal'])
    const entered = { key: crypto.randomUUID(), order: open?.reference, amount: 9900, paidOn: '2026-01-02', note: 'Cheque' }
    const { headers } = await signIn('owner')
    const byStaff = await app.inject({ method: 'POST', url: '/api/admin/billing/payments', headers, payload: entered })
    expect([byStaff.statusCode, byStaff.json().code]).toEqual([409, 'is_renewal'])
    const transfer = { provider: 'transfer', providerId: crypto.randomUUID(), amount: 9900, currency: 'USD', fee: null } as const
    const wired = { ...transfer, paidAt: new Date(), orderId: open?.id ?? '' }
    expect(await transaction((trx) => settlePayment(trx, wired))).toMatchObject({ isNew: true, unallocated: 9900 })
    expect((await readBooks(db)).payables.map((payable) => payable.reference)).not.toContain(open?.reference)
    for (let click = 0; click < 2; click += 1) await payTestRenewal(page.split('/').at(-1) ?? '')
    await applyWaitingEvents()
    expect(await subscriptionOf(id)).toMatchObject({ state: 'active', graceUntil: null })
    expect((await ordersOf(id)).map(({ state }) => state)).toEqual(['paid', 'paid'])
    expect((await buyer.call('GET', '')).json()[0].unpaid).toBeNull()

    await turnClock(id, 'fail')
    // In the grace period the paid one is over: a retry must not charge the next one.
    expect((await buyer.call('POST', `/${reference}/cancel`, { when: 'periodEnd' })).statusCode).toBe(204)
    expect(await subscriptionOf(id)).toMatchObject({ state: 'ended', endReason: 'cancelled' })
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

  test('the first email says when the subscription renews, for how much, and how it is cancelled; a purchase has nothing to renew', async () => {
    const buyer = await person()
    const { periodEnd } = await subscribe({ userId: buyer.userId, every: 'quarter', amount: 24_900 })
    const paid = (await sentTo(buyer.user.email ?? '')).find(({ kind }) => kind === 'order-paid')
    const day = longDay(periodEnd ?? new Date(0))
    expect(paid?.data.renewal).toEqual({ day, amount: '$249.00', every: 'quarter' })
    const { text } = await renderEmail('order-paid', JSON.stringify(paid?.data))
    const read = text.replaceAll(/\s+/g, ' ')
    expect(read).toContain(`Your subscription renews on ${day} for $249.00, and then every quarter until you cancel.`)
    expect(read).toContain('You can cancel at any time under Billing')
    expect(read).toContain('/account/billing#subscriptions')

    const once = await person()
    await pressTest(await startTestCheckout((await makeOrder({ userId: once.userId })).id), 'pay')
    const bought = (await sentTo(once.user.email ?? '')).find(({ kind }) => kind === 'order-paid')
    expect(bought?.data).not.toHaveProperty('renewal')
  })

  test('a discount applies to the first period only; the provider immediately gets the full price of the next one', async () => {
    const buyer = await person()
    const { id } = await subscribe({ userId: buyer.userId, discount: 2000 })
    const paid = (await sentTo(buyer.user.email ?? '')).find(({ kind }) => kind === 'order-paid')
    expect(paid?.data).toMatchObject({ total: '$79.00', renewal: { amount: '$99.00' } })
    await syncSubscription(id)
    const asked = await db.selectFrom('jobs').select('payload').where('dedupeKey', '=', `subscriptions.price:${id}:first`).execute()
    for (const { payload } of asked) await runJob('subscriptions.price', payload)
    await turnClock(id, 'renew')
    expect((await ordersOf(id)).map(({ gross, state }) => [gross, state])).toEqual([
      [7900, 'paid'],
      [9900, 'paid'],
    ])
  })

  test('a payment counts where the tax of the next period is not known yet: the email has its price before tax', async () => {
    const buyer = await person()
    await saveBilling(berlin)
    const { state } = await subscribe({ userId: buyer.userId })
    await saveBilling({ mode: taxModes.none, zone: 'UTC' })
    expect(state).toBe('active')
    const paid = (await sentTo(buyer.user.email ?? '')).find(({ kind }) => kind === 'order-paid')
    expect(paid?.data.renewal).toMatchObject({ amount: '$99.00 before tax' })
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
    expect(listed.plans).toMatchObject([{ offerId: year.id, every: 'year', now: expect.stringMatching(/^\$8\d\d\.\d\d$/) }])
    expect(listed.plans[0].begins).toBe(`Starts now for ${listed.plans[0].now}: the rest of your current period is deducted.`)
    // The words say whether the tax is in the amount, or comes on top of it.
    await saveBilling(berlin)
    await db.updateTable('organizations').set({ countryCode: 'DE', kind: 'business' }).where('id', '=', buyer.userId).execute()
    const [taxed] = (await buyer.call('GET', '')).json()
    expect(taxed.plans[0].begins).toMatch(/^Starts now for \$1,0\d\d\.\d\d with tax: the rest/)
    await db.updateTable('subscriptions').set({ taxBy: 'provider' }).where('id', '=', id).execute()
    const [added] = (await buyer.call('GET', '')).json()
    expect(added.plans[0].begins).toBe(`Starts now for ${listed.plans[0].now} plus tax: the rest of your current period is deducted.`)
    await db.updateTable('subscriptions').set({ taxBy: 'table' }).where('id', '=', id).execute()
    await saveBilling({ mode: taxModes.none, zone: 'UTC' })
    const quarter = await makeOffer(product.id, 'quarter', 49_000)
    const replaced = (await buyer.call('POST', `/${reference}/plan`, { offerId: quarter.id })).json()
    const { url } = (await buyer.call('POST', `/${reference}/plan`, { offerId: year.id })).json()
    // A second click pays the same; the page of the other plan takes nothing any more.
    expect((await buyer.call('POST', `/${reference}/plan`, { offerId: year.id })).json().url).toBe(url)
    await pressTest(new URL(replaced.url).pathname.split('/').at(-1) ?? '', 'pay')
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
    expect((await buyer.call('GET', '')).json()[0].nextPlan).toBe('$99.00 monthly')
  })
})

test('an upgrade ends a new price that was announced for the plan before it, and keeps the price for which it was ordered', async () => {
  const buyer = await person()
  const { id, reference, offerId, productId, providerId } = await subscribe({ userId: buyer.userId })
  await db
    .updateTable('productOffers')
    .set({ nextAmount: 12_900, nextAmountFrom: new Date(Date.now() + DAY_MS) })
    .where('id', '=', offerId)
    .execute()
  await careForSubscriptions()
  expect(await subscriptionOf(id)).toMatchObject({ nextAmount: 12_900 })
  const year = await makeOffer(productId, 'year', 99_000)
  const { url } = (await buyer.call('POST', `/${reference}/plan`, { offerId: year.id })).json()
  await db.updateTable('productOffers').set({ amount: 109_000 }).where('id', '=', year.id).execute()
  await pressTest(new URL(url).pathname.split('/').at(-1) ?? '', 'pay')
  const upgraded = await subscriptionOf(id)
  expect(upgraded).toMatchObject({ offerId: year.id, amount: 99_000, nextAmount: null, nextAmountFrom: null })
  await careForSubscriptions(daysAfter(upgraded.periodEnd, -6))
  expect(await findTestObject('subscription', providerId ?? '')).toMatchObject({ amount: 99_000, every: 'year' })
})

test('a plan that is chosen, left and chosen again within a day is told to the provider each time, under a key of its own', async () => {
  const buyer = await person()
  const { id, reference, productId } = await subscribe({ userId: buyer.userId, every: 'year', amount: 99_000 })
  const [month, quarter] = [await makeOffer(productId, 'month', 9900), await makeOffer(productId, 'quarter', 19_900)]
  const keys = vi.spyOn(providerFor(), 'changePrice')
  for (const offer of [month, quarter, month]) {
    expect((await buyer.call('POST', `/${reference}/plan`, { offerId: offer.id })).json()).toEqual({ url: null })
    await runJob(PRICE_JOB, { id })
  }
  expect(new Set(keys.mock.calls.map(([, , key]) => key)).size).toBe(3)
  const { amount, offerId } = await subscriptionOf(id)
  expect([amount, offerId]).toEqual([9900, month.id])
})

test('an upgrade takes off the rest of what was paid for the period: not the full price of a discounted one, nor the price of the plan that follows', async () => {
  const buyer = await person()
  const product = await makeProduct({ priceCents: 29_900 })
  const planOf = async (userId: typeof buyer, offerId: string) => {
    const [listed] = (await userId.call('GET', '')).json()
    return listed.plans.find((plan: { offerId: string }) => plan.offerId === offerId)?.now
  }
  await subscribe({ userId: buyer.userId, productId: product.id, discount: 9000 })
  const year = await makeOffer(product.id, 'year', 99_000)
  expect(await planOf(buyer, year.id)).toMatch(/^\$98[1-9]\.\d\d$/)

  const other = await person()
  const large = await makeProduct({ priceCents: 29_900 })
  const { id, reference, offerId } = await subscribe({ userId: other.userId, productId: large.id, every: 'year', amount: 99_000 })
  const month = await makeOffer(large.id, 'month', 9900)
  expect((await other.call('POST', `/${reference}/plan`, { offerId: month.id })).json()).toEqual({ url: null })
  await runJob('subscriptions.price', { id })
  expect(await subscriptionOf(id)).toMatchObject({ offerId: month.id, amount: 9900 })
  expect(await planOf(other, offerId)).toMatch(/^\$[0-5]\.\d\d$/)
})

test('an upgrade takes off nothing for the part of the period that was refunded', async () => {
  const buyer = await person()
  const product = await makeProduct({ priceCents: 29_900 })
  const { id } = await subscribe({ userId: buyer.userId, productId: product.id })
  await makeOffer(product.id, 'year', 99_000)
  const [order] = await ordersOf(id)
  const { paymentId } = await db
    .selectFrom('paymentAllocations')
    .select('paymentId')
    .where('orderId', '=', order?.id ?? '')
    .executeTakeFirstOrThrow()
  const refund = await requestRefund({ paymentId, orderId: order?.id ?? '', amount: 8900, reason: 'An outage' }, buyer.user, false)
  await sendRefund(refund.id)
  await applyWaitingEvents()
  const [listed] = (await buyer.call('GET', '')).json()
  // Of $99.00, $10.00 is left.
  expect(listed.plans[0].now).toMatch(/^\$9(80|81)\.\d\d$/)
})

test('staff add a price, also in another currency, announce another one to whoever has it, and stop offering it', async () => {
  const [staff, buyer] = [await signIn('staff'), await person()]
  const product = await makeProduct({ priceCents: 29_900 })
  const offers = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path = '', payload?: object) =>
    app.inject({
      method,
      url: `/api/data-products/${product.id}/offers${path}`,
      headers: staff.headers,
      ...(payload && { payload }),
    })
  const yearly = { charged: 'year', currency: 'USD', amount: 99_000, includes: 'feed' }
  for (const wrong of [{ amount: 0 }, { currency: 'XTS' }, { includes: 'version' }, { charged: 'once' }])
    expect((await offers('POST', '', { ...yearly, ...wrong })).statusCode).toBe(422)
  expect((await offers('POST', '', yearly)).statusCode).toBe(204)
  expect((await offers('POST', '', { ...yearly, amount: 98_000 })).statusCode).toBe(409)
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

  // One-time, in another currency. The one of the site is the price of the product.
  const euros = { charged: 'once', currency: 'EUR', amount: 27_900, includes: 'version' }
  expect((await offers('POST', '', { ...euros, currency: 'USD' })).json().errors.currency).toContain('Change it in its details')
  expect((await offers('POST', '', euros)).statusCode).toBe(204)
  const { offers: shown } = (await app.inject({ url: `/api/data-products/${product.slug}`, headers: buyer.headers })).json()
  expect(shown).toContainEqual({ id: expect.any(String), ...euros })
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
    const dispute = { kind: 'dispute', about: newId(), title: 'Disputed', paymentId: task.paymentId } as const
    const { id: disputeId } = await insert(db, 'billingTasks', dispute)
    expect((await reopen()).statusCode).toBe(204)
    // It decides the late payment, not what else there is about it.
    const open = db.selectFrom('billingTasks').select('id').where('paymentId', '=', task.paymentId).where('doneAt', 'is', null)
    expect(await open.execute()).toEqual([{ id: disputeId }])
    expect(await subscriptionOf(id)).toMatchObject({ state: 'active', endsAtPeriodEnd: true })
    expect((await grantsOf(id)).length).toBe(1)
    expect((await reopen()).statusCode).toBe(409)
    // Nor is it refunded any more: it pays for that time.
    const refund = (amount: number, paymentId: string) =>
      app.inject({
        method: 'POST',
        url: `/api/admin/billing/payments/${paymentId}/refunds`,
        headers: owner.headers,
        payload: { amount, reason: 'Too late' },
      })
    expect((await refund(9900, task.paymentId ?? '')).statusCode).toBe(409)
  })

  test('the late payment of an ended subscription is refunded by staff, whole, and once', async () => {
    const [buyer, owner] = [await person(), await signIn('owner')]
    const { id, reference } = await subscribe({ userId: buyer.userId })
    await turnClock(id, 'fail')
    await buyer.call('POST', `/${reference}/cancel`, { when: 'now' })
    await turnClock(id, 'recover')
    const { paymentId } = await db.selectFrom('billingTasks').select('paymentId').where('subscriptionId', '=', id).executeTakeFirstOrThrow()
    const url = `/api/admin/billing/payments/${paymentId}/refunds`
    const refund = () => app.inject({ method: 'POST', url, headers: owner.headers, payload: { amount: 9900, reason: 'Too late' } })
    const first = await refund()
    expect([first.statusCode, (await refund()).statusCode]).toEqual([201, 409])
    await sendRefund(first.json().id)
    await applyWaitingEvents()
    expect(await transaction((trx) => findUnallocated(trx, paymentId ?? ''))).toBe(0)
    expect(await grantsOf(id)).toEqual([])
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
  test('an object of another account, or a second one with our id, changes no subscription', async () => {
    const own = await subscribe({ userId: (await person()).userId })
    const provider = providerFor()
    const there = await findTestObject('subscription', own.providerId ?? '')
    if (!there) throw new Error('There is no subscription at the provider.')
    const foreign = await addTestObject(db, 'subscription', { ...there, subscriptionId: 'sub-of-another-shop', state: 'ended' })
    const second = await addTestObject(db, 'subscription', { ...there, state: 'ended' })
    for (const id of [foreign, second]) expect(await applySubscription(provider, id)).toContain('not one of this installation')
    expect(await subscriptionOf(own.id)).toEqual(own)
  })

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

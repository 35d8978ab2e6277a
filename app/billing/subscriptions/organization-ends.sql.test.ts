import { beforeAll, describe, expect, test } from 'vitest'
import { findTestObject } from '#app/billing/payments/test-objects.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { makeOrder, pressTest, startTestCheckout } from '#test/billing.ts'
import { makeProduct, signIn, type SignedIn } from '#test/factories.ts'
import { saveBilling } from '#test/invoices.ts'
import { codeOf, join, organizationsOf, runJob } from '#test/organizations.ts'
import { grantsOf, ordersOf, subscribe, subscriptionOf, turnClock } from '#test/subscriptions.ts'
import { CANCEL_JOB } from './subscription-jobs.ts'

const app = await startEndpoints()
const { call, found } = organizationsOf(app)
beforeAll(async () => saveBilling())

const company = async (name: string) => {
  const founder = await signIn()
  const { id, reference } = await found(founder, { name })
  await db
    .updateTable('organizations')
    .set({ legalName: `${name} Ltd`, countryCode: 'GB', address: '1 High Street' })
    .where('id', '=', id)
    .execute()
  return { founder, id, reference: reference ?? '' }
}
const cancelJobs = async (id: string) => {
  const jobs = await db.selectFrom('jobs').select('payload').where('kind', '=', CANCEL_JOB).execute()
  return jobs.filter(({ payload }) => JSON.stringify(payload).includes(id))
}

describe('closing', () => {
  test('an organization that closes has no subscription and no open renewal any more; a job tells the provider', async () => {
    const { founder, id: organizationId } = await company('Closing')
    const { id, providerId } = await subscribe({ userId: founder.user.id, organizationId })
    await turnClock(id, 'fail')
    expect((await call(founder, 'DELETE', `/api/organizations/${organizationId}`)).statusCode).toBe(204)
    expect([await subscriptionOf(id), await grantsOf(id)]).toMatchObject([{ state: 'ended', endReason: 'closed' }, []])
    expect((await ordersOf(id)).map(({ state }) => state)).toEqual(['paid', 'cancelled'])
    expect(await findTestObject('subscription', providerId ?? '')).toMatchObject({ state: 'pastDue' })
    expect(await cancelJobs(id)).toHaveLength(1)
    for (let run = 0; run < 2; run += 1) await runJob(CANCEL_JOB, { id })
    expect(await findTestObject('subscription', providerId ?? '')).toMatchObject({ state: 'ended' })
  })
})

describe('merging', () => {
  const staff = signIn('staff')
  const merge = async (id: string, into: string) =>
    call(await staff, 'POST', `/api/admin/organizations/${id}/merge`, { into, addsQuota: false })
  const undo = async (into: string) => {
    const [newest] = (await call(await staff, 'GET', `/api/admin/organizations/${into}`)).json().merges
    return call(await staff, 'POST', `/api/admin/organization-merges/${newest.id}/undo`)
  }
  const seenBy = async (who: SignedIn, organizationId: string) => {
    const [orders, invoices, subscriptions] = [
      await call(who, 'GET', '/api/orders', undefined, organizationId),
      await call(who, 'GET', `/api/organizations/${organizationId}/invoices`),
      await call(who, 'GET', '/api/subscriptions', undefined, organizationId),
    ].map((reply) => reply.json())
    return { orders: orders.items.length, invoices: invoices.length, subscriptions: subscriptions.length }
  }
  const invoicesIn = async (organizationId: string) =>
    db.selectFrom('invoices').select(['id', 'document']).where('organizationId', '=', organizationId).orderBy('createdAt').execute()

  test('orders, subscriptions and payments follow; issued invoices keep whom they name and are found by the people; the next period is issued to the one that stays; the undo takes it back', async () => {
    const [from, into] = [await company('Smaller'), await company('Larger')]
    const buyer = await join(from.id, 'buyer')
    const subscription = await subscribe({ userId: buyer.user.id, organizationId: from.id })
    const owed = await makeOrder({ userId: buyer.user.id, organizationId: from.id, method: 'invoice' })
    const own = { orders: 2, invoices: 2, subscriptions: 1 }
    expect(await seenBy(buyer, from.id)).toEqual(own)
    const issued = await invoicesIn(from.id)

    expect((await merge(from.id, into.reference)).statusCode).toBe(200)
    for (const who of [buyer, from.founder, into.founder]) expect(await seenBy(who, into.id)).toEqual(own)
    expect(await invoicesIn(from.id)).toEqual(issued)
    expect(issued[0]?.document.buyer.name).toBe('Smaller Ltd')
    const pdf = await call(buyer, 'GET', `/api/invoices/${issued[0]?.id}/pdf`)
    // It exists for them; its file is still being made.
    expect([200, 503]).toContain(pdf.statusCode)
    await turnClock(subscription.id, 'renew')
    const renewed = await invoicesIn(into.id)
    expect(renewed.map(({ document }) => document.buyer.name)).toEqual(['Larger Ltd'])

    expect((await undo(into.id)).statusCode).toBe(204)
    expect(await seenBy(buyer, from.id)).toEqual(own)
    expect(await seenBy(into.founder, into.id)).toEqual({ orders: 1, invoices: 1, subscriptions: 0 })
    expect(await db.selectFrom('orders').select('organizationId').where('id', '=', owed.id).execute()).toEqual([
      { organizationId: from.id },
    ])
    expect(await turnClock(subscription.id, 'renew')).toMatchObject({ state: 'active', organizationId: from.id })
  })

  test('two that subscribe to one dataset are not merged before one of the subscriptions ends', async () => {
    const [from, into] = [await company('First'), await company('Second')]
    const { id: productId } = await makeProduct({ priceCents: 29_900 })
    const { reference } = await subscribe({ userId: from.founder.user.id, organizationId: from.id, productId })
    const other = await subscribe({ userId: into.founder.user.id, organizationId: into.id, productId, every: 'year' })
    const refused = await merge(from.id, into.reference)
    expect([refused.statusCode, codeOf(refused)]).toEqual([409, 'double_subscription'])
    // The sentence names both companies and the way out.
    expect(refused.json().detail).toMatch(
      new RegExp(
        `First \\(${reference}\\) and Second \\(${other.reference}\\)\\. First a buyer or admin of one of them cancels its subscription now`,
      ),
    )
    await call(from.founder, 'POST', `/api/subscriptions/${reference}/cancel`, { when: 'now' }, from.id)
    expect((await merge(from.id, into.reference)).statusCode).toBe(200)
  })

  test('a person who joins a company keeps their own orders, and a running subscription is asked about', async () => {
    const { id, reference } = await company('Employer')
    const person = await signIn()
    const order = await makeOrder({ userId: person.user.id })
    await pressTest(await startTestCheckout(order.id), 'pay')
    const subscription = await subscribe({ userId: person.user.id })
    expect(codeOf(await merge(person.user.id, reference))).toBe('subscription_running')
    await call(person, 'POST', `/api/subscriptions/${subscription.reference}/cancel`, { when: 'now' })
    expect((await merge(person.user.id, reference)).statusCode).toBe(200)
    expect((await call(person, 'GET', '/api/orders', undefined, id)).json().items).toEqual([])
    expect((await call(person, 'GET', '/api/orders')).json().items).toHaveLength(2)
  })
})

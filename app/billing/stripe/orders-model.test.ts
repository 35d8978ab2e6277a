import { afterAll, expect, test } from 'vitest'
import { byLength } from '#test/length.ts'
import { useSettings } from '#test/settings.ts'
import { StripeDouble } from '#test/stripe.ts'

const double = new StripeDouble()
await double.start()
afterAll(() => double.stop())
useSettings({ DATA_DIR: process.env['DATA_DIR'] ?? '', SITE_URL: 'http://localhost:3000', ...double.settings() })
// Only now: the settings are read once.
const { startEndpoints } = await import('#test/app.ts')
const { signIn } = await import('#test/factories.ts')
const { runModel } = await import('#test/billing-model.ts')
const { makeCompany, saveBilling } = await import('#test/invoices.ts')
const { runJob } = await import('#test/organizations.ts')
const { orderSubscription, subscriptionOf } = await import('#test/subscriptions.ts')
const { startCheckoutFor } = await import('#app/billing/payments/checkout.server.ts')
const { refreshCheckout } = await import('#app/billing/payments/apply-checkout.server.ts')
const { takeEvent } = await import('#app/billing/payments/events.server.ts')
const { providerFor } = await import('#app/billing/payments/providers.server.ts')
const { reconcile } = await import('#app/billing/refunds/reconciliation.server.ts')
const { applyWaitingEvents, makeOrder } = await import('#test/billing.ts')
const { closeOrganization } = await import('#app/organizations/organization/organization.server.ts')
// Its connection begins with the endpoints.
const database = await import('#app/platform/database/db.server.ts')
await startEndpoints()

test(
  'random orders: events come twice, shuffled and late, with refunds, disputes and renewals; the ledger is what happened, to the cent',
  { timeout: 3_600_000 },
  async () => {
    const { user } = await signIn()
    const seed = Number(process.env['SEED'] ?? 41)
    const report = await runModel(double, { orders: byLength(12, 10_000), seed, userId: user.id })
    expect(report.events).toBeGreaterThan(report.orders)
    const wrong = { cash: 0, access: 0, unbalanced: 0, lost: 0, credits: 0 }
    expect(report).toMatchObject({ accepted: 0, outside: 0, wrong })
  },
)

/** Pays the checkout of an order at Stripe, which has not told us yet. Returns the id of its session there. */
async function payCheckout(orderId: string): Promise<string> {
  await startCheckoutFor(orderId)
  const checkouts = database.db.selectFrom('checkouts').select('providerId').where('orderId', '=', orderId)
  const session = (await checkouts.executeTakeFirstOrThrow()).providerId ?? ''
  double.completeCheckout(session)
  return session
}

test('a subscription of which we learn after Stripe has renewed it keeps the period of its first order, and the renewal has the next', async () => {
  await saveBilling()
  const { user } = await signIn()
  const order = await orderSubscription({ userId: user.id, every: 'month' })
  const checkout = await payCheckout(order.id)
  const { subscription } = double.get(checkout)
  if (typeof subscription !== 'string') throw new Error('Stripe has no subscription.')
  double.renew(subscription, 'paid')
  await refreshCheckout(order.id)
  await runJob('subscriptions.sync', { id: order.subscriptionId ?? '' })
  for (const event of double.events.splice(0)) {
    const { body, headers } = double.sign(event)
    await takeEvent('stripe', Buffer.from(body), headers)
  }
  await applyWaitingEvents()
  const orders = await database.db
    .selectFrom('orders')
    .select(['kind', 'periodStart', 'periodEnd'])
    .where('subscriptionId', '=', order.subscriptionId)
    .orderBy('createdAt')
    .execute()
  const days = orders.map(({ periodStart, periodEnd }) => ((periodEnd?.getTime() ?? 0) - (periodStart?.getTime() ?? 0)) / 86_400_000)
  expect(orders.map(({ kind }) => kind)).toEqual(['dataset', 'renewal'])
  for (const length of days) expect([28, 29, 30, 31]).toContain(Math.round(length))
  const [first, second] = orders.map(({ periodStart }) => periodStart?.getTime() ?? 0)
  expect(((second ?? 0) - (first ?? 0)) / 86_400_000).toBeGreaterThan(27)
})

test('an organization closes while Stripe is down: its subscription ends here at once, and there once, as soon as Stripe answers', async () => {
  const { user } = await signIn()
  const company = await makeCompany()
  const order = await orderSubscription({ userId: user.id, organizationId: company.id })
  await payCheckout(order.id)
  await refreshCheckout(order.id)
  const id = order.subscriptionId ?? ''
  await runJob('subscriptions.sync', { id })
  const there = (await subscriptionOf(id)).providerId ?? ''
  const isCancel = ({ method, path }: (typeof double.calls)[number]) => method === 'DELETE' && path === `subscriptions/${there}`

  double.outages = 1000
  await closeOrganization(company.id, {})
  expect(await subscriptionOf(id)).toMatchObject({ state: 'ended', endReason: 'closed' })
  await expect(runJob('subscriptions.cancel', { id })).rejects.toThrow('Try again.')
  expect(double.get(there)).toMatchObject({ status: 'active' })
  double.outages = 0
  for (let run = 0; run < 3; run += 1) await runJob('subscriptions.cancel', { id })
  expect(double.get(there)).toMatchObject({ status: 'canceled' })
  expect(double.calls.filter(isCancel)).toHaveLength(1)
})

test('a payout is the sum of what the ledger has; one with money that is not ours, and one that the bank sends back, are tasks with both sides', async () => {
  const { user } = await signIn()
  const provider = providerFor()
  const tasks = async () => {
    await reconcile(provider, new Date(Date.now() + 25 * 3_600_000))
    return database.db
      .selectFrom('billingTasks')
      .select(['title', 'ours', 'theirs'])
      .where('about', 'like', '%:payout:%')
      .orderBy('createdAt')
      .execute()
  }
  const pay = async (id: string) => {
    await startCheckoutFor(id)
    const { providerId } = await database.db
      .selectFrom('checkouts')
      .select('providerId')
      .where('orderId', '=', id)
      .executeTakeFirstOrThrow()
    double.completeCheckout(providerId ?? '')
    await refreshCheckout(id)
  }
  await pay((await makeOrder({ userId: user.id, amount: 14_900 })).id)
  const first = double.payOut('usd')
  expect(await tasks()).toEqual([])

  await pay((await makeOrder({ userId: user.id, amount: 14_900 })).id)
  const foreign = {
    checkoutId: 'x',
    orderId: 'x',
    title: 'Another shop',
    amount: 5000,
    currency: 'USD',
    email: 'a@b.example',
    customer: null,
  }
  const urls = { returnUrl: 'https://shop.example', cancelUrl: 'https://shop.example', expiresAt: new Date(Date.now() + 3_600_000) }
  const { id } = await provider.startCheckout({ ...foreign, ...urls }, 'foreign')
  double.completeCheckout(id)
  const second = double.payOut('usd')
  double.failPayout(first)
  for (let run = 0; run < 2; run += 1) await tasks()
  const paymentId = (await provider.read('checkout', id))?.paymentId
  expect(await tasks()).toEqual(
    expect.arrayContaining([
      {
        title: `The payout ${second} is not the sum of what the ledger has`,
        ours: `Ledger: $146.51, without ${paymentId}`,
        theirs: 'Provider: $195.51',
      },
      {
        title: `The payout ${first} did not arrive at your bank`,
        ours: expect.stringContaining('Ledger: the money is at the payment provider'),
        theirs: expect.stringContaining('The bank account has been closed.'),
      },
    ]),
  )
  expect(await tasks()).toHaveLength(2)
})

import { addTestObject, changeTestObject, findTestObject, testId, type TestObjects } from '#app/billing/payments/test-objects.server.ts'
import { findProvider } from '#app/billing/payments/providers.server.ts'
import { testTax } from '#app/billing/payments/test-tax.server.ts'
import { changeAndTell } from '#app/billing/payments/test-provider.server.ts'
import { shareOf } from '#app/billing/orders/totals.ts'
import { billing } from '#app/content/billing.server.ts'
import { db, type Trx } from '#app/platform/database/db.server.ts'
import { condition } from '#app/platform/database/sql.server.ts'
import { env } from '#app/platform/env.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { applyPeriod, applySubscription } from './apply-subscription.server.ts'
import { endOfPeriod } from '#app/billing/orders/period.ts'
import type { TestTurn } from './subscription.ts'

const DECLINED = 'The card was declined.'
/** As the checkout of the test provider takes. */
const feeOf = (amount: number) => shareOf(amount, 290, 4) + 30

type Period = TestObjects['period']

/** Turns the test provider’s clock: the next period begins and is paid, fails or needs confirmation; or a failed one is paid. */
export async function turnTestClock(id: string, turn: TestTurn): Promise<void> {
  await changeAndTell(async (trx) => {
    const found = (await findTestObject('subscription', id, trx)) ?? stop('notFound', 'There is no such test subscription.')
    const open = await findOpenPeriod(trx, id)
    if (turn === 'recover') {
      if (!open) stop('conflict', 'No renewal of this subscription is unpaid.', { code: 'nothing_open' })
      return payPeriod(trx, open, found)
    }
    if (found.state === 'ended') stop('conflict', 'This subscription has ended.', { code: 'subscription_ended' })
    if (open) stop('conflict', 'The last renewal is still unpaid. Recover it first.', { code: 'period_open' })
    if (found.endsAtPeriodEnd) return endThere(trx, id, found)
    return beginPeriod(trx, { ...found, id }, turn)
  })
}

/** A renewal on the page of the test provider. */
export async function findTestRenewal(id: string) {
  const period = await findTestObject('period', id)
  const subscription = period && (await findTestObject('subscription', period.subscriptionId))
  const product = await db
    .selectFrom('subscriptions')
    .innerJoin('dataProducts', 'dataProducts.id', 'subscriptions.productId')
    .select('dataProducts.name')
    .where('subscriptions.providerId', '=', period?.subscriptionId ?? '')
    .executeTakeFirst()
  return period && subscription && product && { ...period, title: product.name, every: subscription.every }
}

/** Pays an open renewal on that page. A second click does nothing. */
export async function payTestRenewal(id: string): Promise<void> {
  const found = await findTestObject('period', id)
  if (!found) stop('notFound', 'There is no such test payment.')
  const { subscriptionId } = found
  await changeAndTell(async (trx) => {
    const subscription = await findTestObject('subscription', subscriptionId, trx)
    const open = await findOpenPeriod(trx, subscriptionId)
    return subscription && open?.id === id ? payPeriod(trx, open, subscription) : []
  })
  await applyTestSubscription(subscriptionId)
}

/** The job of the events does the same, a moment later than the person looks. */
export async function applyTestSubscription(id: string): Promise<void> {
  const provider = findProvider('test')
  const period = await findNewestPeriod(id)
  if (provider && period) await applyPeriod(provider, period)
  if (provider) await applySubscription(provider, id)
}

async function findOpenPeriod(trx: Trx, subscriptionId: string): Promise<(Period & { id: string }) | undefined> {
  const open = await trx
    .selectFrom('testPaymentObjects')
    .select('id')
    .where('kind', '=', 'period')
    .where(condition`body->>'subscriptionId' = ${subscriptionId} AND body->>'state' = 'open'`)
    .executeTakeFirst()
  const period = open && (await findTestObject('period', open.id, trx))
  return period && { ...period, id: open.id }
}

async function endThere(trx: Trx, id: string, found: TestObjects['subscription']) {
  await changeTestObject(trx, 'subscription', id, { ...found, state: 'ended' })
  return [{ kind: 'subscription.ended', objectKind: 'subscription' as const, objectId: id }]
}

async function beginPeriod(trx: Trx, { id, ...found }: TestObjects['subscription'] & { id: string }, turn: Exclude<TestTurn, 'recover'>) {
  const [start, end] = [found.periodEnd, endOfPeriod(found.periodEnd, found.every)]
  const periodId = testId('period')
  const actionUrl = turn === 'confirm' ? `${env.SITE_URL}/account/billing#subscriptions` : null
  const tax = found.taxed && testTax(found.amount, found.taxed, billing.country)
  const facts = { subscriptionId: id, amount: found.amount + (tax?.tax ?? 0), tax, currency: found.currency, start, end, actionUrl }
  const period = { ...facts, state: 'open' as const, paymentId: null, failure: turn === 'fail' ? DECLINED : '' }
  await addTestObject(trx, 'period', period, periodId)
  await changeTestObject(trx, 'subscription', id, {
    ...found,
    state: turn === 'renew' ? 'active' : 'pastDue',
    periodStart: start,
    periodEnd: end,
  })
  const told = [{ kind: 'subscription.updated', objectKind: 'subscription' as const, objectId: id }]
  if (turn === 'renew')
    return [...(await payPeriod(trx, { ...period, id: periodId }, { ...found, periodStart: start, periodEnd: end })), ...told]
  return [{ kind: `period.${turn}`, objectKind: 'period' as const, objectId: periodId }, ...told]
}

/** Also long after the subscription has ended: banks are slow. */
async function payPeriod(trx: Trx, { id, ...period }: Period & { id: string }, subscription: TestObjects['subscription']) {
  const { amount, currency } = period
  const facts = { amount, currency, fee: feeOf(amount), failure: '', checkoutId: null, periodId: id }
  const paymentId = await addTestObject(trx, 'payment', { ...facts, state: 'succeeded', paidAt: new Date() })
  await changeTestObject(trx, 'period', id, { ...period, state: 'paid', paymentId, actionUrl: null, failure: '' })
  const isOver = subscription.state === 'ended'
  if (!isOver) await changeTestObject(trx, 'subscription', period.subscriptionId, { ...subscription, state: 'active' })
  return [{ kind: 'period.paid', objectKind: 'period' as const, objectId: id }]
}

async function findNewestPeriod(subscriptionId: string): Promise<string | undefined> {
  const found = await db
    .selectFrom('testPaymentObjects')
    .select('id')
    .where('kind', '=', 'period')
    .where(condition`body->>'subscriptionId' = ${subscriptionId}`)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst()
  return found?.id
}

/** The id at the test provider of one of our subscriptions. */
export async function findTestSubscription(id: string): Promise<string> {
  const found = await db.selectFrom('subscriptions').select(['provider', 'providerId']).where('id', '=', id).executeTakeFirst()
  if (found?.provider !== 'test' || !found.providerId) stop('notFound', 'This is not a test subscription.')
  return found.providerId
}

import { z } from 'zod'
import { shareOf } from '#app/billing/orders/totals.ts'
import { endOfPeriod } from '#app/billing/orders/period.ts'
import { type Trx } from '#app/platform/database/db.server.ts'
import { defineJob, enqueue } from '#app/platform/jobs.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { Interval } from './provider.server.ts'
import type { TestDeed } from './test-deed.ts'
import { addTestObject, changeTestObject, findTestObject, testId, type TestObjects } from './test-objects.server.ts'
import { changeAndTell } from './test-provider.server.ts'

/** As the provider of cards would take: 2.9 % and 30. */
const FEE = { share: 290, fixed: 30 }
const DECLINED = 'The card was declined. Nothing was charged.'
const BOUNCED = 'The bank refused the payment.'
/** Long enough to see that it is pending. */
const DELAY_MS = 10_000

const SETTLE_JOB = 'test-payments.settle'

type Checkout = TestObjects['checkout']

/** Runs a button of the test page. Returns the next address. */
export async function actOnTestCheckout(id: string, deed: TestDeed): Promise<string | undefined> {
  const found = (await findTestObject('checkout', id)) ?? stop('notFound', 'There is no such test payment.')
  if (deed === 'cancel') return found.cancelUrl
  let next: string | undefined
  await changeAndTell(async (trx) => {
    const checkout = (await findTestObject('checkout', id, trx)) ?? stop('notFound', 'There is no such test payment.')
    // A second click, or a second tab: it is paid only once, and declined only before.
    const isOver = checkout.state !== 'open' || new Date(checkout.expiresAt) < new Date()
    next = deed === 'fail' && !isOver ? undefined : checkout.returnUrl
    if (isOver) return []
    if (deed === 'fail') return decline(trx, id, checkout)
    if (deed === 'pay' || deed === 'duplicate') return pay(trx, id, checkout, deed === 'duplicate' ? 3 : 1)
    return delay(trx, id, checkout, deed === 'delay')
  })
  return next
}

async function decline(trx: Trx, id: string, checkout: Checkout) {
  await changeTestObject(trx, 'checkout', id, { ...checkout, failure: DECLINED })
  return [{ kind: 'checkout.declined', objectKind: 'checkout' as const, objectId: id }]
}

async function pay(trx: Trx, id: string, checkout: Checkout, times: number) {
  const paymentId = checkout.paymentId ?? testId('payment')
  const begun = checkout.subscription ? await beginSubscription(trx, checkout, checkout.subscription, paymentId) : undefined
  const body = { ...paymentOf(checkout), state: 'succeeded' as const, paidAt: new Date(), periodId: begun?.periodId ?? null }
  await keepPayment(trx, paymentId, { ...body, fee: shareOf(checkout.amount, FEE.share, 4) + FEE.fixed })
  const subscriptionId = begun?.subscriptionId ?? null
  const changed = { ...checkout, state: 'complete' as const, isPaid: true, paymentId, subscriptionId, failure: '' }
  await changeTestObject(trx, 'checkout', id, changed)
  const subscribed = begun ? [{ kind: 'subscription.created', objectKind: 'subscription' as const, objectId: begun.subscriptionId }] : []
  return [{ kind: 'checkout.completed', objectKind: 'checkout' as const, objectId: id, times }, ...subscribed]
}

async function delay(trx: Trx, id: string, checkout: Checkout, succeeds: boolean) {
  const paymentId = testId('payment')
  await addTestObject(trx, 'payment', paymentOf(checkout), paymentId)
  await changeTestObject(trx, 'checkout', id, { ...checkout, state: 'complete', paymentId, failure: '' })
  await enqueue(trx, { kind: SETTLE_JOB, payload: { id, succeeds }, runAt: new Date(Date.now() + DELAY_MS) })
  return [{ kind: 'checkout.completed', objectKind: 'checkout' as const, objectId: id }]
}

/** The bank has answered. */
export async function settleTestCheckout(id: string, succeeds: boolean): Promise<void> {
  await changeAndTell(async (trx) => {
    const checkout = await findTestObject('checkout', id, trx)
    if (!checkout || checkout.isPaid || !checkout.paymentId) return []
    if (succeeds) return pay(trx, id, checkout, 1)
    await keepPayment(trx, checkout.paymentId, { ...paymentOf(checkout), state: 'failed', failure: BOUNCED })
    return [{ kind: 'checkout.failed', objectKind: 'checkout' as const, objectId: id }]
  })
}

defineJob(SETTLE_JOB, z.object({ id: z.string(), succeeds: z.boolean() }), async ({ id, succeeds }) => settleTestCheckout(id, succeeds))

function paymentOf({ amount, currency, checkoutId }: Checkout): TestObjects['payment'] {
  return { state: 'pending', amount, currency, fee: null, paidAt: null, failure: '', checkoutId, periodId: null }
}

async function keepPayment(trx: Trx, id: string, body: TestObjects['payment']): Promise<void> {
  await addTestObject(trx, 'payment', body, id)
  await changeTestObject(trx, 'payment', id, body)
}

async function beginSubscription(
  trx: Trx,
  { amount, currency, tax, taxed }: Checkout,
  { id: subscriptionId, every }: { id: string; every: Interval },
  paymentId: string,
) {
  const start = new Date()
  const end = endOfPeriod(start, every)
  const facts = {
    amount: amount - (tax?.tax ?? 0),
    currency,
    taxed,
    subscriptionId,
    every,
    state: 'active' as const,
    endsAtPeriodEnd: false,
  }
  const begun = await addTestObject(trx, 'subscription', { ...facts, periodStart: start, periodEnd: end })
  const period = {
    subscriptionId: begun,
    state: 'paid' as const,
    amount,
    currency,
    tax,
    paymentId,
    start,
    end,
    actionUrl: null,
    failure: '',
  }
  return { subscriptionId: begun, periodId: await addTestObject(trx, 'period', period) }
}

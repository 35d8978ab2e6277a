import { timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { db, transaction, type Trx } from '#app/platform/database/db.server.ts'
import { billing } from '#app/content/billing.server.ts'
import { env } from '#app/platform/env.server.ts'
import { mac } from '#app/platform/guard/keys.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { testTax } from './test-tax.server.ts'
import { takeEvent } from './events.server.ts'
import type { BalanceMove, PaymentProvider, ProviderEvent, ProviderObjects } from './provider.server.ts'
import { addProvider } from './providers.server.ts'
import { addTestObject, changeTestObject, findTestObject, listTestObjects, testId, type TestObjects } from './test-objects.server.ts'

/** An event is refused when it is older, or newer, by more. */
const TOLERANCE_MS = 5 * 60_000

/** The page of the test provider on which a checkout is paid. */
export const testPagePath = (id: string) => `/pay/test/${id}`

/** Pays nothing: a provider of our own with its own page, objects and signed events, for an installation on one's own machine. */
const testProvider: PaymentProvider = {
  name: 'test',
  async startCheckout(asked, key) {
    const id = testId('checkout', key)
    const { checkoutId, orderId, title, amount, currency, email, returnUrl, cancelUrl, subscription = null, tax: taxed = null } = asked
    const expiresAt = asked.expiresAt.toISOString()
    const tax = taxed && testTax(amount, taxed, billing.country)
    const money = { amount: amount + (tax?.tax ?? 0), currency, tax, taxed }
    const facts = { ...money, checkoutId, orderId, title, email, returnUrl, cancelUrl, subscription, expiresAt }
    const body = { ...facts, state: 'open' as const, isPaid: false, paymentId: null, subscriptionId: null, failure: '' }
    await addTestObject(db, 'checkout', body, id)
    return { id, url: `${env.SITE_URL}${testPagePath(id)}`, expiresAt: asked.expiresAt }
  },
  quoteTax: async ({ amount, ...taxed }) => testTax(amount, taxed, billing.country),
  async endCheckout(id) {
    await transaction(async (trx) => {
      const found = await findTestObject('checkout', id, trx)
      if (found?.state === 'open') await changeTestObject(trx, 'checkout', id, { ...found, state: 'expired' })
    })
  },
  read: async (kind, id) => readers[kind](id),
  async refund({ paymentId, refundId, amount }, key) {
    const id = testId('refund', key)
    await changeAndTell(async (trx) => {
      const payment = (await findTestObject('payment', paymentId, trx)) ?? stop('notFound', 'There is no such payment.')
      const body = { paymentId, refundId, amount, currency: payment.currency, state: 'succeeded' as const, failure: '' }
      await addTestObject(trx, 'refund', body, id)
      return [{ kind: 'refund.created', objectKind: 'refund', objectId: id }]
    })
    return (await readers.refund(id)) ?? stop('notFound', 'There is no such refund.')
  },
  cancelSubscription: async (id, at) =>
    changeSubscription(id, (found) => (at === 'now' ? { ...found, state: 'ended' } : { ...found, endsAtPeriodEnd: true })),
  continueSubscription: async (id) => changeSubscription(id, (found) => ({ ...found, endsAtPeriodEnd: false })),
  changePrice: async (id, { amount, currency, every }) => changeSubscription(id, (found) => ({ ...found, amount, currency, every })),
  // It keeps no payment method.
  paymentMethodPage: async (_customer, returnUrl) => returnUrl,
  async readEvent(body, { 'test-signature': signature }) {
    const [, seconds = '', given = ''] = /^t=(\d{1,12}),v1=([\da-f]{64})$/.exec(String(signature ?? '')) ?? []
    const isRecent = Math.abs(Date.now() - Number(seconds) * 1000) <= TOLERANCE_MS
    if (!isRecent || !timingSafeEqual(signatureOf(seconds, body), Buffer.from(given.padEnd(64, '0').slice(0, 64), 'hex'))) return undefined
    return toEvent(body.toString())
  },
  async *listEvents(since) {
    for (const { id, ...event } of await listTestObjects('event', since)) {
      const found = toEvent(JSON.stringify({ id, ...event }))
      if (found) yield found
    }
  },
  async *listBalance(since) {
    for (const { id, state, amount, currency, fee, paidAt } of await listTestObjects('payment', since)) {
      if (state === 'succeeded' && paidAt) yield moveOf('payment', id, { amount, currency, fee: fee ?? 0, occurredAt: paidAt })
    }
    for (const { id, state, amount, currency } of await listTestObjects('refund', since)) {
      if (state === 'succeeded') yield moveOf('refund', id, { amount: -amount, currency, fee: 0, occurredAt: new Date() })
    }
    for (const { id, state, amount, currency, fee } of await listTestObjects('dispute', since)) {
      const taken = state === 'open' || state === 'lost' ? -amount : 0
      if (state !== 'inquiry') yield moveOf('dispute', id, { amount: taken, currency, fee, occurredAt: new Date() })
    }
  },
  // No money moves.
  async *listPayouts() {},
}

addProvider(testProvider)

const readers: { [Kind in keyof ProviderObjects]: (id: string) => Promise<ProviderObjects[Kind] | undefined> } = {
  async checkout(id) {
    const found = await findTestObject('checkout', id)
    if (!found) return undefined
    const { state, isPaid, amount, currency, tax, checkoutId, paymentId, subscriptionId, expiresAt } = found
    const isOver = state === 'open' && new Date(expiresAt) < new Date()
    return { id, state: isOver ? 'expired' : state, isPaid, amount, currency, tax, checkoutId, paymentId, subscriptionId, customer: null }
  },
  payment: async (id) => withId(id, await findTestObject('payment', id)),
  refund: async (id) => withId(id, await findTestObject('refund', id)),
  dispute: async (id) => withId(id, await findTestObject('dispute', id)),
  async subscription(id) {
    const found = await findTestObject('subscription', id)
    return found && { ...found, id, customer: null }
  },
  async period(id) {
    const found = await findTestObject('period', id)
    return found && { ...found, id, payUrl: found.state === 'open' ? `${env.SITE_URL}${testPagePath(id)}` : null }
  },
}

function withId<Body>(id: string, body: Body | undefined): (Body & { id: string }) | undefined {
  return body && { ...body, id }
}

function moveOf(
  kind: 'payment' | 'refund' | 'dispute',
  objectId: string,
  move: Omit<BalanceMove, 'id' | 'kind' | 'objectId'>,
): BalanceMove {
  return { id: `tb_${objectId}`, kind, objectId, ...move }
}

async function changeSubscription(id: string, change: (found: TestObjects['subscription']) => TestObjects['subscription']): Promise<void> {
  await changeAndTell(async (trx) => {
    const found = (await findTestObject('subscription', id, trx)) ?? stop('notFound', 'There is no such subscription.')
    await changeTestObject(trx, 'subscription', id, change(found))
    return [{ kind: 'subscription.updated', objectKind: 'subscription', objectId: id }]
  })
}

type Told = { kind: string; objectKind: keyof ProviderObjects; objectId: string; times?: number }

/** Changes objects, and sends an event of each change once it is stored, signed as a real provider would. */
export async function changeAndTell(change: (trx: Trx) => Promise<readonly Told[]>): Promise<void> {
  const events = await transaction(async (trx) => {
    const told = await change(trx)
    const sent: { body: string; times: number }[] = []
    for (const { times = 1, ...given } of told) {
      const event = { ...given, occurredAt: new Date().toISOString() }
      const id = await addTestObject(trx, 'event', event)
      sent.push({ body: JSON.stringify({ id, ...event }), times })
    }
    return sent
  })
  for (const { body, times } of events)
    for (let sent = 0; sent < times; sent += 1) await takeEvent('test', Buffer.from(body), signTestEvent(body))
}

/** The headers of an event, as the test provider sends it. */
export function signTestEvent(body: string, at = new Date()): Record<string, string> {
  const seconds = String(Math.floor(at.getTime() / 1000))
  return { 'test-signature': `t=${seconds},v1=${signatureOf(seconds, Buffer.from(body)).toString('hex')}` }
}

function signatureOf(seconds: string, body: Buffer): Buffer {
  return mac('test-payments', `${seconds}.${body.toString()}`)
}

const sentEvent = z.object({
  id: z.string().max(100),
  kind: z.string().max(100),
  objectKind: z.enum(['checkout', 'payment', 'refund', 'dispute', 'subscription', 'period']),
  objectId: z.string().max(100),
  occurredAt: z.iso.datetime(),
})

function toEvent(body: string): ProviderEvent | undefined {
  const read = sentEvent.safeParse(parsed(body))
  return read.data && { ...read.data, occurredAt: new Date(read.data.occurredAt), body }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

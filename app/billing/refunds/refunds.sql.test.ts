import { createHash } from 'node:crypto'
import { strFromU8, unzipSync } from 'fflate'
import { beforeEach, describe, expect, test } from 'vitest'
import { findOrderRecord } from '#app/billing/admin/order-record.server.ts'
import { findInvoicesOf } from '#app/billing/invoices/invoice.server.ts'
import { findProvider, providerFor } from '#app/billing/payments/providers.server.ts'
import { findFree } from '#app/billing/payments/settlement.server.ts'
import { audit } from '#app/auth/users/audit.server.ts'
import { revoke } from '#app/datasets/access/grant.server.ts'
import { db, insert, newId, transaction } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { forgetLimits, tally } from '#test/auth.ts'
import { applyWaitingEvents, balancesOf, makeOrder, pressTest, startTestCheckout } from '#test/billing.ts'
import { signIn, type SignedIn } from '#test/factories.ts'
import { saveBilling } from '#test/invoices.ts'
import { noticesAbout } from '#test/organizations.ts'
import { grantsOf, makeOffer, subscribe, subscriptionOf, turnClock } from '#test/subscriptions.ts'
import { changePlan } from '#app/billing/subscriptions/subscription.server.ts'
import { applyDispute } from './dispute.server.ts'
import { makeEvidencePack } from './evidence.server.ts'
import { applyMissedEvents, reconcile } from './reconciliation.server.ts'
import { applyRefund, sendRefund } from './refund.server.ts'
import { disputeTestPayment, failTestRefund } from './test-money.server.ts'

const app = await startEndpoints()
const [buyer, staff, other] = [
  await signIn(),
  await signIn('staff', { rights: '["billing.write"]' }),
  await signIn('staff', { rights: '["billing.write"]' }),
]
const reader = await signIn('staff')
beforeEach(forgetLimits)

const HOUR_MS = 3_600_000
const BILLING = '/api/admin/billing'
const post = (path: string, payload: object = {}, who = staff) =>
  app.inject({ method: 'POST', url: `${BILLING}${path}`, headers: who.headers, payload })
const paid = async (amount = 14_900, taxRate = 1900) => {
  const order = await makeOrder({ userId: buyer.user.id, amount, taxRate })
  await pressTest(await startTestCheckout(order.id), 'pay')
  return { ...order, payment: await paymentOf(order.id) }
}
const paymentOf = async (orderId: string) =>
  db
    .selectFrom('payments')
    .innerJoin('paymentAllocations', 'paymentAllocations.paymentId', 'payments.id')
    .selectAll('payments')
    .where('paymentAllocations.orderId', '=', orderId)
    .executeTakeFirstOrThrow()
const live = async (orderId: string) => {
  const grants = db.selectFrom('entitlements').select('suspendedAt').where('orderId', '=', orderId).where('revokedAt', 'is', null)
  return (await grants.execute()).map(({ suspendedAt }) => (suspendedAt ? 'suspended' : 'open'))
}
/** The job of a refund, and the event that comes of it. */
const refund = async ({ id, payment }: Awaited<ReturnType<typeof paid>>, amount: number, who = staff) => {
  const reply = await post(`/payments/${payment.id}/refunds`, { orderId: id, amount, reason: 'Not what was needed' }, who)
  if (reply.statusCode !== 201) return reply
  await sendRefund(reply.json().id)
  await applyWaitingEvents()
  return reply
}
const refundsOf = (orderId: string) => db.selectFrom('refunds').selectAll().where('orderId', '=', orderId).orderBy('createdAt').execute()
const creditsOf = async (orderId: string) =>
  (await findInvoicesOf(orderId)).filter(({ kind }) => kind === 'credit_note').map(({ gross }) => gross)
const documentsOf = async (orderId: string) => {
  const rows = db.selectFrom('invoices').select('document').where('orderId', '=', orderId).orderBy('createdAt').orderBy('serial')
  return (await rows.execute()).map(({ document }) => document)
}
const feeOf = (amount: number) => Math.round((amount * 29) / 1000) + 30

const openTasks = async (orderId: string) =>
  db.selectFrom('billingTasks').selectAll().where('orderId', '=', orderId).where('doneAt', 'is', null).execute()

describe('happy', () => {
  test('a part is refunded and credited, and access stays; with the rest it ends, and the ledger has only the fee', async () => {
    const order = await paid()
    expect((await refund(order, 5000)).json()).toMatchObject({ state: 'pending' })
    expect(await live(order.id)).toEqual(['open'])
    const first = await findInvoicesOf(order.id)
    expect(first.map(({ kind, gross }) => [kind, gross])).toEqual([
      ['invoice', 17_731],
      ['credit_note', 5000],
    ])
    await refund(order, 12_731)
    expect(await live(order.id)).toEqual([])
    expect((await refundsOf(order.id)).map(({ state }) => state)).toEqual(['succeeded', 'succeeded'])
    const fee = feeOf(17_731)
    expect(await balancesOf(order.id)).toEqual({ fees: fee, cash: -fee })
  })

  test('a refund that fails days later is reversed with its credit note, access is there again, and staff have a task; made again it is credited again', async () => {
    const order = await paid(10_000, 0)
    await refund(order, 10_000)
    const [made] = await refundsOf(order.id)
    await failTestRefund(made?.providerId ?? '')
    await applyWaitingEvents()
    const fee = feeOf(10_000)
    expect([await live(order.id), await balancesOf(order.id)]).toEqual([['open'], { revenue: -10_000, fees: fee, cash: 10_000 - fee }])
    const list = async (query: string) => (await app.inject({ url: `${BILLING}/tasks?${query}`, headers: reader.headers })).json()
    const { tasks, open } = await list(`kind=refund_failed&q=${order.reference}`)
    expect(tasks).toMatchObject([{ kind: 'refund_failed', theirs: 'The account is closed.', order: order.reference, doneAt: null }])
    expect((await list(`kind=dispute&q=${order.reference}`)).tasks).toEqual([])
    const [task] = tasks
    expect((await post(`/tasks/${task.id}/done`, { note: 'Refunded again' })).statusCode).toBe(204)
    expect(await list(`q=${order.reference}`)).toMatchObject({ tasks: [], open: open - 1 })
    expect((await list(`state=done&q=${order.reference}`)).tasks).toMatchObject([
      { id: task.id, note: 'Refunded again', doneBy: staff.user.email, doneAt: expect.any(String) },
    ])
    await refund(order, 10_000)
    expect(await live(order.id)).toEqual([])
    expect(await creditsOf(order.id)).toEqual([10_000, -10_000, 10_000])
    expect(await balancesOf(order.id)).toEqual({ fees: fee, cash: -fee })
  })

  test('a reversed credit note names the one that it takes back, with its taxes, and what is left can be credited to the cent', async () => {
    const order = await paid(10_001, 1900)
    await refund(order, 3333)
    await refund(order, 5000)
    const [first] = await refundsOf(order.id)
    await failTestRefund(first?.providerId ?? '')
    await applyWaitingEvents()
    const documents = await documentsOf(order.id)
    const [, note, , reversed] = documents
    expect(reversed).toMatchObject({
      kind: 'credit_note',
      gross: -3333,
      net: -(note?.net ?? 0),
      tax: -(note?.tax ?? 0),
      corrects: { number: note?.number },
      reason: 'This refund did not arrive.',
      taxParts: [{ rate: 1900, net: -(note?.net ?? 0), tax: -(note?.tax ?? 0) }],
    })
    await refund(order, order.gross - 5000)
    const notes = (await documentsOf(order.id)).filter(({ kind }) => kind === 'credit_note')
    const sums = (['net', 'tax', 'gross'] as const).map((part) => notes.reduce((sum, one) => sum + one[part], 0))
    expect(sums).toEqual([order.net, order.tax, order.gross])
    expect(await balancesOf(order.id)).toEqual({ fees: feeOf(order.gross), cash: -feeOf(order.gross) })
  })

  test('of refunds and one that failed, in whatever order they are learned of, the credit notes are what was refunded', async () => {
    for (const amounts of [
      [10_000, 10_000],
      [5000, 3000],
      [3000, 5000],
      [7000, 5000],
    ] as const) {
      const order = await paid(10_000, 700)
      await refund(order, amounts[0])
      const [made] = await refundsOf(order.id)
      await failTestRefund(made?.providerId ?? '')
      const again = { refundId: newId(), paymentId: order.payment.providerId, amount: amounts[1], reason: 'Again' }
      const second = await providerFor().refund(again, `again:${order.id}`)
      // The failure is learned of last, and each of both twice and at once.
      expect(await Promise.all([1, 2].map(async () => applyRefund(providerFor(), second.id)))).toEqual([undefined, undefined])
      await Promise.all([1, 2].map(async () => applyRefund(providerFor(), made?.providerId ?? '')))
      await applyWaitingEvents()
      expect((await refundsOf(order.id)).map(({ state }) => state)).toEqual(['failed', 'succeeded'])
      const credits = await creditsOf(order.id)
      expect([amounts, credits.reduce((sum, gross) => sum + gross, 0)]).toEqual([amounts, amounts[1]])
      const { receivable = 0, cash } = await balancesOf(order.id)
      expect([receivable, cash]).toEqual([0, order.gross - amounts[1] - feeOf(order.gross)])
    }
  })

  test('an unpaid order by invoice that is cancelled after a part of it was paid and refunded owes nothing, and its customer has the rest as credit', async () => {
    const begin = async () => {
      const order = await makeOrder({ userId: buyer.user.id, amount: 10_000, method: 'invoice' })
      const entered = { key: newId(), order: order.reference, amount: 3000, paidOn: '2026-01-05', note: 'By cheque' }
      const { id: paymentId } = (await post('/payments', entered)).json()
      const asked = await post(`/payments/${paymentId}/refunds`, { orderId: order.id, amount: 1000, reason: 'Too much' })
      const cancel = async () => post(`/orders/${order.reference}/cancel`, { reason: 'Agreed by phone' })
      const sent = async () => post(`/refunds/${asked.json().id}/sent`)
      const decline = async () => post(`/refunds/${asked.json().id}/decline`, { reason: 'Not agreed' }, other)
      return { order, paymentId, refundId: asked.json().id, cancel, sent, decline }
    }
    const stands = async ({ order, paymentId }: Awaited<ReturnType<typeof begin>>, left: number) => {
      expect((await balancesOf(order.id))['receivable']).toBeUndefined()
      expect((await app.inject({ url: `${BILLING}/payments/${paymentId}`, headers: reader.headers })).json()).toMatchObject({ left })
      expect((await creditsOf(order.id)).reduce((sum, gross) => sum + gross, 0)).toBe(10_000)
    }
    const [before, after, never] = [await begin(), await begin(), await begin()]
    expect(tally([await before.sent(), await before.cancel()])).toEqual({ 200: 1, 204: 1 })
    await stands(before, 2000)
    expect(tally([await after.cancel(), await after.sent()])).toEqual({ 200: 1, 204: 1 })
    await stands(after, 2000)
    // As of a person who waits for a second one, who declines.
    await db.updateTable('refunds').set({ state: 'asked' }).where('id', '=', never.refundId).execute()
    await never.cancel()
    expect(tally(await Promise.all([1, 2, 3].map(async () => never.decline())))).toEqual({ 204: 1, 409: 2 })
    await stands(never, 3000)
  })

  test('a refund at the provider of what an ended order has released takes the credit, and leaves the order as it is', async () => {
    const late = await makeOrder({ userId: buyer.user.id, amount: 10_000 })
    const checkout = await startTestCheckout(late.id)
    await db.updateTable('dataProducts').set({ removedAt: new Date() }).where('id', '=', late.productId).execute()
    await pressTest(checkout, 'pay')
    const payment = await db
      .selectFrom('payments')
      .selectAll()
      .where('amount', '=', 10_000)
      .orderBy('createdAt', 'desc')
      .executeTakeFirstOrThrow()
    const order = await makeOrder({ userId: buyer.user.id, amount: 5000, method: 'invoice' })
    expect((await post(`/payments/${payment.id}/allocate`, { order: order.reference, amount: 3000 })).statusCode).toBeLessThan(300)
    expect((await post(`/orders/${order.reference}/cancel`, { reason: 'Ordered twice' })).statusCode).toBe(200)
    const asked = { refundId: newId(), paymentId: payment.providerId, amount: 10_000, reason: 'At the provider' }
    const { id } = await providerFor().refund(asked, `foreign:${payment.id}`)
    await applyRefund(providerFor(), id)
    expect(await db.selectFrom('refunds').select(['orderId', 'state']).where('paymentId', '=', payment.id).execute()).toEqual([
      { orderId: null, state: 'succeeded' },
    ])
    expect(await balancesOf(order.id)).toEqual({})
    expect(await findFree(db, payment.id)).toBe(0)
  })

  test('a dispute: an inquiry moves nothing; open it suspends access, won restores it, and only the fee is gone', async () => {
    const order = await paid(10_000, 0)
    const before = await balancesOf(order.id)
    await disputeTestPayment(order.payment.providerId, 'inquiry')
    await applyWaitingEvents()
    expect([await live(order.id), await balancesOf(order.id)]).toEqual([['open'], before])
    await disputeTestPayment(order.payment.providerId, 'open')
    await applyWaitingEvents()
    expect([await live(order.id), (await balancesOf(order.id))['disputed']]).toEqual([['suspended'], 10_000])
    expect(await openTasks(order.id)).toMatchObject([{ kind: 'dispute', theirs: 'Reason: fraudulent' }])
    // A disputed amount cannot be refunded as well.
    expect((await refund(order, 100)).statusCode).toBe(409)
    await disputeTestPayment(order.payment.providerId, 'won')
    await applyWaitingEvents()
    const { fees = 0, cash = 0, ...rest } = before
    expect([await live(order.id), await balancesOf(order.id)]).toEqual([['open'], { ...rest, fees: fees + 2000, cash: cash - 2000 }])
    // Its evidence is due no longer.
    expect(await openTasks(order.id)).toEqual([])
  })

  test('a dispute that is lost, also where nothing was seen before, ends access and is a loss', async () => {
    const order = await paid(10_000, 0)
    await disputeTestPayment(order.payment.providerId, 'lost')
    await applyWaitingEvents()
    expect([await live(order.id), await balancesOf(order.id)]).toMatchObject([[], { losses: 10_000, revenue: -10_000 }])
    await disputeTestPayment(order.payment.providerId, 'won')
    await applyWaitingEvents()
    expect(await db.selectFrom('disputes').select('state').where('orderId', '=', order.id).execute()).toEqual([{ state: 'lost' }])
    expect(await openTasks(order.id)).toEqual([])
  })

  test('access is what refunds and disputes leave of it, in whatever order they are learned of', async () => {
    const order = await paid(10_000, 0)
    const provider = providerFor()
    await refund(order, 10_000)
    const [made] = await refundsOf(order.id)
    await failTestRefund(made?.providerId ?? '')
    const dispute = await disputeTestPayment(order.payment.providerId, 'open')
    // The dispute of the payment, which has its money again, is learned of before the failure of the refund.
    expect(await applyDispute(provider, dispute)).toBeUndefined()
    expect(await live(order.id)).toEqual([])
    await applyRefund(provider, made?.providerId ?? '')
    expect(await live(order.id)).toEqual(['suspended'])
    await disputeTestPayment(order.payment.providerId, 'won')
    await applyDispute(provider, dispute)
    expect(await live(order.id)).toEqual(['open'])

    // Two refunds of the whole payment, of which each failed: the failure of the first is learned of last.
    await applyWaitingEvents()
    await refund(order, 10_000)
    const again = (await refundsOf(order.id)).at(-1)?.providerId ?? ''
    await failTestRefund(again)
    const third = await provider.refund(
      { refundId: newId(), paymentId: order.payment.providerId, amount: 10_000, reason: 'Again' },
      `third:${order.id}`,
    )
    await applyRefund(provider, third.id)
    await failTestRefund(third.id)
    await applyRefund(provider, third.id)
    await applyRefund(provider, again)
    expect((await refundsOf(order.id)).map(({ state }) => state)).toEqual(['failed', 'failed', 'failed'])
    expect(await live(order.id)).toEqual(['open'])
  })

  test('access that staff revoked stays revoked when a refund fails', async () => {
    const order = await paid(10_000, 0)
    const grant = await db.selectFrom('entitlements').select('id').where('orderId', '=', order.id).executeTakeFirstOrThrow()
    expect(await revoke(grant.id, { id: staff.user.id })).toBe(true)
    await refund(order, 10_000)
    const [made] = await refundsOf(order.id)
    await failTestRefund(made?.providerId ?? '')
    await applyWaitingEvents()
    expect([(await refundsOf(order.id)).map(({ state }) => state), await live(order.id)]).toEqual([['failed'], []])
  })

  test('a dispute of a period suspends its subscription until the next one is paid, and one of an earlier period makes no difference', async () => {
    const subscription = await subscribe({ userId: (await signIn()).user.id })
    const suspended = async () => {
      const grants = db.selectFrom('entitlements').select('suspendedAt').where('subscriptionId', '=', subscription.id)
      return (await grants.where('revokedAt', 'is', null).execute()).map(({ suspendedAt }) => suspendedAt !== null)
    }
    const first = await db.selectFrom('orders').select('id').where('subscriptionId', '=', subscription.id).executeTakeFirstOrThrow()
    const { providerId } = await paymentOf(first.id)
    await disputeTestPayment(providerId, 'open')
    await applyWaitingEvents()
    expect(await suspended()).toEqual([true])
    await turnClock(subscription.id, 'renew')
    expect(await suspended()).toEqual([false])
    await disputeTestPayment(providerId, 'lost')
    await applyWaitingEvents()
    expect([await suspended(), (await subscriptionOf(subscription.id)).state]).toEqual([[false], 'active'])
  })

  test('a full refund of the current period ends its subscription; that of an earlier period does not', async () => {
    const subscription = await subscribe({ userId: (await signIn()).user.id })
    await turnClock(subscription.id, 'renew')
    const [first, second] = await db
      .selectFrom('orders')
      .selectAll()
      .where('subscriptionId', '=', subscription.id)
      .orderBy('createdAt')
      .execute()
    if (!first || !second) throw new Error('There are no two orders.')
    await refund({ ...first, payment: await paymentOf(first.id) }, first.gross)
    expect([(await subscriptionOf(subscription.id)).state, (await grantsOf(subscription.id)).length]).toEqual(['active', 1])
    await refund({ ...second, payment: await paymentOf(second.id) }, second.gross)
    expect(await subscriptionOf(subscription.id)).toMatchObject({ state: 'ended', endReason: 'refunded' })
    expect(await grantsOf(subscription.id)).toEqual([])
  })

  test('after an upgrade whose period ends before the one that it replaced, its refund ends the subscription', async () => {
    const subscription = await subscribe({ userId: (await signIn()).user.id, every: 'quarter', amount: 9900 })
    const month = await makeOffer(subscription.productId, 'month', 29_900)
    const { id, organizationId } = subscription
    const url = await changePlan(id, month.id, { id: organizationId, address: '::1' })
    await pressTest(new URL(url ?? '').pathname.split('/').at(-1) ?? '', 'pay')
    const [first, upgrade] = await db.selectFrom('orders').selectAll().where('subscriptionId', '=', id).orderBy('createdAt').execute()
    if (!first || !upgrade) throw new Error('There are no two orders.')
    expect(first.periodEnd?.getTime()).toBeGreaterThan(upgrade.periodEnd?.getTime() ?? 0)
    await refund({ ...first, payment: await paymentOf(first.id) }, first.gross)
    expect((await subscriptionOf(id)).state).toBe('active')
    await refund({ ...upgrade, payment: await paymentOf(upgrade.id) }, upgrade.gross)
    expect(await subscriptionOf(id)).toMatchObject({ state: 'ended', endReason: 'refunded' })
  })

  test('the evidence pack of a renewal has the license that was accepted with the first order, and the access of its subscription', async () => {
    const subscription = await subscribe({ userId: (await signIn()).user.id })
    const text = 'You may use the data in your organization.'
    const hash = createHash('sha256').update(text).digest('hex')
    const licence = { version: '2026-10-01', hash, text, acceptedAt: new Date().toISOString(), acceptedBy: subscription.userId ?? '' }
    await db
      .updateTable('orders')
      .set({ licence: JSON.stringify(licence) })
      .where('subscriptionId', '=', subscription.id)
      .execute()
    await turnClock(subscription.id, 'renew')
    const orders = db.selectFrom('orders').select('id').where('subscriptionId', '=', subscription.id)
    const renewal = await orders.where('kind', '=', 'renewal').executeTakeFirstOrThrow()
    await disputeTestPayment((await paymentOf(renewal.id)).providerId, 'open')
    await applyWaitingEvents()
    const { id } = await db.selectFrom('disputes').select('id').where('orderId', '=', renewal.id).executeTakeFirstOrThrow()
    const files = unzipSync((await makeEvidencePack(id)).bytes)
    expect(Object.keys(files)).toEqual(expect.arrayContaining(['license.txt', 'license-accepted.txt']))
    expect(strFromU8(files['summary.txt'] ?? new Uint8Array())).toMatch(/^Access: from .* to now$/m)
  })

  test('the evidence pack has the order, the license with its hash, downloads, addresses and emails', async () => {
    const order = await paid()
    const text = 'You may use the data in your organization.'
    const hash = createHash('sha256').update(text).digest('hex')
    const licence = { version: '2026-10-01', hash, text, acceptedAt: order.createdAt.toISOString(), acceptedBy: buyer.user.id }
    await db
      .updateTable('orders')
      .set({ licence: JSON.stringify(licence) })
      .where('id', '=', order.id)
      .execute()
    const taken = { productId: order.productId ?? '', userId: buyer.user.id, organizationId: buyer.user.id }
    await insert(db, 'downloads', { ...taken, type: 'file', format: 'csv' })
    await transaction((trx) => audit(trx, 'order_placed', { actorId: buyer.user.id, address: '203.0.113.7' }))
    await disputeTestPayment(order.payment.providerId, 'open')
    await applyWaitingEvents()
    const { id } = await db.selectFrom('disputes').select('id').where('orderId', '=', order.id).executeTakeFirstOrThrow()
    const reply = await app.inject({ url: `${BILLING}/disputes/${id}/evidence`, headers: reader.headers })
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'application/zip'])
    const files = unzipSync(reply.rawPayload)
    expect(Object.keys(files)).toEqual(expect.arrayContaining(['summary.txt', 'downloads.csv', 'activity.csv', 'emails.csv']))
    const textOf = (name: string) => strFromU8(files[name] ?? new Uint8Array())
    expect(textOf('summary.txt')).toContain(order.reference)
    expect([textOf('license.txt'), textOf('license-accepted.txt')]).toEqual([
      `${text}\n`,
      expect.stringMatching(new RegExp(`${hash}[^]*Text matches the hash: yes[^]*${buyer.user.id}`)),
    ])
    expect(textOf('downloads.csv')).toContain(`"${buyer.user.email}","file","csv"`)
    expect(textOf('activity.csv')).toContain('203.0.113.7')
    expect(textOf('emails.csv')).toContain('order-paid')
  })
})

describe('error', () => {
  test('two people who refund at once never refund more than was paid', async () => {
    const order = await paid(10_000, 0)
    const replies = await Promise.all([staff, other, staff, other].map((who) => refund(order, 4000, who)))
    expect(tally(replies)).toEqual({ 201: 2, 409: 2 })
    expect((await balancesOf(order.id))['revenue']).toBe(-2000)
  })

  test('a large refund waits for a second person, who is another one; declined, it moves nothing', async () => {
    const order = await paid(200_000, 0)
    const asked = await post(`/payments/${order.payment.id}/refunds`, { orderId: order.id, amount: 200_000, reason: 'Double order' })
    const { id, state } = asked.json()
    expect(state).toBe('asked')
    const link = `/admin/billing/orders/${order.reference}`
    const title = 'A refund of $2,000.00 needs a second person'
    const tasks = async (state = 'open') => {
      const url = `${BILLING}/tasks?kind=refund_asked&q=${order.reference}&state=${state}`
      return (await app.inject({ url, headers: staff.headers })).json().tasks
    }
    const toDecide = async ({ headers }: SignedIn) => (await app.inject({ url: '/api/workspace', headers })).json().paymentTasks
    const waiting = { title, theirs: 'Double order', order: order.reference, paymentId: order.payment.id, askedBy: staff.user.email }
    const [task, ...others] = await tasks()
    expect([task, others]).toMatchObject([waiting, []])
    // The home of those who can decide it has one more than the home of its asker; a reader decides nothing.
    const own = await toDecide(staff)
    expect([await toDecide(other), await toDecide(reader)]).toEqual([own + 1, 0])
    const needed = { link, title, body: 'Double order', to: { roles: ['staff', 'owner'] } }
    expect(await noticesAbout(task.id)).toMatchObject([{ ...needed, by: staff.user.id }])
    expect((await post(`/tasks/${task.id}/done`, {}, other)).statusCode).toBe(409)
    expect((await post(`/refunds/${id}/approve`)).statusCode).toBe(403)
    expect((await post(`/refunds/${id}/decline`, { reason: ' ' }, other)).json()).toMatchObject({ errors: { reason: 'Enter a reason' } })
    expect((await post(`/refunds/${id}/decline`, { reason: 'It was delivered\ntwice' }, other)).statusCode).toBe(204)
    const answer = { link, title: 'A refund of $2,000.00 was declined', body: 'It was delivered twice', to: { userIds: [staff.user.id] } }
    expect(await noticesAbout(id)).toMatchObject([answer])
    expect([await tasks(), await toDecide(other)]).toEqual([[], own])
    const { refunds, timeline } = (await findOrderRecord(order.reference, staff.user.id)) ?? {}
    expect(refunds).toMatchObject([{ state: 'declined', reason: 'Double order', failure: 'It was delivered twice' }])
    expect(timeline?.[0]).toMatchObject({ action: 'refund_declined', reason: 'It was delivered twice', by: other.user.email })
    expect((await post(`/refunds/${id}/approve`, {}, other)).statusCode).toBe(409)
    const again = await post(`/payments/${order.payment.id}/refunds`, { orderId: order.id, amount: 200_000, reason: 'Double order' })
    expect((await post(`/refunds/${again.json().id}/approve`, {}, other)).statusCode).toBe(204)
    expect([await tasks(), await tasks('done')]).toMatchObject([
      [],
      [
        { ...waiting, note: 'Declined: It was delivered twice', doneBy: other.user.email },
        { ...waiting, note: 'Approved', doneBy: other.user.email },
      ],
    ])
    await sendRefund(again.json().id)
    expect(await live(order.id)).toEqual([])
    // The limit is the owner's.
    await saveBilling({ secondPersonFrom: 2001 })
    const smaller = await paid(200_000, 0)
    const sent = await post(`/payments/${smaller.payment.id}/refunds`, { orderId: smaller.id, amount: 200_000, reason: 'Double order' })
    expect(sent.json().state).toBe('pending')
    await saveBilling({ secondPersonFrom: 1000 })
  })

  test('a long reason whose notice is cut inside an emoji is kept, and the refund waits', async () => {
    const order = await paid(200_000, 0)
    const reason = `x${'😀'.repeat(180)}`
    const reply = await post(`/payments/${order.payment.id}/refunds`, { orderId: order.id, amount: 200_000, reason })
    expect([reply.statusCode, reply.json().state]).toEqual([201, 'asked'])
    expect(await refundsOf(order.id)).toMatchObject([{ reason, state: 'asked' }])
  })

  test('a large refund does not wait for people who are suspended', async () => {
    const order = await paid(200_000, 0)
    const others = db.updateTable('users').where('id', '!=', staff.user.id)
    await others.set({ bannedUntil: new Date(Date.now() + 60_000) }).execute()
    const asked = await post(`/payments/${order.payment.id}/refunds`, { orderId: order.id, amount: 200_000, reason: 'Double order' })
    await others.set({ bannedUntil: null }).execute()
    expect(asked.json().state).toBe('pending')
  })

  test('several refunds of one payment are a large one together, also asked for at once; a record offers its reader what they can do', async () => {
    await saveBilling({ secondPersonFrom: 1000 })
    const order = await paid(200_000, 0)
    const ask = async (amount: number) =>
      post(`/payments/${order.payment.id}/refunds`, { orderId: order.id, amount, reason: 'Double order' })
    const both = (await Promise.all([ask(60_000), ask(60_000)])).map((reply) => reply.json())
    expect(both.map(({ state }) => state)).toEqual(expect.arrayContaining(['asked', 'pending']))
    const second = both.find(({ state }) => state === 'asked')
    const read = async (who = staff) => (await app.inject({ url: `${BILLING}/orders/${order.reference}`, headers: who.headers })).json()
    const offered = async (who = staff) => {
      const { refundable, refunds } = await read(who)
      return [refundable, refunds.map(({ mayApprove }: { mayApprove: boolean }) => mayApprove)]
    }
    const rest = [{ paymentId: order.payment.id, amount: 80_000 }]
    expect([await offered(), await offered(other)]).toEqual([
      [rest, [false, false]],
      [rest, expect.arrayContaining([true, false])],
    ])
    expect((await post(`/refunds/${second.id}/approve`, {}, other)).statusCode).toBe(204)
    // An approved refund is not counted a second time.
    expect((await ask(30_000)).json().state).toBe('pending')
    await saveBilling()
  })

  test('a dispute that is won leaves reminders paused where staff paused them', async () => {
    const order = await paid(10_000, 0)
    await db.updateTable('orders').set({ remindersPaused: true }).where('id', '=', order.id).execute()
    for (const state of ['open', 'won'] as const) {
      await disputeTestPayment(order.payment.providerId, state)
      await applyWaitingEvents()
    }
    expect(await db.selectFrom('orders').select('remindersPaused').where('id', '=', order.id).execute()).toEqual([
      { remindersPaused: true },
    ])
  })

  test('events that never arrived are found by the nightly list; a difference to the provider is a task with both sides', async () => {
    const provider = providerFor()
    const order = await paid(10_000, 0)
    await disputeTestPayment(order.payment.providerId, 'open')
    await db.deleteFrom('paymentEvents').where('kind', '=', 'dispute.open').execute()
    expect(await applyMissedEvents(provider)).toBeGreaterThan(0)
    await applyWaitingEvents()
    expect(await live(order.id)).toEqual(['suspended'])
    const tomorrow = new Date(Date.now() + 25 * HOUR_MS)
    // Of the dispute that its provider has won after it was lost.
    const before = await reconcile(provider, tomorrow)
    await transaction((trx) => trx.updateTable('payments').set({ amount: 9900 }).where('id', '=', order.payment.id).execute())
    expect(await reconcile(provider, tomorrow)).toBe(before + 1)
    const tasks = await db.selectFrom('billingTasks').selectAll().where('kind', '=', 'difference').execute()
    const task = tasks.find(({ about }) => about.includes(order.payment.providerId))
    expect(task).toMatchObject({ ours: expect.stringContaining('$99.00'), theirs: expect.stringContaining('$100.00') })
    await db.updateTable('payments').set({ amount: 10_000 }).where('id', '=', order.payment.id).execute()
  })

  test('a refund or dispute of a payment that is not ours is told, and books nothing', async () => {
    const provider = findProvider('test')
    expect(provider && (await provider.read('refund', 'tr_none'))).toBeUndefined()
    await expect(disputeTestPayment('tp_none', 'open')).rejects.toMatchObject({ status: 404 })
  })
})

describe('security', () => {
  test('staff without the right read disputes and refund nothing; customers do neither', async () => {
    const order = await paid(10_000, 0)
    const body = { orderId: order.id, amount: 100, reason: 'x' }
    for (const who of [reader, buyer]) expect((await post(`/payments/${order.payment.id}/refunds`, body, who)).statusCode).toBe(403)
    expect((await app.inject({ url: `${BILLING}/tasks`, headers: buyer.headers })).statusCode).toBe(403)
    expect((await app.inject({ url: `${BILLING}/tasks` })).statusCode).toBe(401)
  })
})

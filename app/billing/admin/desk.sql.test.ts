import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { correctInvoice, issueInvoice } from '#app/billing/invoices/invoice.server.ts'
import { placeOrder } from '#app/billing/orders/place-order.server.ts'
import { totalsOf } from '#app/billing/orders/totals.ts'
import { sendRefund } from '#app/billing/refunds/refund.server.ts'
import { db, newId, transaction } from '#app/platform/database/db.server.ts'
import { closeLimits } from '#app/platform/guard/limits.server.ts'
import type { Row } from '#db/tables.ts'
import { startEndpoints } from '#test/app.ts'
import { applyWaitingEvents, balancesOf, makeOrder, pressTest, startTestCheckout } from '#test/billing.ts'
import { tally } from '#test/auth.ts'
import { noticesAbout } from '#test/organizations.ts'
import { signIn, type SignedIn } from '#test/factories.ts'
import { subscribe, turnClock } from '#test/subscriptions.ts'
import { aDataset, berlin, makeCompany, saveBilling } from '#test/invoices.ts'

const app = await startEndpoints()
const [owner, clerk, reader, buyer] = [
  await signIn('owner'),
  await signIn('staff', { rights: '["billing.write"]' }),
  await signIn('staff'),
  await signIn(),
]
beforeAll(async () => saveBilling(berlin))
beforeEach(closeLimits)

type Method = 'GET' | 'POST' | 'PUT'
const ask = (method: Method, path: string, payload?: object, { headers }: Pick<SignedIn, 'headers'> = clerk) =>
  app.inject({ method, url: `/api/admin/billing${path}`, headers, ...(payload && { payload }) })

/** An order by invoice, which is owed at once. */
async function byInvoice(company: Row<'organizations'>, given: { amount?: number; dueAt?: Date } = {}): Promise<Row<'orders'>> {
  const { amount = 10_000, dueAt } = given
  const totals = totalsOf([{ ...aDataset, unitAmount: amount }], () => ({ category: 'S', rate: 1900, reason: '' }))
  const order = {
    kind: 'final',
    method: 'invoice',
    organizationId: company.id,
    userId: null,
    title: 'A crawler',
    currency: 'EUR',
    totals,
  } as const
  return transaction((trx) => placeOrder(trx, { ...order, ...(dueAt && { dueAt }) }))
}

const stateOf = async (id: string) => (await db.selectFrom('orders').select('state').where('id', '=', id).executeTakeFirstOrThrow()).state

describe('happy', () => {
  test('orders are found by number and company, narrowed by state, ordered by amount and read page by page', async () => {
    const company = await makeCompany({ name: 'Zebra Labs' })
    const late = await byInvoice(company, { amount: 5000, dueAt: new Date(Date.now() - 5 * 86_400_000) })
    const [large, small] = [await byInvoice(company, { amount: 90_000 }), await byInvoice(company, { amount: 200 })]
    const referencesOf = async (query: string) =>
      (await ask('GET', `/orders?${query}`)).json().orders.map(({ reference }: { reference: string }) => reference)
    expect(await referencesOf('q=zebra&sort=-gross')).toEqual([large.reference, late.reference, small.reference])
    expect(await referencesOf(`q=${late.reference.toLowerCase()}`)).toEqual([late.reference])
    expect(await referencesOf('q=zebra&state=overdue')).toEqual([late.reference])
    const first = (await ask('GET', '/orders?q=zebra&sort=due&limit=1')).json()
    expect(first.orders).toMatchObject([{ reference: late.reference, isOverdue: true, owed: 5950, organization: { name: 'Zebra Labs' } }])
    const second = (await ask('GET', `/orders?q=zebra&sort=due&limit=5&cursor=${first.nextCursor}`)).json()
    expect([second.orders.length, second.nextCursor]).toEqual([2, null])
    expect((await ask('GET', '/orders.csv?q=zebra')).body.split('\r\n')).toHaveLength(5)
  })

  test('a paid order shows its payment, ledger, events and timeline, and each list has its rows', async () => {
    const order = await makeOrder({ userId: buyer.user.id, taxRate: 1900 })
    await pressTest(await startTestCheckout(order.id), 'pay')
    const record = (await ask('GET', `/orders/${order.reference}`, undefined, reader)).json()
    expect(record).toMatchObject({ state: 'paid', owed: 0, gross: 17_731, isTest: true, organization: { name: buyer.user.email } })
    expect(record.payments).toMatchObject([{ provider: 'test', amount: 17_731 }])
    expect(record.events.length).toBeGreaterThan(0)
    expect(record.ledger.reduce((sum: number, { amount }: { amount: number }) => sum + amount, 0)).toBe(0)
    expect(record.timeline.map(({ action }: { action: string }) => action)).toEqual(expect.arrayContaining(['order_placed', 'order_paid']))
    const [{ paymentId: id }] = record.payments
    expect((await ask('GET', `/payments/${id}`)).json()).toMatchObject({ amount: 17_731, left: 0, orders: [order.reference] })
    expect((await ask('GET', `/payments?q=${order.reference}`)).json().payments).toMatchObject([{ id, provider: 'test' }])
    expect((await ask('GET', '/subscriptions')).json()).toEqual({ subscriptions: [], nextCursor: null })
    expect((await ask('GET', '/invoices')).statusCode).toBe(200)
  })

  test('the list says of a paid order what was refunded and whether it is disputed; a corrected invoice replaces the one before', async () => {
    const order = await makeOrder({ userId: buyer.user.id })
    await pressTest(await startTestCheckout(order.id), 'pay')
    const seen = async (query: string) => {
      const { orders } = (await ask('GET', `/orders?${query}&q=${order.reference}`)).json()
      return orders.map(({ state, refunded, dispute }: Record<string, unknown>) => ({ state, refunded, dispute }))
    }
    expect(await seen('state=paid')).toEqual([{ state: 'paid', refunded: 0, dispute: null }])
    expect([await seen('state=refunded'), await seen('state=disputed')]).toEqual([[], []])
    const [payment] = (await ask('GET', `/orders/${order.reference}`)).json().payments
    const asked = await ask('POST', `/payments/${payment.paymentId}/refunds`, {
      orderId: order.id,
      amount: 1000,
      reason: 'A shop was missing',
    })
    await sendRefund(asked.json().id)
    await applyWaitingEvents()
    expect(await seen('state=refunded')).toEqual([{ state: 'paid', refunded: 1000, dispute: null }])
    await ask('POST', `/test-payments/${payment.paymentId}/dispute`, { state: 'open' })
    expect(await seen('state=disputed')).toEqual([{ state: 'paid', refunded: 1000, dispute: 'open' }])

    const company = await makeCompany({ name: 'Yak Research' })
    const billed = await byInvoice(company)
    const issued = await transaction((trx) => issueInvoice(trx, billed.id, 'invoice'))
    await transaction((trx) => correctInvoice(trx, issued.id, 'The name was wrong', {}))
    const { invoices } = (await ask('GET', '/invoices?q=Yak&sort=-issued')).json()
    const replaced = invoices.map(({ kind, isReplaced }: Record<string, unknown>) => [kind, isReplaced])
    expect(replaced).toEqual(
      expect.arrayContaining([
        ['invoice', true],
        ['corrected', false],
      ]),
    )
    const unpaid = (await ask('GET', '/invoices?q=Yak&state=unpaid')).json().invoices
    expect(unpaid.map(({ kind }: { kind: string }) => kind)).toEqual(['corrected'])
  })

  test('a payment that staff enter pays the order once; what is too much is a credit that pays another one', async () => {
    const company = await makeCompany()
    const [one, other] = [await byInvoice(company), await byInvoice(company, { amount: 1000 })]
    const body = { key: newId(), order: one.reference, amount: 13_090, paidOn: '2026-01-05', note: 'By cheque' }
    const [entered, again] = [await ask('POST', '/payments', body), await ask('POST', '/payments', body)]
    expect([entered.statusCode, again.json().id]).toEqual([201, entered.json().id])
    expect(entered.json()).toMatchObject({ left: 1190, payable: [{ reference: other.reference, owed: 1190 }] })
    expect(await stateOf(one.id)).toBe('paid')
    const used = await ask('POST', `/payments/${entered.json().id}/allocate`, { order: other.reference, amount: 1190 })
    expect(used.json()).toMatchObject({
      left: 0,
      allocations: [{ order: one.reference }, { order: other.reference, by: clerk.user.email }],
    })
    expect(await stateOf(other.id)).toBe('paid')
    expect(await balancesOf(other.id)).toEqual({ revenue: -1000, tax: -190, unallocated: 1190 })
  })

  test('a cancelled order by invoice owes nothing, and what was paid of it becomes a credit', async () => {
    const order = await byInvoice(await makeCompany())
    const paid = await ask('POST', '/payments', {
      key: newId(),
      order: order.reference,
      amount: 4000,
      paidOn: '2026-01-05',
      note: 'In cash',
    })
    expect((await ask('GET', `/orders/${order.reference}`)).json()).toMatchObject({ state: 'open', owed: 7900 })
    const cancelled = await ask('POST', `/orders/${order.reference}/cancel`, { reason: 'Ordered twice' })
    expect(cancelled.json()).toMatchObject({ state: 'cancelled', owed: 0, failure: 'Ordered twice' })
    expect((await ask('GET', `/payments/${paid.json().id}`)).json().left).toBe(4000)
    expect((await balancesOf(order.id))['revenue'] ?? 0).toBe(0)
  })

  test('a large invoiced order is cancelled by two people: one asks, another one approves; of those who press at once, one does', async () => {
    const order = await byInvoice(await makeCompany(), { amount: 200_000 })
    const path = `/orders/${order.reference}`
    const read = async (who: SignedIn) => (await ask('GET', path, undefined, who)).json()
    const asked = await Promise.all([1, 2, 3].map(async () => ask('POST', `${path}/cancel`, { reason: 'Ordered twice' })))
    expect(tally(asked)).toEqual({ 200: 1, 409: 2 })
    const link = `/admin/billing/orders/${order.reference}`
    const title = `Cancelling ${order.reference} needs a second person`
    const tasksOf = async (state = 'open') =>
      (await ask('GET', `/tasks?kind=cancel_asked&q=${order.reference}&state=${state}`)).json().tasks
    const waiting = { title, theirs: 'Ordered twice', order: order.reference, askedBy: clerk.user.email }
    const [task, ...others] = await tasksOf()
    expect([task, others]).toMatchObject([waiting, []])
    const needed = { link, title, body: 'Ordered twice', by: clerk.user.id, to: { roles: ['staff', 'owner'] } }
    expect(await noticesAbout(task.id)).toMatchObject([needed])
    expect((await ask('POST', `/tasks/${task.id}/done`, {}, owner)).statusCode).toBe(409)
    expect([await stateOf(order.id), await balancesOf(order.id)]).toMatchObject(['open', { receivable: 238_000 }])
    const cancelAsked = { by: clerk.user.email, reason: 'Ordered twice' }
    expect(await read(clerk)).toMatchObject({ cancelAsked, actions: ['pay', 'declineCancel', 'reminders'] })
    expect(await read(owner)).toMatchObject({ cancelAsked, actions: ['pay', 'approveCancel', 'declineCancel', 'reminders'] })
    const own = await ask('POST', `${path}/cancel/approve`, {})
    expect([own.statusCode, own.json().code]).toEqual([403, 'second_person'])
    const decline = async (reason: string) => (await ask('POST', `${path}/cancel/decline`, { reason }, owner)).json()
    expect(await decline('')).toMatchObject({ errors: { reason: 'Enter a reason' } })
    const declined = { action: 'order_cancel_declined', reason: 'It is delivered already', by: owner.user.email }
    expect(await decline(declined.reason)).toMatchObject({ cancelAsked: null, state: 'open', timeline: [declined, {}, {}] })
    const answer = {
      link,
      title: `The cancellation of ${order.reference} was declined`,
      body: declined.reason,
      to: { userIds: [clerk.user.id] },
    }
    expect(await noticesAbout(order.id)).toMatchObject([answer])
    expect(await tasksOf()).toEqual([])
    expect((await ask('POST', `${path}/cancel/approve`, {}, owner)).json()).toMatchObject({ code: 'cancel_decided' })
    await ask('POST', `${path}/cancel`, { reason: 'Ordered twice' })
    const approved = await Promise.all([1, 2, 3].map(async () => ask('POST', `${path}/cancel/approve`, {}, owner)))
    expect(tally(approved)).toEqual({ 200: 1, 409: 2 })
    expect([await tasksOf(), await tasksOf('done')]).toMatchObject([
      [],
      [
        { ...waiting, note: `Declined: ${declined.reason}`, doneBy: owner.user.email },
        { ...waiting, note: 'Approved', doneBy: owner.user.email },
      ],
    ])
    expect(await read(clerk)).toMatchObject({ state: 'cancelled', owed: 0, failure: 'Ordered twice', actions: [], cancelAsked: null })
    expect((await read(clerk)).invoices).toMatchObject([{ kind: 'invoice' }, { kind: 'credit_note', gross: 238_000 }])
  })

  test('an order that is paid meanwhile has no cancellation left to decide', async () => {
    const order = await byInvoice(await makeCompany(), { amount: 200_000 })
    await ask('POST', `/orders/${order.reference}/cancel`, { reason: 'Ordered twice' })
    const payment = { key: newId(), order: order.reference, amount: 238_000, paidOn: '2026-10-05', note: 'A cheque' }
    expect((await ask('POST', '/payments', payment)).statusCode).toBeLessThan(300)
    const tasks = db.selectFrom('billingTasks').select(['kind', 'note', 'doneBy']).where('orderId', '=', order.id)
    expect(await tasks.execute()).toEqual([{ kind: 'cancel_asked', note: 'The order is paid.', doneBy: null }])
    expect((await ask('POST', `/orders/${order.reference}/cancel/approve`, {}, owner)).json()).toMatchObject({ code: 'order_ended' })
  })

  test('a person who alone has the right cancels a large invoiced order with a fresh sign-in', async () => {
    const order = await byInvoice(await makeCompany(), { amount: 200_000 })
    const alone = await signIn('owner')
    const signedInSince = async (hours: number) =>
      sql`UPDATE sessions SET created_at = now() - ${hours} * interval '1 hour', own_pages = true WHERE id = ${alone.session.id}`.execute(
        db,
      )
    await signedInSince(1)
    const others = [owner, clerk].map(({ user }) => user.id)
    await db
      .updateTable('users')
      .set({ appMetadata: JSON.stringify({ role: 'customer' }) })
      .where('id', 'in', others)
      .execute()
    const cancel = await ask('POST', `/orders/${order.reference}/cancel`, { reason: 'Ordered twice' }, alone)
    expect([cancel.statusCode, cancel.json().code]).toEqual([403, 'recent_sign_in_required'])
    await signedInSince(0)
    const fresh = await ask('POST', `/orders/${order.reference}/cancel`, { reason: 'Ordered twice' }, alone)
    expect(fresh.json()).toMatchObject({ state: 'cancelled', cancelAsked: null })
    for (const { user } of [owner, clerk])
      await db
        .updateTable('users')
        .set({ appMetadata: JSON.stringify(user.appMetadata) })
        .where('id', '=', user.id)
        .execute()
    await db
      .updateTable('users')
      .set({ appMetadata: JSON.stringify({ role: 'customer' }) })
      .where('id', '=', alone.user.id)
      .execute()
  })

  test('what the page offers for an order is what the server does: each action is refused exactly where it is not offered', async () => {
    const company = await makeCompany()
    await db.updateTable('organizations').set({ countryCode: 'DE', kind: 'business' }).where('id', '=', buyer.user.id).execute()
    const subscription = await subscribe({ userId: buyer.user.id })
    await turnClock(subscription.id, 'fail')
    const renewal = await db
      .selectFrom('orders')
      .selectAll()
      .where('subscriptionId', '=', subscription.id)
      .where('state', '=', 'open')
      .executeTakeFirstOrThrow()
    const [paid, untaxed] = [await byInvoice(company), await makeOrder({ userId: buyer.user.id })]
    await db.updateTable('orders').set({ taxBy: 'provider' }).where('id', '=', untaxed.id).execute()
    await ask('POST', '/payments', { key: newId(), order: paid.reference, amount: 11_900, paidOn: '2026-01-05', note: 'In cash' })
    const orders = {
      renewal: { order: renewal, offers: [] },
      paid: { order: paid, offers: [] },
      untaxed: { order: untaxed, offers: ['cancel'] },
      open: { order: await makeOrder({ userId: buyer.user.id }), offers: ['pay', 'cancel'] },
      invoiced: { order: await byInvoice(company), offers: ['pay', 'cancel', 'reminders'] },
    }
    for (const [name, { order, offers }] of Object.entries(orders)) {
      const { reference, gross } = order
      const { actions } = (await ask('GET', `/orders/${reference}`)).json()
      expect([name, actions]).toEqual([name, offers])
      const does = {
        reminders: async () => ask('PUT', `/orders/${reference}/reminders`, { paused: true }),
        pay: async () =>
          ask('POST', '/payments', { key: newId(), order: reference, amount: gross - 1, paidOn: '2026-01-05', note: 'Cash' }),
        cancel: async () => ask('POST', `/orders/${reference}/cancel`, { reason: 'Ordered twice' }),
      }
      for (const [action, act] of Object.entries(does)) {
        const { statusCode } = await act()
        expect([name, action, statusCode < 300]).toEqual([name, action, actions.includes(action)])
      }
    }
  })

  test('reminders are paused and continued, and the log says by whom', async () => {
    const order = await byInvoice(await makeCompany())
    for (const paused of [true, true, false])
      expect((await ask('PUT', `/orders/${order.reference}/reminders`, { paused })).json().remindersPaused).toBe(paused)
    const events = await db.selectFrom('auditEvents').select(['action', 'actorId']).where('subjectId', '=', order.organizationId).execute()
    expect(events.filter(({ action }) => action.startsWith('order_reminders'))).toEqual([
      { action: 'order_reminders_paused', actorId: clerk.user.id },
      { action: 'order_reminders_continued', actorId: clerk.user.id },
    ])
  })
})

describe('error', () => {
  test.each([
    ['GET', '/orders/B-NONE', undefined, 404],
    ['GET', `/payments/${newId()}`, undefined, 404],
    ['GET', '/orders?sort=title', undefined, 422],
    ['GET', '/orders?cursor=bm9uZQ', undefined, 400],
    ['POST', '/orders/B-NONE/cancel', { reason: 'Ordered by mistake' }, 404],
    ['POST', `/payments/${newId()}/allocate`, { order: 'B-NONE', amount: 1 }, 404],
    ['POST', '/payments', { key: newId(), order: 'B-NONE', amount: 0, paidOn: '2026-01-05', note: 'Cash' }, 422],
    ['POST', '/payments', { key: newId(), order: 'B-NONE', amount: 1, paidOn: '2026-02-30', note: 'Cash' }, 422],
  ] as const)('%s %s is refused', async (method, path, payload, status) => {
    expect((await ask(method, path, payload)).statusCode).toBe(status)
  })

  test('a paid order cannot be cancelled, and a credit cannot pay more than its balance', async () => {
    const company = await makeCompany()
    const [one, other] = [await byInvoice(company), await byInvoice(company)]
    const paid = await ask('POST', '/payments', {
      key: newId(),
      order: one.reference,
      amount: 12_000,
      paidOn: '2026-01-05',
      note: 'In cash',
    })
    expect((await ask('POST', `/orders/${one.reference}/cancel`, { reason: 'Too late' })).json().code).toBe('order_ended')
    const allocate = (amount: number) => ask('POST', `/payments/${paid.json().id}/allocate`, { order: other.reference, amount })
    expect((await allocate(101)).statusCode).toBe(422)
    const both = await Promise.all([allocate(100), allocate(100)])
    expect(both.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  })
})

describe('security', () => {
  const reads = [
    '/orders',
    '/orders.csv',
    '/invoices',
    '/invoices.csv',
    '/payments',
    '/payments.csv',
    '/subscriptions',
    '/subscriptions.csv',
    '/orders/B-NONE',
  ]
  const writes: [Method, string, object][] = [
    ['POST', '/orders/B-NONE/cancel', { reason: 'Because' }],
    ['PUT', '/orders/B-NONE/reminders', { paused: true }],
    ['POST', '/payments', { key: newId(), order: 'B-NONE', amount: 1, paidOn: '2026-01-05', note: 'Cash' }],
    ['POST', `/payments/${newId()}/allocate`, { order: 'B-NONE', amount: 1 }],
  ]

  test('customers see nothing of it; all staff read, and only those with the right write', async () => {
    for (const path of reads) {
      expect([path, (await ask('GET', path, undefined, buyer)).statusCode]).toEqual([path, 403])
      expect((await ask('GET', path, undefined, reader)).statusCode).not.toBe(403)
    }
    for (const [method, path, body] of writes) {
      for (const [person, isRefused] of [
        [buyer, true],
        [reader, true],
        [clerk, false],
        [owner, false],
      ] as const)
        expect([path, (await ask(method, path, body, person)).statusCode === 403]).toEqual([path, isRefused])
    }
  })
})

import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'

vi.hoisted(() => {
  process.env['SELL_TO'] = 'all'
})

import { findOrderRecord } from '#app/billing/admin/order-record.server.ts'
import { requestRefund, sendRefund } from '#app/billing/refunds/refund.server.ts'
import { taxModes } from '#app/content/settings/sections.server.ts'
import { immediateSupply } from '#app/content/withdrawal.ts'
import { db, insert } from '#app/platform/database/db.server.ts'
import { closeLimits } from '#app/platform/guard/limits.server.ts'
import { startApp } from '#test/app.ts'
import { applyWaitingEvents, pressTest, startTestCheckout } from '#test/billing.ts'
import { emailsTo } from '#test/emails.ts'
import { makeDataset, makeProduct, signIn, type SignedIn } from '#test/factories.ts'
import { berlin, saveBilling } from '#test/invoices.ts'
import { settleWithdrawal } from './withdrawal.server.ts'

const app = await startApp()
beforeAll(async () => saveBilling({ ...berlin, mode: taxModes.provider }))
beforeEach(closeLimits)

const sold = async () => {
  const product = await makeProduct({ priceCents: 14_900 })
  await makeDataset(product, 'shop,price\nNorth,1.50\nSouth,2.50\n')
  return product
}
const form = (url: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  app.inject({
    method: 'POST',
    url,
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(fields).toString(),
  })
const facts = { legalName: 'Ada Lovelace', address: '1 Lindenstraße\n10969 Berlin', countryCode: 'DE', vatNumber: 'DE136695976' }
const asConsumer = { ...facts, buysAs: 'consumer', acceptsLicence: 'on', acceptsSupply: 'on', offer: '', code: '', purchaseOrder: '' }
const buy = async (who: SignedIn, slug: string, fields: Record<string, string>) =>
  form(`/data-marketplace/${slug}/buy`, fields, who.headers)
const orderOf = async ({ user }: SignedIn) =>
  db.selectFrom('orders').selectAll().where('userId', '=', user.id).orderBy('createdAt', 'desc').executeTakeFirstOrThrow()
const withdrawalOf = async (orderId: string) => db.selectFrom('orderWithdrawals').selectAll().where('orderId', '=', orderId).execute()

/** A private person with an order, paid or not. */
const bought = async ({ isPaid = true } = {}) => {
  const [buyer, product] = [await signIn(), await sold()]
  await buy(buyer, product.slug, { ...asConsumer, expected: '14900' })
  const order = await orderOf(buyer)
  if (isPaid) await pressTest(await startTestCheckout(order.id), 'pay')
  const email = buyer.user.email ?? ''
  return { buyer, product, order, email, named: { reference: order.reference, email, name: 'Ada Lovelace' } }
}
const settle = async (orderId: string) => {
  for (const { id } of await withdrawalOf(orderId)) await settleWithdrawal(id)
  for (const { id } of await db.selectFrom('refunds').select('id').where('orderId', '=', orderId).execute()) await sendRefund(id)
  await applyWaitingEvents()
}

describe('happy', () => {
  test('people who are signed in find their whole name and their address in the form', async () => {
    const { headers, user } = await signIn('customer', { userMetadata: JSON.stringify({ first_name: 'Ada', last_name: 'Lovelace' }) })
    const { body } = await app.inject({ url: '/withdraw', headers })
    for (const value of ['Ada Lovelace', user.email]) expect(body).toContain(`value="${value}"`)
  })

  test('a private person says so, needs no company and no number, sees the price with tax, agrees to immediate supply, and gets the contract by email', async () => {
    const [buyer, product] = [await signIn(), await sold()]
    const shown = await app.inject({ url: `/data-marketplace/${product.slug}/buy`, headers: buyer.headers })
    expect(shown.body).toContain('I buy for myself')
    const quoted = await buy(buyer, product.slug, { ...asConsumer, intent: 'quote' })
    expect(quoted.body).toContain('$177.31')
    const open = await buy(buyer, product.slug, { ...asConsumer, acceptsSupply: '', expected: '14900' })
    expect([open.statusCode, open.body]).toEqual([422, expect.stringContaining('Agree that the supply begins at once')])
    expect((await buy(buyer, product.slug, { ...asConsumer, buysAs: '' })).body).toContain(
      'Choose whether you buy for your business or for yourself',
    )

    expect((await buy(buyer, product.slug, { ...asConsumer, expected: '14900' })).statusCode).toBe(303)
    const order = await orderOf(buyer)
    expect(order).toMatchObject({ isBusiness: false, taxBy: 'provider', supplyConsent: { ...immediateSupply, acceptedBy: buyer.user.id } })
    const organization = await db.selectFrom('organizations').selectAll().where('id', '=', buyer.user.id).executeTakeFirst()
    expect(organization).toMatchObject({ kind: 'consumer', legalName: 'Ada Lovelace', vatNumber: '' })
    await pressTest(await startTestCheckout(order.id), 'pay')
    const contract = (await emailsTo(buyer.user.email ?? '')).find(({ kind }) => kind === 'contract')?.data
    expect(contract).toMatchObject({
      reference: order.reference,
      amounts: [
        ['Price', '$149.00'],
        ['Tax', '$28.31'],
        ['Total', '$177.31'],
      ],
      consent: { text: immediateSupply.text },
      licence: order.licence?.text,
      terms: expect.stringContaining('Private persons can buy datasets'),
    })
    const [invoice] = await db.selectFrom('invoices').select('document').where('orderId', '=', order.id).execute()
    expect(invoice?.document.buyer).toMatchObject({ isBusiness: false, vatNumber: '' })
  })

  test('two steps without a sign-in: the contract is stated, then confirmed; the receipt comes at once, and unused data is refunded whole', async () => {
    const { product, order, email, named, buyer } = await bought()
    expect((await app.inject({ url: `/terms-of-service` })).body).toContain('Withdraw from contract here')
    const first = await form('/withdraw', { ...named, intent: 'find' })
    expect([first.statusCode, first.body]).toEqual([200, expect.stringContaining('Confirm withdrawal')])
    expect(first.body).toContain(product.name)
    expect(await withdrawalOf(order.id)).toEqual([])
    const [once, twice] = [
      await form('/withdraw', { ...named, intent: 'confirm' }),
      await form('/withdraw', { ...named, intent: 'confirm' }),
    ]
    expect([once.statusCode, twice.statusCode]).toEqual([200, 200])
    expect(once.body).toContain('We have received your withdrawal')
    const receipts = async () => (await emailsTo(email)).filter(({ kind }) => kind === 'withdrawal-received')
    expect(await receipts()).toMatchObject([
      {
        data: {
          reference: order.reference,
          statement: expect.stringContaining('I, Ada Lovelace, withdraw'),
          at: expect.stringContaining('UTC'),
        },
      },
    ])
    const [receipt] = await receipts()
    expect(receipt?.data.next).toContain('If the right of withdrawal applies, we refund $177.31 the way you paid, at the latest 14 days')
    expect(once.body).toContain('we refund $177.31')
    await settle(order.id)
    await settle(order.id)
    const ends = (await emailsTo(email)).filter(({ kind }) => kind === 'withdrawal-settled')
    expect(ends).toMatchObject([{ data: { title: product.name, next: expect.stringContaining('We refund $177.31 the way you paid') } }])
    expect(await withdrawalOf(order.id)).toMatchObject([{ state: 'refunded', name: 'Ada Lovelace', email }])
    const refunds = await db.selectFrom('refunds').selectAll().where('orderId', '=', order.id).execute()
    expect(refunds).toMatchObject([{ amount: 17_731, state: 'succeeded', askedBy: null }])
    const live = await db.selectFrom('entitlements').select('id').where('orderId', '=', order.id).where('revokedAt', 'is', null).execute()
    expect(live).toEqual([])
    const listed = await app.inject({ url: '/api/orders', headers: buyer.headers })
    expect(listed.json().items).toMatchObject([{ reference: order.reference, isConsumer: true, isWithdrawn: true, refunded: 'whole' }])
  })

  test('an order that is not paid yet is cancelled by its withdrawal', async () => {
    const { order, named, email } = await bought({ isPaid: false })
    await form('/withdraw', { ...named, intent: 'confirm' })
    await settle(order.id)
    expect(await withdrawalOf(order.id)).toMatchObject([{ state: 'cancelled' }])
    const told = (await emailsTo(email)).filter(({ kind }) => kind.startsWith('withdrawal-'))
    expect(told.map(({ data }) => data.next)).toEqual([
      'We cancel the order, and nothing is charged. We email you when it is done.',
      'The order is cancelled. Nothing was paid, so nothing has to be refunded.',
    ])
    expect(await db.selectFrom('orders').select('state').where('id', '=', order.id).executeTakeFirst()).toEqual({ state: 'cancelled' })
  })
})

describe('errors', () => {
  const tasksOf = async (orderId: string) =>
    db.selectFrom('billingTasks').select(['kind', 'theirs']).where('orderId', '=', orderId).execute()

  test('where supply has begun with consent, or 14 days are over, it is stored and staff decide', async () => {
    const used = await bought()
    await insert(db, 'downloads', {
      userId: used.buyer.user.id,
      organizationId: used.buyer.user.id,
      productId: used.product.id,
      type: 'file',
      format: 'csv',
    })
    const late = await bought()
    await sql`UPDATE orders SET created_at = now() - interval '17 days' WHERE id = ${late.order.id}`.execute(db)
    for (const { order, named } of [used, late]) {
      expect((await form('/withdraw', { ...named, intent: 'confirm' })).statusCode).toBe(200)
      await settle(order.id)
      expect(await withdrawalOf(order.id)).toMatchObject([{ state: 'staff' }])
      expect(await db.selectFrom('refunds').select('id').where('orderId', '=', order.id).execute()).toEqual([])
    }
    expect(await tasksOf(used.order.id)).toEqual([{ kind: 'withdrawal', theirs: expect.stringContaining('agreed to immediate supply') }])
    expect(await tasksOf(late.order.id)).toEqual([{ kind: 'withdrawal', theirs: 'It came after 14 days.' }])

    // Once it was decided, against it or by a refund, the page no longer says that it waits.
    const pageOf = async ({ named }: typeof used) => (await form('/withdraw', { ...named, intent: 'find' })).body
    const recordOf = async ({ order }: typeof used) => (await findOrderRecord(order.reference, 'nobody'))?.withdrawal
    expect(await pageOf(used)).toContain('We check whether the right of withdrawal applies')
    expect(await recordOf(used)).toMatchObject({ state: 'staff', isDecided: false })
    await db.updateTable('billingTasks').set({ doneAt: new Date() }).where('orderId', '=', used.order.id).execute()
    expect(await pageOf(used)).toContain('We have reviewed your withdrawal.')
    expect(await recordOf(used)).toMatchObject({ state: 'staff', isDecided: true })
    const { paymentId } = await db
      .selectFrom('paymentAllocations')
      .select('paymentId')
      .where('orderId', '=', late.order.id)
      .executeTakeFirstOrThrow()
    const goodwill = { paymentId, orderId: late.order.id, amount: (await orderOf(late.buyer)).gross, reason: 'Goodwill' }
    // A second person can still decline it.
    const asked = await requestRefund(goodwill, {}, 1)
    expect(asked.state).toBe('asked')
    expect(await pageOf(late)).toContain('We check whether the right of withdrawal applies to your payment of $177.31')
    expect(await pageOf(late)).not.toContain('We refund')
    await db.updateTable('refunds').set({ state: 'declined' }).where('id', '=', asked.id).execute()
    await requestRefund(goodwill, {}, false)
    expect(await pageOf(late)).toContain('We refund $177.31 the way you paid. Your access to the dataset ends with it.')
    expect(await pageOf(late)).not.toContain('We check')
  })

  test('a query, and a further page of the rows, begin the supply as a file does, once the consent says so; the first page does not', async () => {
    const rows = async ({ buyer, product }: Awaited<ReturnType<typeof bought>>, cursor = '') => {
      const url = `/api/v1/datasets/${product.slug}/rows?limit=1${cursor && `&cursor=${cursor}`}`
      return (await app.inject({ url, headers: buyer.headers })).json().nextCursor
    }
    const query = async ({ buyer, product }: Awaited<ReturnType<typeof bought>>) =>
      app.inject({
        method: 'POST',
        url: `/api/data-products/${product.id}/query`,
        headers: buyer.headers,
        payload: { sql: 'SELECT * FROM data' },
      })
    const [looked, turned, queried, earlier] = [await bought(), await bought(), await bought(), await bought()]
    await rows(looked)
    await rows(turned, await rows(turned))
    for (const each of [queried, earlier]) expect((await query(each)).statusCode).toBe(200)
    // Of an order whose consent named files and the API alone.
    const supplyConsent = JSON.stringify({ ...immediateSupply, version: '2026-11', acceptedAt: '', acceptedBy: earlier.buyer.user.id })
    await db.updateTable('orders').set({ supplyConsent }).where('id', '=', earlier.order.id).execute()
    for (const [{ order, named }, state] of [
      [looked, 'refunded'],
      [turned, 'staff'],
      [queried, 'staff'],
      [earlier, 'refunded'],
    ] as const) {
      await form('/withdraw', { ...named, intent: 'confirm' })
      await settle(order.id)
      expect(await withdrawalOf(order.id)).toMatchObject([{ state }])
    }
  })

  test('the license has words for an organization and for a private person', async () => {
    const { order } = await bought()
    expect(order.licence?.text).toContain('grants the buyer, an organization or a private person')
    expect(order.licence?.text).not.toContain('the buying organization a')
  })

  test('the fields of a withdrawal are named where they are missing', async () => {
    const refused = await form('/withdraw', { intent: 'find', reference: '', email: 'ada', name: '' })
    expect(refused.statusCode).toBe(422)
    for (const sentence of ['Enter the order number', 'Enter the email address you ordered with', 'Enter your name'])
      expect(refused.body).toContain(sentence)
  })
})

describe('security', () => {
  test('another address, an order of a business and a number that does not exist get one answer, and guesses end', async () => {
    const [{ named, order }, company, product] = [await bought(), await signIn(), await sold()]
    await buy(company, product.slug, { ...asConsumer, buysAs: 'business', expected: '14900' })
    const business = { reference: (await orderOf(company)).reference, email: company.user.email ?? '', name: 'Ada' }
    for (const hostile of [{ ...named, email: 'eve@example.com' }, business, { ...named, reference: 'B-NOTHING' }]) {
      const answer = await form('/withdraw', { ...hostile, intent: 'confirm' })
      expect([answer.statusCode, answer.body]).toEqual([422, expect.stringContaining('No order of a private person')])
    }
    expect(await withdrawalOf(order.id)).toEqual([])
    const codes = []
    for (let count = 0; count < 12; count += 1)
      codes.push((await form('/withdraw', { ...named, email: `eve${count}@example.com`, intent: 'find' })).statusCode)
    expect(codes.at(-1)).toBe(429)
  })

  test('a company is never bought for as a private person, and without the tax of the provider nobody is', async () => {
    const [buyer, product] = [await signIn(), await sold()]
    await saveBilling({ ...berlin })
    const shown = await app.inject({ url: `/data-marketplace/${product.slug}/buy`, headers: buyer.headers })
    expect(shown.body).not.toContain('I buy for myself')
    const refused = await buy(buyer, product.slug, { ...asConsumer, expected: '14900' })
    expect([refused.statusCode, refused.body]).toEqual([422, expect.stringContaining('we sell to businesses only')])
    await saveBilling({ ...berlin, mode: taxModes.provider })
  })
})

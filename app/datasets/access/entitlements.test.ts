import { beforeEach, describe, expect, test } from 'vitest'
import { EMAIL_JOB, enqueuedEmail } from '#app/mail/outbox.server.ts'
import { db, insert, newId } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { forgetLimits, tally } from '#test/auth.ts'
import { signIn, type SignedIn } from '#test/factories.ts'
import { emailsTo } from '#test/emails.ts'
import { personalOf } from '#app/organizations/organization/membership.server.ts'
import { servedTo } from '#app/datasets/catalog/served-version.server.ts'
import { accessTo, allowEntry } from './access.server.ts'
import { grant } from './grant.server.ts'

const app = await startEndpoints()
const staff = await signIn('staff')
beforeEach(forgetLimits)

const DAY_MS = 24 * 3_600_000
const paid = async (given: { hidden?: boolean; priceCents?: number } = {}) => {
  const priceCents = given.priceCents ?? 4900
  const words = { slug: `prices-${newId()}`, name: 'Prices of 8 shops', description: 'Daily.', category: 'Retail' }
  return insert(db, 'dataProducts', { ...words, position: 1, hidden: false, ...given, priceCents, isFree: priceCents === 0 })
}
type Product = Awaited<ReturnType<typeof paid>>

const send = (who: Partial<SignedIn>, method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) =>
  app.inject({ method, url, ...(who.headers && { headers: who.headers }), ...(payload && { payload }) })
const ask = (who: Partial<SignedIn>, { slug }: Pick<Product, 'slug'>, message = 'For our price monitor.') =>
  send(who, 'POST', `/api/data-products/${slug}/request-access`, { message })
const give = ({ id }: Product, payload: object, who = staff) => send(who, 'POST', `/api/data-products/${id}/entitlements`, payload)
const waiting = async ({ id }: Product) =>
  (await send(staff, 'GET', '/api/product-requests')).json().filter(({ productId }: { productId: string }) => productId === id)
const stateOf = (product: Product, { user }: SignedIn) =>
  accessTo(product, { id: user.id, role: 'customer', organization: personalOf(user.id) })
const kindsTo = async ({ user }: SignedIn) => (await emailsTo(user.email ?? '')).map(({ kind }) => kind)
/** The leads that emails of a kind are about: replies to them come there. */
const leadsOf = async (kind: string, { user }: SignedIn) => {
  const jobs = await db.selectFrom('jobs').select('payload').where('kind', '=', EMAIL_JOB).execute()
  const emails = jobs.map(({ payload }) => enqueuedEmail.parse(payload)).filter((email) => email.kind === kind && email.to === user.email)
  return emails.map(({ contactId }) => contactId)
}
const events = async ({ user }: SignedIn) =>
  (await db.selectFrom('auditEvents').select('action').where('subjectId', '=', user.id).orderBy('id').execute()).map(({ action }) => action)

describe('happy', () => {
  test('a customer asks, which is a lead; staff see and grant it with its bank transfer; the customer has it and a letter says until when', async () => {
    const [product, customer] = [await paid(), await signIn()]
    expect(await stateOf(product, customer)).toBe('pay')
    const asked = await ask(customer, product)
    expect([asked.statusCode, Object.keys(asked.json())]).toEqual([201, ['id', 'createdAt']])

    const [request, ...others] = await waiting(product)
    expect(others).toEqual([])
    expect(request).toMatchObject({
      id: asked.json().id,
      slug: product.slug,
      product: product.name,
      email: customer.user.email,
      outcome: null,
    })
    const lead = await db.selectFrom('contacts').selectAll().where('id', '=', request.contactId).executeTakeFirstOrThrow()
    expect(lead).toMatchObject({ form: 'contact', name: 'Ada', email: customer.user.email, problem: 'Access to Prices of 8 shops' })
    expect([lead.message, lead.quarantinedAt]).toEqual(['For our price monitor.', null])
    expect(await kindsTo(customer)).toEqual(['acknowledgement'])
    const notices = await db.selectFrom('jobs').select('payload').where('kind', '=', 'notifications.tell').execute()
    expect(notices.map(({ payload }) => payload)).toContainEqual(
      expect.objectContaining({ title: `Access to ${product.name} requested by Ada`, link: `/leads/${lead.reference}` }),
    )

    const expiresAt = new Date(Date.now() + 30 * DAY_MS).toISOString()
    const grounds = { note: 'Paid on Monday.', paymentReference: 'INV-2026-17', expiresAt }
    const granted = await give(product, { requestId: request.id, ...grounds })
    expect([granted.statusCode, granted.json()]).toMatchObject([201, { userId: customer.user.id, email: customer.user.email, ...grounds }])
    expect(await stateOf(product, customer)).toBe('granted')
    expect(await waiting(product)).toEqual([])
    expect((await emailsTo(customer.user.email ?? '')).at(-1)).toEqual({
      kind: 'dataset-granted',
      data: { slug: product.slug, name: product.name, until: expiresAt },
    })
    expect(await leadsOf('dataset-granted', customer)).toEqual([lead.id])
    expect(await events(customer)).toEqual(['dataset_requested', 'dataset_granted'])
    // The lead waits for nothing any more, and the customer reads so.
    const settled = await db.selectFrom('contacts').select(['answeredAt', 'proposal']).where('id', '=', lead.id).executeTakeFirstOrThrow()
    expect(settled).toEqual({ answeredAt: expect.any(Date), proposal: 'not_needed' })
    const clocks = await db.selectFrom('leadClocks').select('state').where('contactId', '=', lead.id).execute()
    expect(new Set(clocks.map(({ state }) => state))).toEqual(new Set(['ended']))
    expect((await send(customer, 'GET', '/api/workspace')).json().enquiries).toMatchObject([{ id: lead.id, stage: 'granted' }])
    const all = (await send(staff, 'GET', '/api/product-requests?state=all')).json()
    expect(all[0]).toMatchObject({ id: request.id, outcome: 'granted' })
  })

  test('staff give by address, in whatever case, and by account; given anew, the new terms count and the old ones stay to be seen', async () => {
    const [product, customer] = [await paid(), await signIn()]
    expect((await give(product, { email: customer.user.email?.toUpperCase() })).json()).toMatchObject({ expiresAt: null })
    const again = await give(product, { userId: customer.user.id, expiresAt: new Date(Date.now() + DAY_MS).toISOString() })
    const listed = (await send(staff, 'GET', `/api/data-products/${product.slug}/entitlements`)).json()
    expect(
      listed.map(({ id, revokedAt }: { id: string; revokedAt: string | null }) => [id === again.json().id, revokedAt === null]),
    ).toEqual([
      [true, true],
      [false, false],
    ])
    expect(listed[0].email).toBe(customer.user.email)
  })

  test('taken back, it counts at once, and a letter says so; so does its end', async () => {
    const [product, customer, other] = [await paid(), await signIn(), await signIn()]
    const { id } = (await give(product, { userId: customer.user.id })).json()
    await give(product, { userId: other.user.id })
    expect((await send(staff, 'DELETE', `/api/entitlements/${id}`)).statusCode).toBe(204)
    expect([await stateOf(product, customer), await stateOf(product, other)]).toEqual(['pay', 'granted'])
    expect(await kindsTo(customer)).toEqual(['dataset-granted', 'dataset-revoked'])
    expect(await events(customer)).toEqual(['dataset_granted', 'dataset_revoked'])
    expect((await send(staff, 'DELETE', `/api/entitlements/${id}`)).statusCode).toBe(404)
    const past = new Date(Date.now() - 1000)
    await db.updateTable('entitlements').set({ expiresAt: past }).where('userId', '=', other.user.id).execute()
    expect(await stateOf(product, other)).toBe('pay')
  })

  test('access that ends while a request is answered opens no version, also of a purchase of some versions', async () => {
    const [product, { user }] = [await paid(), await signIn()]
    await give(product, { userId: user.id })
    const until = new Date(Date.now() - DAY_MS)
    const ofPerson = db.updateTable('entitlements').where('userId', '=', user.id)
    await ofPerson.set({ versionsUntil: until }).execute()
    const person = { id: user.id, role: 'customer', organization: personalOf(user.id) } as const
    const served = async () => servedTo({ product, version: undefined }, person)
    expect(await served()).toMatchObject({ versionsUntil: until })
    await ofPerson.set({ expiresAt: new Date(Date.now() - 1000) }).execute()
    expect(await served()).toBeUndefined()
    await expect(allowEntry({ product, version: undefined }, person)).rejects.toMatchObject({ status: 402 })
  })

  test('declined, the customer reads why, and may ask again', async () => {
    const [product, customer] = [await paid(), await signIn()]
    const { id } = (await ask(customer, product)).json()
    const decline = () => send(staff, 'POST', `/api/product-requests/${id}/decline`, { reason: 'We sell it to\nresearchers only.' })
    expect(tally(await Promise.all([decline(), decline()]))).toEqual({ 204: 1, 404: 1 })
    const emails = (await emailsTo(customer.user.email ?? '')).filter(({ kind }) => kind === 'dataset-declined')
    expect(emails.map(({ data }) => data.reason)).toEqual(['We sell it to\nresearchers only.'])
    expect(await leadsOf('dataset-declined', customer)).toEqual([expect.any(String)])
    expect((await give(product, { requestId: id })).statusCode).toBe(409)
    expect((await send(customer, 'GET', '/api/workspace')).json().enquiries).toMatchObject([{ stage: 'declined', owesProposal: false }])
    expect((await ask(customer, product)).json().id).not.toBe(id)
  })

  test('a payment that is told twice, or ten times at once, is one entitlement and one letter', async () => {
    const [product, customer] = [await paid(), await signIn()]
    const payment = { productId: product.id, userId: customer.user.id, organizationId: customer.user.id, paymentReference: 'pay_17' }
    const given = await Promise.all(Array.from({ length: 10 }, () => grant(payment, { id: staff.user.id })))
    expect(new Set(given.map(({ id }) => id)).size).toBe(1)
    expect(await kindsTo(customer)).toEqual(['dataset-granted'])
  })

  test('an account that a hosted service keeps is named by its address there', async () => {
    const product = await paid()
    const account = await insert(db, 'hostedAccounts', { email: `${newId()}@example.com`, emailConfirmedAt: new Date() })
    await insert(db, 'entitlements', { productId: product.id, userId: account.id, organizationId: account.id, grantedBy: staff.user.id })
    expect(await accessTo(product, { id: account.id, role: 'customer', organization: personalOf(account.id) })).toBe('granted')
    const [listed] = (await send(staff, 'GET', `/api/data-products/${product.id}/entitlements`)).json()
    expect(listed).toMatchObject({ userId: account.id, email: account.email })
  })
})

describe('error', () => {
  test('ten requests at the same moment are one, with one lead', async () => {
    const [product, customer] = [await paid(), await signIn()]
    const replies = await Promise.all(Array.from({ length: 10 }, () => ask(customer, product)))
    expect(tally(replies)).toEqual({ 201: 10 })
    expect(new Set(replies.map((reply) => reply.json().id)).size).toBe(1)
    const leads = await db
      .selectFrom('contacts')
      .select('id')
      .where('email', '=', customer.user.email ?? '')
      .execute()
    expect(leads).toHaveLength(1)
    expect(await events(customer)).toEqual(['dataset_requested'])
  })

  test('what one has, or what is free, cannot be asked for; who is not confirmed confirms first; too often is told', async () => {
    const [product, customer] = [await paid(), await signIn()]
    await give(product, { userId: customer.user.id })
    const had = await ask(customer, product)
    expect([had.statusCode, had.json().code]).toEqual([409, 'already_granted'])
    expect((await ask(customer, await paid({ priceCents: 0 }))).statusCode).toBe(409)
    const unproven = await ask(await signIn('customer', { emailConfirmedAt: null }), product)
    expect([unproven.statusCode, unproven.json().code]).toEqual([403, 'email_not_confirmed'])
    for (let count = 0; count < 20; count += 1) await ask(customer, await paid())
    expect((await ask(customer, await paid())).statusCode).toBe(429)
  })

  test.each([
    ['nobody', {}, 'email', 422],
    ['two at once', { email: 'a@example.com', userId: newId() }, 'email', 422],
    ['an address without an account', { email: 'nobody@example.com' }, 'email', 422],
    ['a part of an address', { email: '@example.com' }, 'email', 422],
    ['a NUL in it', { email: 'nobody\0@example.com' }, 'email', 422],
    ['an end in the past', { userId: newId(), expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt', 422],
    ['an end that is no moment', { userId: newId(), expiresAt: 'soon' }, 'expiresAt', 422],
    ['an account that is none', { userId: newId() }, undefined, 422],
    ['a request that is none', { requestId: newId() }, undefined, 409],
    ['a note without end', { userId: newId(), note: 'x'.repeat(1001) }, 'note', 422],
  ])('nothing is given to %s', async (_name, body, field, status) => {
    const product = await paid()
    const reply = await give(product, body)
    expect([reply.statusCode, Object.keys(reply.json().errors ?? {})]).toEqual([status, field ? [field] : []])
    expect(await db.selectFrom('entitlements').select('id').where('productId', '=', product.id).execute()).toEqual([])
  })

  test('a request for one dataset gives no other', async () => {
    const [product, other, customer] = [await paid(), await paid(), await signIn()]
    const { id } = (await ask(customer, product)).json()
    expect((await give(other, { requestId: id })).statusCode).toBe(409)
    expect(await waiting(product)).toHaveLength(1)
  })
})

describe('security', () => {
  test('an account that nobody has proven is granted nothing, and staff read why', async () => {
    const [product, stranger] = [await paid(), await signIn('customer', { emailConfirmedAt: null })]
    for (const who of [{ userId: stranger.user.id }, { email: stranger.user.email }]) {
      const refused = await give(product, who)
      expect([refused.statusCode, refused.json().code]).toEqual([409, 'address_not_proven'])
      expect(refused.json().detail).toBe('This account has not confirmed its email address yet. Grant access after that.')
    }
    expect(await db.selectFrom('entitlements').select('id').where('userId', '=', stranger.user.id).execute()).toEqual([])
    expect(await kindsTo(stranger)).toEqual([])
  })

  test('customers and strangers see no requests and give, take and decline nothing, not even for themselves', async () => {
    const [product, customer] = [await paid(), await signIn()]
    const { id: entitled } = (await give(product, { userId: (await signIn()).user.id })).json()
    const { id: asked } = (await ask(customer, product)).json()
    const doors = [
      ['GET', '/api/product-requests'],
      ['GET', `/api/data-products/${product.id}/entitlements`],
      ['POST', `/api/data-products/${product.id}/entitlements`, { userId: customer.user.id }],
      ['POST', `/api/product-requests/${asked}/decline`, {}],
      ['DELETE', `/api/entitlements/${entitled}`],
    ] as const
    for (const [method, url, body] of doors) {
      expect([url, (await send({}, method, url, body)).statusCode]).toEqual([url, 401])
      expect([url, (await send(customer, method, url, body)).statusCode]).toEqual([url, 403])
    }
    expect((await ask({}, product)).statusCode).toBe(401)
    expect(await stateOf(product, customer)).toBe('pay')
  })

  test('a hidden dataset is none for customers; staff may give it', async () => {
    const [product, customer] = [await paid({ hidden: true }), await signIn()]
    expect((await ask(customer, product)).statusCode).toBe(404)
    expect((await give(product, { userId: customer.user.id })).statusCode).toBe(201)
  })

  test('what a customer writes is words: cleaned, bounded, and never a second recipient', async () => {
    const [product, customer] = [await paid(), await signIn()]
    expect((await ask(customer, product, 'x'.repeat(2001))).json().errors).toHaveProperty('message')
    await ask(customer, product, 'Hello\u202E\u0000\r\nBcc: all@example.com')
    expect((await waiting(product))[0].message).toBe('Hello\nBcc: all@example.com')
  })
})

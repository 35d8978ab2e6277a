import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { issueInvoice } from '#app/billing/invoices/invoice.server.ts'
import { makeKey } from '#app/data-api/keys/api-key.server.ts'
import { openKey } from '#app/data-api/keys/key-holder.server.ts'
import { ownKeys } from '#app/data-api/keys/key-holding.server.ts'
import { db, newId, transaction } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { emailsTo } from '#test/emails.ts'
import { makeContact, signIn } from '#test/factories.ts'
import { berlin, makeCompany, makeOrder, saveBilling } from '#test/invoices.ts'
import { codeOf, join, organizationsOf, paidDataset } from '#test/organizations.ts'
import { organizationPage, staffOrganization } from './staff-organization.ts'

const app = await startEndpoints()
const { call, found } = organizationsOf(app)
const staff = await signIn('staff')

const read = async (id: string) => staffOrganization.parse((await call(staff, 'GET', `/api/admin/organizations/${id}`)).json())
const list = async (query = '') =>
  organizationPage.parse((await call(staff, 'GET', `/api/admin/organizations${query}`)).json()).organizations
const grant = (productId: string, organization: string, expiresAt: string | null = null) =>
  call(staff, 'POST', `/api/data-products/${productId}/entitlements`, { organization, expiresAt })
const merge = (id: string, into: string, addsQuota = false) =>
  call(staff, 'POST', `/api/admin/organizations/${id}/merge`, { into, addsQuota })
const grantsOf = (organizationId: string, productId: string) =>
  db
    .selectFrom('entitlements')
    .select(['id', 'expiresAt'])
    .where('organizationId', '=', organizationId)
    .where('productId', '=', productId)
    .where('revokedAt', 'is', null)
    .execute()

describe('happy', () => {
  test('staff add a company, find it by name, reference and member, and invite its first admin', async () => {
    const added = await call(staff, 'POST', '/api/admin/organizations', { name: 'Fjord Outdoor', email: 'maria@fjord.example' })
    const { id, reference } = staffOrganization.parse(added.json())
    expect((await emailsTo('maria@fjord.example')).map(({ kind }) => kind)).toEqual(['organization-invitation'])
    const member = await join(id, 'member', await signIn('customer', { email: 'tom@tools.example' }))
    for (const q of ['fjord', reference, 'tom@tools']) expect((await list(`?q=${q}`)).map((row) => row.id)).toEqual([id])
    expect(await list('?q=100%25')).toEqual([])
    expect((await call(staff, 'GET', '/api/search?q=fjord')).json().hits).toMatchObject([{ kind: 'Organization', title: 'Fjord Outdoor' }])
    expect(await list(`?q=${reference}`)).toMatchObject([{ members: 1, lacksAdmin: true, datasets: 0 }])

    // Nobody can manage it, so staff may name an admin; afterwards, the admin decides.
    expect((await read(id)).lacksAdmin).toBe(true)
    const name = (email: string) => call(staff, 'POST', `/api/admin/organizations/${id}/admin`, { email })
    expect((await name(member.user.email ?? '')).statusCode).toBe(200)
    expect(codeOf(await name('maria@fjord.example'))).toBeUndefined()
    expect((await read(id)).lacksAdmin).toBe(false)
    expect((await list(`?q=${reference}`))[0]?.lacksAdmin).toBe(false)
    await db
      .updateTable('users')
      .set({ bannedUntil: new Date(Date.now() + 60_000) })
      .where('id', '=', member.user.id)
      .execute()
    expect((await list(`?q=${reference}`))[0]?.lacksAdmin).toBe(true)
  })

  test('staff change facts of both kinds, and are told of another company with the same VAT number', async () => {
    const [one, other] = [await found(await signIn()), await found(await signIn(), { name: 'Acme Wholesale' })]
    const change = (id: string, body: object) => call(staff, 'PATCH', `/api/admin/organizations/${id}`, { version: 0, ...body })
    await change(one.id, { vatNumber: 'DE123456789', currency: 'eur', paymentDays: 30, notes: 'Pays late.', monthlyQuota: 500 })
    await change(other.id, { vatNumber: 'de 123456789' })
    expect(await read(one.id)).toMatchObject({
      currency: 'EUR',
      paymentDays: 30,
      notes: 'Pays late.',
      monthlyQuota: 500,
      sameVat: [{ id: other.id, name: 'Acme Wholesale' }],
    })
  })

  test('a merge joins grants, of two for one dataset the later end; members keep the higher role; keys and leads move; the undo takes it back', async () => {
    const [founder, other, both] = [await signIn(), await signIn(), await signIn()]
    const [from, into] = [await found(founder), await found(other, { name: 'Acme Group' })]
    await join(from.id, 'admin', both)
    await join(into.id, 'reader', both)
    const [shared, alone] = [await paidDataset(), await paidDataset()]
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
    await grant(shared.id, from.id, day(300))
    await grant(shared.id, into.id, day(10))
    await grant(alone.id, from.id)
    const { key } = await makeKey(ownKeys(founder.user.id, from.id), { name: 'Nightly', productIds: null, expiresInDays: null }, {})
    const lead = await makeContact()
    await call(staff, 'PUT', `/api/leads/${lead.id}/organization`, { organization: from.reference })
    const rolesOf = async (id: string) => {
      const rows = await db.selectFrom('organizationMembers').selectAll().where('organizationId', '=', id).execute()
      return Object.fromEntries(rows.map(({ userId, role }) => [userId, role]))
    }
    const liveOf = async (id: string) => {
      const rows = await db.selectFrom('entitlements').selectAll().where('organizationId', '=', id).where('revokedAt', 'is', null).execute()
      return rows
        .map(({ productId, expiresAt }) => ({ productId, until: expiresAt?.toISOString() ?? null }))
        .toSorted((one, other) => one.productId.localeCompare(other.productId))
    }
    const before = [await rolesOf(from.id), await rolesOf(into.id), await liveOf(from.id), await liveOf(into.id)]

    expect((await merge(from.id, into.reference ?? '', true)).statusCode).toBe(200)
    expect(await rolesOf(into.id)).toEqual({ [other.user.id]: 'admin', [both.user.id]: 'admin', [founder.user.id]: 'admin' })
    expect((await liveOf(into.id)).map(({ productId }) => productId)).toEqual([shared.id, alone.id].toSorted())
    const lasting = (await liveOf(into.id)).find(({ productId }) => productId === shared.id)?.until ?? ''
    expect(Date.parse(lasting)).toBeGreaterThan(Date.parse(day(200)))
    expect((await openKey(key, '127.0.0.1')).owner.organization.id).toBe(into.id)
    expect((await call(staff, 'GET', `/api/leads/${lead.id}/organization`)).json().organization.id).toBe(into.id)
    expect(await read(into.id)).toMatchObject({ monthlyQuota: 400_000, merges: [{ name: 'Acme Retail' }] })
    expect((await read(from.id)).mergedInto).toEqual({ reference: into.reference, name: 'Acme Group' })
    expect((await call(founder, 'GET', `/api/organizations/${from.id}`)).statusCode).toBe(404)

    const [merged] = (await read(into.id)).merges
    const undo = () => call(staff, 'POST', `/api/admin/organization-merges/${merged?.id}/undo`)
    expect((await undo()).statusCode).toBe(204)
    expect([await rolesOf(from.id), await rolesOf(into.id), await liveOf(from.id), await liveOf(into.id)]).toEqual(before)
    expect((await openKey(key, '127.0.0.1')).owner.organization.id).toBe(from.id)
    expect((await read(into.id)).monthlyQuota).toBe(200_000)
    expect((await undo()).statusCode).toBe(404)
  })

  test('the undo leaves what was granted, asked and revoked since', async () => {
    const [person, founder] = [await signIn(), await signIn()]
    const { id } = await found(founder)
    const alone = person.user.id
    const [again, revoked, asked, doubled] = [await paidDataset(), await paidDataset(), await paidDataset(), await paidDataset()]
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
    const grantAlone = (productId: string, days: number) =>
      call(staff, 'POST', `/api/data-products/${productId}/entitlements`, { userId: alone, expiresAt: day(days) })
    const request = (productId: string, who = person) =>
      db
        .insertInto('productRequests')
        .values({ id: newId(), productId, userId: who.user.id, organizationId: who === person ? alone : id })
        .execute()
    await grantAlone(again.id, 10)
    await grantAlone(revoked.id, 10)
    await grant(revoked.id, id)
    await request(asked.id)
    await request(doubled.id)
    await request(doubled.id, founder)
    expect((await merge(alone, id)).statusCode).toBe(200)

    const [lasting] = await grantsOf(id, revoked.id)
    await grantAlone(again.id, 50)
    await call(staff, 'DELETE', `/api/entitlements/${lasting?.id}`)
    await request(asked.id)
    await request(doubled.id)
    const [merged] = (await read(id)).merges
    expect((await call(staff, 'POST', `/api/admin/organization-merges/${merged?.id}/undo`)).statusCode).toBe(204)

    expect((await grantsOf(alone, again.id)).map(({ expiresAt }) => expiresAt?.toISOString().slice(0, 10))).toEqual([day(50).slice(0, 10)])
    expect([...(await grantsOf(alone, revoked.id)), ...(await grantsOf(id, revoked.id))]).toEqual([])
    const open = await db
      .selectFrom('productRequests')
      .select(['organizationId', 'productId'])
      .where('organizationId', 'in', [alone, id])
      .where('settledAt', 'is', null)
      .execute()
    expect(new Set(open.map(({ organizationId, productId }) => `${organizationId} ${productId}`))).toEqual(
      new Set([`${alone} ${asked.id}`, `${alone} ${doubled.id}`, `${id} ${doubled.id}`]),
    )
  })

  test('the undo gives back the role that the merge raised, but not one that an admin has changed since', async () => {
    const [founder, other, raised, lowered] = [await signIn(), await signIn(), await signIn(), await signIn()]
    const [from, into] = [await found(founder), await found(other)]
    for (const person of [raised, lowered]) {
      await join(from.id, 'admin', person)
      await join(into.id, 'buyer', person)
    }
    expect((await merge(from.id, into.id)).statusCode).toBe(200)
    await call(other, 'PATCH', `/api/organizations/${into.id}/members/${lowered.user.id}`, { role: 'reader' })
    const [merged] = (await read(into.id)).merges
    await call(staff, 'POST', `/api/admin/organization-merges/${merged?.id}/undo`)
    const members = await db.selectFrom('organizationMembers').selectAll().where('organizationId', '=', into.id).execute()
    expect(Object.fromEntries(members.map(({ userId, role }) => [userId, role]))).toEqual({
      [other.user.id]: 'admin',
      [raised.user.id]: 'buyer',
      [lowered.user.id]: 'reader',
    })
  })

  test('a person alone joins a company as a member with what they had, and manages nothing there; the undo takes it back', async () => {
    const [person, product] = [await signIn(), await paidDataset()]
    const { id } = await found(await signIn())
    await call(staff, 'POST', `/api/data-products/${product.id}/entitlements`, { userId: person.user.id })
    expect((await merge(person.user.id, id)).statusCode).toBe(200)
    expect((await call(person, 'GET', `/api/organizations/${id}`)).json().role).toBe('member')
    const access = async (organization: string) =>
      (await call(person, 'GET', `/api/data-products/${product.slug}`, undefined, organization)).json().access
    expect([await access(id), await access(person.user.id)]).toEqual(['granted', 'pay'])
    const [merged] = (await read(id)).merges
    await call(staff, 'POST', `/api/admin/organization-merges/${merged?.id}/undo`)
    expect((await call(person, 'GET', `/api/organizations/${id}`)).statusCode).toBe(404)
    expect(await access(person.user.id)).toBe('granted')
  })

  test('the orders of a merged company move, its invoices keep its name, and buyers of the one that stays read both', async () => {
    await saveBilling(berlin)
    const buyer = await signIn()
    const [from, into] = [await makeCompany(), await found(await signIn(), { name: 'Acme Group' })]
    await join(into.id, 'buyer', buyer)
    const order = await makeOrder(from)
    const invoice = await transaction((trx) => issueInvoice(trx, order.id, 'invoice'))
    await db.updateTable('orders').set({ state: 'paid', paidAt: new Date() }).where('id', '=', order.id).execute()
    const seen = async () => {
      const orders = z.object({ items: z.array(z.object({ reference: z.string() })) })
      const [own, invoices, file] = [
        await call(buyer, 'GET', '/api/orders', undefined, into.id),
        await call(buyer, 'GET', `/api/organizations/${into.id}/invoices`),
        await call(buyer, 'GET', `/api/invoices/${invoice.id}/pdf`),
      ]
      return [orders.parse(own.json()).items.map(({ reference }) => reference), invoices.json().length, file.statusCode]
    }
    expect(await seen()).toEqual([[], 0, 404])
    expect((await merge(from.id, into.reference ?? '')).statusCode).toBe(200)
    // The document is made by a job, which has not run here.
    expect(await seen()).toEqual([[order.reference], 1, 503])
    expect((await read(into.id)).monthlyQuota).toBe(200_000)
    const panel = z
      .array(z.object({ reference: z.string() }))
      .parse((await call(staff, 'GET', `/api/admin/organizations/${into.id}/orders`)).json())
    expect(panel.map(({ reference }) => reference)).toEqual([order.reference])
  })

  test('a suspended company can be looked at, and does nothing; reopened, it has what it had', async () => {
    const [founder, product] = [await signIn(), await paidDataset()]
    const { id } = await found(founder)
    await grant(product.id, id)
    const set = (state: string) => call(staff, 'PUT', `/api/admin/organizations/${id}/state`, { state })
    const take = () =>
      call(founder, 'POST', `/api/data-products/${product.slug}/download`, { downloadType: 'file', format: 'original' }, id)
    await set('suspended')
    expect(codeOf(await take())).toBe('organization_suspended')
    expect((await call(founder, 'GET', `/api/organizations/${id}`)).statusCode).toBe(200)
    await set('active')
    expect((await take()).statusCode).toBe(200)
  })
})

describe('error', () => {
  test('a merge into itself, into a person, into nothing, or of a merged one is refused with a sentence; an old one is not undone', async () => {
    const [person, founder] = [await signIn(), await signIn()]
    const [one, other] = [await found(founder), await found(founder, { name: 'Acme Group' })]
    expect((await merge(one.id, one.id)).json().errors).toEqual({ into: 'Choose another organization' })
    expect(codeOf(await merge(one.id, person.user.id))).toBe('personal_organization')
    expect((await merge(one.id, 'O-NONE')).json().errors).toEqual({ into: 'There is no such organization' })
    await merge(one.id, other.id)
    expect((await merge(other.id, one.id)).statusCode).toBe(404)
    await sql`UPDATE organization_merges SET created_at = now() - interval '31 days'`.execute(db)
    const { id } = await db.selectFrom('organizationMerges').select('id').where('organizationId', '=', one.id).executeTakeFirstOrThrow()
    expect(codeOf(await call(staff, 'POST', `/api/admin/organization-merges/${id}/undo`))).toBe('too_late')
  })

  test('an admin is named only where there is none, and only an account can be', async () => {
    const { id } = await found(await signIn())
    const name = (email: string) => call(staff, 'POST', `/api/admin/organizations/${id}/admin`, { email })
    expect((await name('nobody@example.com')).json().errors.email).toContain('No account')
    const assumed = await signIn('customer', { emailAssumed: true })
    expect((await name(assumed.user.email ?? '')).json().errors.email).toContain('No account has confirmed')
    expect(codeOf(await name((await signIn()).user.email ?? ''))).toBe('has_admin')
  })
})

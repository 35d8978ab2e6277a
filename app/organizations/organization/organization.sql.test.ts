import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { makeKey } from '#app/data-api/keys/api-key.server.ts'
import { openKey } from '#app/data-api/keys/key-holder.server.ts'
import { ownKeys, serviceKeys } from '#app/data-api/keys/key-holding.server.ts'
import { refundRequest, spend } from '#app/data-api/keys/quota.server.ts'
import { member } from '#app/organizations/members/member.ts'
import { db, newId } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { emailsTo } from '#test/emails.ts'
import { signIn, type SignedIn } from '#test/factories.ts'
import { byLength } from '#test/length.ts'
import { codeOf, join, organizationsOf, paidDataset } from '#test/organizations.ts'

const app = await startEndpoints()
const { accept, call, found, invite, invited, ownOf } = organizationsOf(app)
const staff = await signIn('staff')

describe('happy', () => {
  test('every account has an organization of one, without a word about it', async () => {
    const person = await signIn()
    expect(await ownOf(person)).toEqual([
      { id: person.user.id, reference: null, name: 'Personal', isPersonal: true, state: 'active', role: 'admin', isCurrent: true },
    ])
    expect((await call(person, 'GET', `/api/organizations/${person.user.id}`)).json()).toMatchObject({ name: 'Personal', role: 'admin' })
  })

  test('a founder invites a colleague, who accepts and downloads what staff grant to the company; the founder’s own keys stay theirs', async () => {
    const [founder, colleague, product] = [await signIn(), await signIn(), await paidDataset()]
    const { id, reference } = await found(founder)
    expect(reference).toMatch(/^O-[2-9A-Z]{6}$/)
    const invitationId = await invited(founder, id, colleague.user.email ?? '')
    expect((await emailsTo(colleague.user.email ?? '')).map(({ kind }) => kind)).toEqual(['organization-invitation'])
    expect((await accept(colleague, invitationId)).json()).toEqual({ organizationId: id })

    const asked = await call(colleague, 'POST', `/api/data-products/${product.slug}/request-access`, { message: '' }, id)
    expect(asked.statusCode).toBe(201)
    // A second request of the same company is the same one.
    const again = await call(founder, 'POST', `/api/data-products/${product.slug}/request-access`, { message: '' }, id)
    expect(again.json()).toEqual(asked.json())
    const given = await call(staff, 'POST', `/api/data-products/${product.id}/entitlements`, { requestId: asked.json().id })
    expect(given.json()).toMatchObject({ organization: { id, name: 'Acme Retail' }, userId: colleague.user.id })

    const take = (who: SignedIn, organizationId?: string) =>
      call(who, 'POST', `/api/data-products/${product.slug}/download`, { downloadType: 'file', format: 'original' }, organizationId)
    for (const who of [founder, colleague]) {
      expect((await take(who, id)).statusCode).toBe(200)
      expect((await take(who)).statusCode).toBe(402)
    }
    // The link opens whichever organization the browser has chosen since.
    const { downloadUrl } = (await take(colleague, id)).json()
    const link = new URL(downloadUrl, 'http://localhost:3000')
    expect((await call(colleague, 'GET', link.pathname + link.search)).statusCode).toBe(200)
    const rows = await db.selectFrom('downloads').select(['userId', 'organizationId']).where('productId', '=', product.id).execute()
    expect(new Set(rows.map(({ organizationId }) => organizationId))).toEqual(new Set([id]))
    expect((await call(colleague, 'GET', '/api/user/downloads')).json()).toMatchObject([{ organization: { id, name: 'Acme Retail' } }])
    // The export of their data has their companies, and nothing of their colleagues.
    const exported = await call(colleague, 'GET', '/api/account/data')
    expect(exported.json().organizations).toContainEqual(expect.objectContaining({ reference, name: 'Acme Retail', role: 'member' }))
    expect(exported.body).not.toContain(founder.user.email)
    const jobs = await db.selectFrom('jobs').select('payload').where('kind', '=', 'notifications.tell').execute()
    const title = `Access granted to Acme Retail: ${product.name}`
    expect(jobs.map(({ payload }) => payload)).toContainEqual(expect.objectContaining({ title }))
  })

  test('the choice of a browser counts where no header names an organization', async () => {
    const person = await signIn()
    const { id } = await found(person)
    const chosen = await call(person, 'PUT', '/api/organizations/current', { id })
    const cookie = `${person.headers.cookie}; ${String(chosen.headers['set-cookie']).split(';')[0]}`
    const list = await app.inject({ url: '/api/organizations', headers: { ...person.headers, cookie } })
    expect(list.json().find(({ isCurrent }: { isCurrent: boolean }) => isCurrent)).toMatchObject({ id })
    // Of a browser that was left to another person, the choice is ignored.
    const other = await signIn()
    const theirs = await app.inject({
      url: '/api/organizations',
      headers: { ...other.headers, cookie: `${other.headers.cookie}; ${cookie.split('; ')[1]}` },
    })
    expect(theirs.json()).toMatchObject([{ id: other.user.id, isCurrent: true }])
  })

  test('a founder can take along what they had alone: datasets, requests and keys', async () => {
    const [person, product] = [await signIn(), await paidDataset()]
    await call(staff, 'POST', `/api/data-products/${product.id}/entitlements`, { userId: person.user.id })
    const { key } = await makeKey(ownKeys(person.user.id), { name: 'Nightly', productIds: null, expiresInDays: null }, {})
    const { id } = await found(person, { moveOwn: true })
    const open = (organizationId?: string) => call(person, 'GET', `/api/data-products/${product.slug}`, undefined, organizationId)
    expect((await open(id)).json().access).toBe('granted')
    expect((await open()).json().access).toBe('pay')
    expect((await openKey(key, '127.0.0.1')).owner.organization.id).toBe(id)
  })

  test('facts are saved with their version; a new VAT number is not checked yet', async () => {
    const person = await signIn()
    const { id, version } = await found(person)
    await db.updateTable('organizations').set({ vatState: 'valid' }).where('id', '=', id).execute()
    const facts = { version, legalName: 'Acme Retail GmbH', countryCode: 'de', vatNumber: 'de 123.456.789', kind: 'business' }
    const saved = await call(person, 'PATCH', `/api/organizations/${id}`, facts)
    expect(saved.json()).toMatchObject({ name: 'Acme Retail', countryCode: 'DE', vatNumber: 'DE123456789', vatState: 'not_checked' })
    expect(codeOf(await call(person, 'PATCH', `/api/organizations/${id}`, facts))).toBe('version_conflict')
  })

  test('whoever leaves loses access, their keys and open links at once; what they did and service keys stay', async () => {
    const [founder, product] = [await signIn(), await paidDataset()]
    const { id } = await found(founder)
    const leaver = await join(id, 'admin')
    await call(staff, 'POST', `/api/data-products/${product.id}/entitlements`, { organization: id })
    const own = await makeKey(ownKeys(leaver.user.id, id), { name: 'Mine', productIds: null, expiresInDays: null }, {})
    const service = await makeKey(serviceKeys(id, leaver.user.id), { name: 'Warehouse', productIds: null, expiresInDays: null }, {})
    const read = (key: string) => app.inject({ url: `/api/v1/datasets/${product.slug}/rows`, headers: { authorization: `Bearer ${key}` } })
    expect([(await read(own.key)).statusCode, (await read(service.key)).statusCode]).toEqual([200, 200])
    const { downloadUrl } = (
      await call(leaver, 'POST', `/api/data-products/${product.slug}/download`, { downloadType: 'file', format: 'original' }, id)
    ).json()

    expect((await call(leaver, 'DELETE', `/api/organizations/${id}/members/${leaver.user.id}`)).statusCode).toBe(204)
    expect([(await read(own.key)).statusCode, (await read(service.key)).statusCode]).toEqual([401, 200])
    const link = new URL(downloadUrl, 'http://localhost:3000')
    expect((await call(leaver, 'GET', link.pathname + link.search)).statusCode).toBe(403)
    expect((await call(leaver, 'GET', `/api/organizations/${id}/members`)).statusCode).toBe(404)
    const taken = await db.selectFrom('downloads').select('userId').where('organizationId', '=', id).execute()
    expect(taken).toEqual([{ userId: leaver.user.id }])
  })
})

describe('error', () => {
  test('the quota of an organization is shared by all its keys, exactly', async () => {
    const founder = await signIn()
    const { id } = await found(founder)
    const people = [founder, await join(id, 'member'), await join(id, 'buyer')]
    const limit = byLength(60, 1000)
    await db.updateTable('organizations').set({ monthlyQuota: limit }).where('id', '=', id).execute()
    const keys = await Promise.all(
      Array.from({ length: 5 }, (_, at) =>
        makeKey(ownKeys(people[at % 3]?.user.id ?? '', id), { name: `Key ${at}`, productIds: null, expiresInDays: null }, {}),
      ),
    )
    const opened = await Promise.all(keys.map(({ key }) => openKey(key, '127.0.0.1')))
    let done = 0
    const client = async (at: number) => {
      for (let turn = 0; turn < (limit * 1.5) / 50; turn += 1) {
        const key = opened[at % 5]?.key
        const isSpent =
          key &&
          (await spend(key).then(
            () => true,
            () => false,
          ))
        if (isSpent) done += 1
      }
    }
    await Promise.all(Array.from({ length: 50 }, (_, at) => client(at)))
    expect(done).toBe(limit)
    // The usage by member adds up to it.
    const members = z.array(member).parse((await call(founder, 'GET', `/api/organizations/${id}/members`)).json())
    expect(members.map(({ used }) => used).reduce((one, other) => one + other)).toBe(limit)
    expect(members.every(({ used }) => used > 0)).toBe(true)
    const key = opened[0]?.key
    if (!key) throw new Error('No key')
    await expect(spend(key)).rejects.toMatchObject({
      data: expect.stringContaining(`Your organization has used its ${limit.toLocaleString('en')} requests`),
    })
  })

  test('a key that has used up its own share takes nothing from the organization, and a refund gives back to both', async () => {
    const founder = await signIn()
    const { id } = await found(founder)
    const made = await makeKey(ownKeys(founder.user.id, id), { name: 'Small', productIds: null, expiresInDays: null }, {})
    await db.updateTable('apiKeys').set({ monthlyQuota: 2 }).where('id', '=', made.id).execute()
    const { key } = await openKey(made.key, '127.0.0.1')
    const tries = await Promise.allSettled(Array.from({ length: 6 }, () => spend(key)))
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    const used = async () => (await call(founder, 'GET', `/api/organizations/${id}`)).json().used
    expect(await used()).toBe(2)
    const [first] = tries.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
    if (first) await refundRequest(key, first)
    expect(await used()).toBe(1)
  })

  test('an admin undoes the revocation of a service key and of a key of a member within 30 seconds, and nobody else does', async () => {
    const [founder, other, member] = [await signIn(), await signIn(), await signIn()]
    const { id } = await found(founder)
    const roles = [
      { organizationId: id, userId: other.user.id, role: 'admin' },
      { organizationId: id, userId: member.user.id, role: 'member' },
    ] as const
    await db
      .insertInto('organizationMembers')
      .values([...roles])
      .execute()
    const facts = { name: 'Warehouse', productIds: null, expiresInDays: null }
    const keys = [await makeKey(serviceKeys(id, founder.user.id), facts, {}), await makeKey(ownKeys(member.user.id, id), facts, {})]
    for (const { id: keyId, key } of keys) {
      const url = `/api/organizations/${id}/keys/${keyId}`
      expect((await call(founder, 'DELETE', url)).statusCode).toBe(204)
      await expect(openKey(key, '127.0.0.1')).rejects.toMatchObject({ extra: { code: 'key_revoked' } })
      const undone = [
        await call(member, 'POST', `${url}/restore`),
        await call(other, 'POST', `${url}/restore`),
        await call(founder, 'POST', `${url}/restore`),
      ]
      expect(undone.map(({ statusCode }) => statusCode)).toEqual([403, 409, 200])
      expect((await openKey(key, '127.0.0.1')).key.id).toBe(keyId)
    }
  })

  test('an account whose address is only assumed founds no company, and is told how to confirm it', async () => {
    const assumed = await signIn('customer', { emailAssumed: true })
    const refused = await call(assumed, 'POST', '/api/organizations', { name: 'Acme Retail' })
    const sentence = 'Your email address is not confirmed yet. Sign out, choose “Forgot password?” at the sign-in, and follow the email.'
    expect([refused.statusCode, codeOf(refused), refused.json().errors]).toEqual([403, 'address_not_proven', { name: sentence }])
    await db.updateTable('users').set({ emailAssumed: false }).where('id', '=', assumed.user.id).execute()
    await found(assumed)
  })

  test('a member who becomes a reader between the click and the file gets a sentence in its place', async () => {
    const [founder, product] = [await signIn(), await paidDataset()]
    const { id } = await found(founder)
    const member = await join(id, 'member')
    await call(staff, 'POST', `/api/data-products/${product.id}/entitlements`, { organization: id })
    const file = { downloadType: 'file', format: 'original' }
    const { downloadUrl } = (await call(member, 'POST', `/api/data-products/${product.slug}/download`, file, id)).json()
    const { pathname, search } = new URL(downloadUrl, 'http://localhost:3000')
    expect((await call(member, 'GET', pathname + search)).statusCode).toBe(200)
    await call(founder, 'PATCH', `/api/organizations/${id}/members/${member.user.id}`, { role: 'reader' })
    const refused = [
      await call(member, 'GET', pathname + search),
      await call(member, 'POST', `/api/data-products/${product.slug}/download`, file, id),
    ]
    expect(refused.map((reply) => [reply.statusCode, codeOf(reply)])).toEqual([
      [403, 'organization_role'],
      [403, 'organization_role'],
    ])
    expect(refused[1]?.json().detail).toContain('Ask an admin of your organization for another role.')
  })

  test('a personal organization has no name, no colleagues and no end of its own', async () => {
    const person = await signIn()
    const place = `/api/organizations/${person.user.id}`
    const replies = [
      await call(person, 'PATCH', place, { version: 0, name: 'Mine' }),
      await invite(person, person.user.id, 'ada@example.com'),
      await call(person, 'DELETE', place),
      await call(person, 'DELETE', `${place}/members/${person.user.id}`),
    ]
    expect(replies.map((reply) => [reply.statusCode, codeOf(reply)])).toEqual(replies.map(() => [409, 'personal_organization']))
  })

  test('a person is in at most 30 organizations that they founded or joined, without closed ones, which cannot be left', async () => {
    const person = await signIn()
    const rows = Array.from({ length: 30 }, (_, at) => ({ id: newId(), reference: `O-${newId()}`, name: `Company ${at}`, monthlyQuota: 1 }))
    await db.insertInto('organizations').values(rows).execute()
    await db
      .insertInto('organizationMembers')
      .values(rows.map(({ id }) => ({ organizationId: id, userId: person.user.id, role: 'member' as const })))
      .execute()
    expect(codeOf(await call(person, 'POST', '/api/organizations', { name: 'One more' }))).toBe('too_many_organizations')
    await db
      .updateTable('organizations')
      .set({ state: 'closed' })
      .where('id', '=', rows[0]?.id ?? '')
      .execute()
    expect((await call(person, 'POST', '/api/organizations', { name: 'One more' })).statusCode).toBe(201)
  })
})

import { beforeEach, describe, expect, test } from 'vitest'
import { db, insert, newId } from '#app/platform/database/db.server.ts'
import { startApp } from '#test/app.ts'
import { forgetLimits, someEmail } from '#test/auth.ts'
import { makeUser, signIn, type SignedIn } from '#test/factories.ts'
import { emailsTo } from '#test/emails.ts'

const app = await startApp()
let owner: SignedIn
beforeEach(async () => {
  await forgetLimits()
  await db.updateTable('installation').set({ ownerId: null }).execute()
  await db.deleteFrom('users').execute()
  owner = await signIn('owner')
})

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
const ask = (method: Method, path: string, payload?: object, { headers }: { headers: Record<string, string> } = owner) =>
  app.inject({ method, url: `/api/admin/users${path}`, headers, ...(payload && { payload }) })
const events = (subjectId: string) =>
  db.selectFrom('auditEvents').select(['action', 'actorId', 'address', 'detail']).where('subjectId', '=', subjectId).orderBy('id').execute()

describe('happy', () => {
  test('the owner looks for people, and reads one after the other page', async () => {
    const grace = await makeUser({ userMetadata: JSON.stringify({ first_name: 'Grace', last_name: 'Hopper' }) })
    await makeUser()
    const found = await ask('GET', '?q=hopper')
    expect(found.headers['cache-control']).toBe('no-store')
    expect(found.json()).toEqual({
      users: [expect.objectContaining({ id: grace.id, name: 'Grace Hopper', role: 'customer' })],
      nextCursor: null,
    })
    expect((await ask('GET', '?role=owner')).json().users.map(({ id }: { id: string }) => id)).toEqual([owner.user.id])
    expect((await ask('GET', '?role=guest')).statusCode).toBe(422)
    const first = (await ask('GET', '?limit=2')).json()
    const second = (await ask('GET', `?limit=2&cursor=${first.nextCursor}`)).json()
    expect([first.users.length, second.users.length, second.nextCursor]).toEqual([2, 1, null])
    expect((await ask('GET', `/${grace.id}`)).json()).toMatchObject({ id: grace.id, email: grace.email })
  })

  test('an invited person gets an email, and the role takes effect once the address is confirmed', async () => {
    const email = someEmail()
    const reply = await ask('POST', '/invite', { email: email.toUpperCase(), role: 'staff' })
    expect([reply.statusCode, reply.json()]).toEqual([
      201,
      expect.objectContaining({ email, role: 'customer', invitedRole: 'staff', isProven: false, confirmedAt: null }),
    ])
    expect((await emailsTo(email)).map(({ kind }) => kind)).toEqual(['invite'])
    const namesOf = async (role: string) =>
      (await ask('GET', `?role=${role}&q=${encodeURIComponent(email)}`)).json().users.map((user: { email: string }) => user.email)
    expect([await namesOf('staff'), await namesOf('customer')]).toEqual([[email], []])
  })

  test('a role counts with the next request, and the log says who gave it and from where', async () => {
    const person = await signIn()
    expect((await app.inject({ url: '/api/contacts', headers: person.headers })).statusCode).toBe(403)
    expect((await ask('PATCH', `/${person.user.id}`, { role: 'staff' })).json().role).toBe('staff')
    expect((await app.inject({ url: '/api/contacts', headers: person.headers })).statusCode).toBe(200)
    expect(await events(person.user.id)).toEqual([
      { action: 'role_changed', actorId: owner.user.id, address: '127.0.0.1', detail: { from: 'customer', to: 'staff' } },
    ])
  })

  test('a right counts with the next request, and ends with the role', async () => {
    const person = await signIn('staff')
    const path = `/${person.user.id}`
    expect((await ask('PUT', `${path}/rights`, { rights: ['billing.write'] })).json().rights).toEqual(['billing.write'])
    expect(await events(person.user.id)).toMatchObject([{ action: 'rights_changed', detail: { from: [], to: ['billing.write'] } }])
    expect((await ask('PATCH', path, { role: 'customer' })).json().rights).toEqual([])
    expect((await ask('PATCH', path, { role: 'staff' })).json().rights).toEqual([])
    const customer = await makeUser()
    for (const id of [customer.id, owner.user.id]) {
      expect((await ask('PUT', `/${id}/rights`, { rights: ['billing.write'] })).json().code).toBe('not_staff')
    }
    expect((await ask('PUT', `${path}/rights`, { rights: ['everything'] })).statusCode).toBe(422)
  })

  test('a suspension takes effect immediately on every device, with its reason in the log, until it is ended', async () => {
    const person = await signIn('staff')
    const banned = await ask('POST', `/${person.user.id}/ban`, { days: 7, reason: ' Shares the password ' })
    expect(Date.parse(banned.json().bannedUntil) - Date.now()).toBeGreaterThan(6.9 * 24 * 3_600_000)
    expect((await app.inject({ url: '/api/contacts', headers: person.headers })).statusCode).toBe(401)
    expect((await events(person.user.id))[0]).toMatchObject({ action: 'user_banned', detail: { reason: 'Shares the password' } })
    expect((await ask('GET', `/${person.user.id}/sessions`)).json()).toEqual([])
    expect((await ask('DELETE', `/${person.user.id}/ban`)).json().bannedUntil).toBeNull()
    // The earlier sessions are gone: their user signs in again.
    expect((await app.inject({ url: '/api/contacts', headers: person.headers })).statusCode).toBe(401)
  })

  test('someone is signed out of one device, or of all', async () => {
    const person = await signIn()
    const other = await insert(db, 'sessions', { userId: person.user.id, userAgent: 'curl/8.14.1', address: '192.0.2.7' })
    const path = `/${person.user.id}/sessions`
    expect((await ask('GET', path)).json()).toHaveLength(2)
    expect((await ask('DELETE', `${path}/${other.id}`)).statusCode).toBe(204)
    expect((await app.inject({ url: '/api/account', headers: person.headers })).statusCode).toBe(200)
    expect((await ask('DELETE', path)).statusCode).toBe(204)
    expect((await app.inject({ url: '/api/account', headers: person.headers })).statusCode).toBe(401)
  })

  test('a deleted account is gone immediately', async () => {
    const person = await signIn()
    expect((await ask('DELETE', `/${person.user.id}`)).statusCode).toBe(204)
    expect((await ask('GET', `/${person.user.id}`)).statusCode).toBe(404)
    expect((await app.inject({ url: '/api/account', headers: person.headers })).statusCode).toBe(401)
  })

  test('the page is the owner’s tool, and tells everyone else what it is for', async () => {
    const page = async ({ headers }: SignedIn) => (await app.inject({ url: '/admin/users', headers })).body
    expect(await page(owner)).toContain('Audit log')
    for (const role of ['customer', 'staff'] as const) {
      const html = await page(await signIn(role))
      expect(html).toContain('Only owners can use this page.')
      expect(html).not.toContain('Audit log')
    }
    expect((await app.inject('/admin/users')).headers['location']).toBe('/login?next=%2Fadmin%2Fusers')
  })
})

describe('error', () => {
  test('an unconfirmed account gets no role, and the owner reads why', async () => {
    const stranger = await makeUser({ emailConfirmedAt: null })
    for (const role of ['staff', 'owner']) {
      const refused = await ask('PATCH', `/${stranger.id}`, { role })
      expect([refused.statusCode, refused.json().code]).toEqual([409, 'address_not_proven'])
      expect(refused.json().detail).toBe('This account has not confirmed its address yet. Roles and access can be given once it has.')
    }
    expect((await ask('GET', `/${stranger.id}`)).json()).toMatchObject({ role: 'customer', isProven: false })
  })

  test.each([
    ['GET', '?limit=0', undefined, 422],
    ['GET', '?cursor=bm9uZQ', undefined, 400],
    ['GET', '/nobody', undefined, 422],
    ['POST', '/invite', { email: 'no address', role: 'staff' }, 422],
    ['POST', '/invite', { email: 'ada@example.com', role: 'king' }, 422],
  ] as const)('%s %s is refused', async (method, path, payload, status) => {
    expect((await ask(method, path, payload)).statusCode).toBe(status)
  })

  test.each([
    ['GET', '', undefined],
    ['PATCH', '', { role: 'staff' }],
    ['DELETE', '', undefined],
    ['PUT', '/rights', { rights: [] }],
    ['POST', '/ban', { days: 1, reason: 'Because' }],
    ['DELETE', '/ban', undefined],
    ['GET', '/sessions', undefined],
    ['DELETE', '/sessions', undefined],
  ] as const)('%s of an account that is not there: 404%s', async (method, path, payload) => {
    expect((await ask(method, `/${newId()}${path}`, payload)).statusCode).toBe(404)
  })

  test('a ban needs a reason and an end', async () => {
    const { id } = await makeUser()
    for (const payload of [
      { days: 1, reason: '' },
      { days: 0, reason: 'Because' },
      { days: 1.5, reason: 'Because' },
      { reason: 'Because' },
    ]) {
      expect((await ask('POST', `/${id}/ban`, payload)).statusCode).toBe(422)
    }
  })

  test('a person with an account is not invited', async () => {
    const { email } = await makeUser()
    const reply = await ask('POST', '/invite', { email, role: 'staff' })
    expect([reply.statusCode, reply.json().code]).toEqual([422, 'email_exists'])
  })

  test('a session of someone else is not theirs', async () => {
    const [one, other] = [await signIn(), await signIn()]
    expect((await ask('DELETE', `/${one.user.id}/sessions/${other.session.id}`)).statusCode).toBe(404)
    expect((await app.inject({ url: '/api/account', headers: other.headers })).statusCode).toBe(200)
  })
})

describe('security', () => {
  const endpoints: [Method, string, object?][] = [
    ['GET', ''],
    ['POST', '/invite', { email: 'ada@example.com', role: 'owner' }],
    ['GET', '/ID'],
    ['PATCH', '/ID', { role: 'owner' }],
    ['DELETE', '/ID'],
    ['PUT', '/ID/rights', { rights: ['billing.write'] }],
    ['POST', '/ID/ban', { days: 1, reason: 'Because' }],
    ['DELETE', '/ID/ban'],
    ['GET', '/ID/sessions'],
    ['DELETE', '/ID/sessions'],
    ['DELETE', '/ID/sessions/SESSION'],
  ]

  test.each(endpoints)('%s %s is for owners alone, also about oneself', async (method, path, payload) => {
    for (const role of ['customer', 'staff'] as const) {
      const person = await signIn(role)
      for (const target of [person, owner]) {
        const url = path.replace('ID', target.user.id).replace('SESSION', target.session.id)
        const reply = await ask(method, url, payload, person)
        expect([reply.statusCode, reply.json().detail]).toEqual([403, 'Your account doesn’t have permission to do this.'])
      }
    }
    const url = path.replace('ID', owner.user.id).replace('SESSION', owner.session.id)
    expect((await ask(method, url, payload, { headers: {} })).statusCode).toBe(401)
    expect((await db.selectFrom('users').select('id').execute()).length).toBe(3)
    expect(await events(owner.user.id)).toEqual([])
  })

  test('the last owner is neither demoted nor banned nor deleted, by themselves or anyone', async () => {
    const { id } = owner.user
    expect((await ask('PATCH', `/${id}`, { role: 'staff' })).json().code).toBe('last_owner')
    expect((await ask('DELETE', `/${id}`)).json().code).toBe('own_account')
    expect((await ask('POST', `/${id}/ban`, { days: 1, reason: 'Because' })).json().code).toBe('own_account')
    expect((await ask('GET', `/${id}`)).json().role).toBe('owner')
  })

  test('a foreign page does nothing with the owner’s cookies', async () => {
    const { id } = await makeUser()
    const headers = { ...owner.headers, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' } as const
    expect((await ask('PATCH', `/${id}`, { role: 'owner' }, { headers })).statusCode).toBe(403)
  })

  test('nothing secret is part of an answer', async () => {
    await makeUser({ passwordHash: '$argon2id$v=19$m=1,t=1,p=1$c2FsdA$aGFzaA' })
    expect((await ask('GET', '')).body).not.toMatch(/argon2|password|Hash|metadata/i)
  })
})

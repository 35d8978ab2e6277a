import bcrypt from 'bcryptjs'
import { randomBytes, randomInt } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import * as hashing from '#app/auth/sessions/hashing.server.ts'
import { db, insert, newId } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { adminClient } from '#test/admin.ts'
import { authClient, bearer, forgetLimits, PASSWORD, signUpAndConfirm, someEmail } from '#test/auth.ts'
import { eventually } from '#test/eventually.ts'
import { makeOwner, makeUser } from '#test/factories.ts'
import { emailsTo } from '#test/emails.ts'
import { useRealPasswordCost } from '#test/password-cost.ts'

useRealPasswordCost()

const app = await startEndpoints()
const call = authClient(app)
const admin = await adminClient(app)
beforeEach(async () => {
  await forgetLimits()
  await makeOwner()
})

const signIn = (email: string, password: string) => call('POST', '/token?grant_type=password', { email, password })
const hashOf = async (id: string) =>
  (await db.selectFrom('users').select('passwordHash').where('id', '=', id).executeTakeFirst())?.passwordHash

describe('happy', () => {
  test('a user is created as requested, without an email, and signs in', async () => {
    const [email, id] = [someEmail(), newId()]
    const wanted = { id, email: email.toUpperCase(), password: PASSWORD, email_confirm: true, user_metadata: { first_name: 'Ada' } }
    const made = await admin('POST', '/admin/users', {
      ...wanted,
      app_metadata: { role: 'staff', plan: 'x' },
      phone: '+44 20 7946',
      role: 'authenticated',
    })
    expect(made.statusCode).toBe(200)
    expect(made.json()).toMatchObject({ id, email, phone: '44207946', role: 'authenticated', user_metadata: { first_name: 'Ada' } })
    expect(made.json().app_metadata).toEqual({ role: 'staff', plan: 'x', provider: 'email', providers: ['email', 'phone'] })
    expect(made.json().identities.map(({ provider }: { provider: string }) => provider)).toEqual(['email', 'phone'])
    expect(made.json().phone_confirmed_at).toBeUndefined()
    expect((await signIn(email, PASSWORD)).statusCode).toBe(200)
    expect(await emailsTo(email)).toEqual([])
  })

  test('an account without a password or without a confirmation cannot sign in', async () => {
    const email = someEmail()
    const { id } = (await admin('POST', '/admin/users', { email })).json()
    expect(await hashOf(id)).toBeNull()
    await admin('PUT', `/admin/users/${id}`, { password: PASSWORD })
    expect((await signIn(email, PASSWORD)).json().code).toBe('email_not_confirmed')
    const confirmed = await admin('PUT', `/admin/users/${id}`, { email_confirm: true })
    expect(confirmed.json().email_confirmed_at).toBeDefined()
    expect(confirmed.json().identities[0].identity_data.email_verified).toBe(true)
    expect((await signIn(email, PASSWORD)).statusCode).toBe(200)
    await admin('PUT', `/admin/users/${id}`, { email_confirm: false })
    expect((await signIn(email, PASSWORD)).statusCode).toBe(200)
  })

  test('an account that a setting confirmed keeps nothing of its sign-up once an administrator confirms the address', async () => {
    const profile = JSON.stringify({ first_name: 'Mallory' })
    const made = () =>
      makeUser({
        emailAssumed: true,
        passwordHash: '$2b$04$x',
        userMetadata: profile,
        phone: `49151${randomInt(1e8, 1e9)}`,
        phoneAssumed: true,
      })
    for (const given of [{}, { password: 'their own horse', user_metadata: { first_name: 'Ada' } }]) {
      const { id, email, phone } = await made()
      await insert(db, 'sessions', { userId: id })
      await insert(db, 'identities', { userId: id, provider: 'github', providerId: id, identityData: profile })
      await insert(db, 'recoveryCodes', { userId: id, codeHash: randomBytes(32) })
      const confirmed = await admin('PUT', `/admin/users/${id}`, { email_confirm: true, ...given })
      expect(confirmed.json()).toMatchObject({ email, phone, app_metadata: { providers: ['email', 'phone'] } })
      expect(JSON.stringify(confirmed.json())).not.toContain('Mallory')
      for (const table of ['sessions', 'recoveryCodes'] as const) {
        expect([table, await db.selectFrom(table).select('id').where('userId', '=', id).execute()]).toEqual([table, []])
      }
      const user = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
      expect([user.emailAssumed, user.phoneAssumed, user.passwordHash === null]).toEqual([false, true, !('password' in given)])
    }
  })

  test('an administrator who confirms a second address takes nothing from an account that is proven', async () => {
    const columns = { passwordHash: '$2b$04$x', phone: `49151${randomInt(1e8, 1e9)}`, phoneConfirmedAt: new Date() }
    const { id } = await makeUser({ emailAssumed: true, ...columns })
    await insert(db, 'sessions', { userId: id })
    expect((await admin('PUT', `/admin/users/${id}`, { email_confirm: true })).statusCode).toBe(200)
    expect(await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()).toMatchObject({
      ...columns,
      emailAssumed: false,
    })
    expect(await db.selectFrom('sessions').select('id').where('userId', '=', id).execute()).toHaveLength(1)
  })

  test('an imported hash opens the account, and is one of ours after that', async () => {
    const email = someEmail()
    const password_hash = bcrypt.hashSync(PASSWORD, 4)
    const { id } = (await admin('POST', '/admin/users', { email, email_confirm: true, password_hash })).json()
    expect((await signIn(email, 'wrong')).statusCode).toBe(400)
    expect(await hashOf(id)).toBe(password_hash)
    expect((await signIn(email, PASSWORD)).statusCode).toBe(200)
    expect(await hashOf(id)).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect((await signIn(email, PASSWORD)).statusCode).toBe(200)
  })

  test('a change takes effect immediately, merges the metadata, and names a new address everywhere', async () => {
    const { session, email } = await signUpAndConfirm(app)
    const fresh = someEmail()
    const change = { email: fresh, email_confirm: true, user_metadata: { first_name: null, city: 'Paris' }, app_metadata: { plan: 'gold' } }
    const changed = (await admin('PUT', `/admin/users/${session.user.id}`, change)).json()
    expect(changed).toMatchObject({ email: fresh, user_metadata: { last_name: 'Lovelace', city: 'Paris' }, app_metadata: { plan: 'gold' } })
    expect(changed.user_metadata.first_name).toBeUndefined()
    expect(changed.identities[0]).toMatchObject({ email: fresh, identity_data: { email: fresh, email_verified: true } })
    expect((await signIn(email, PASSWORD)).statusCode).toBe(400)
    expect((await signIn(fresh, PASSWORD)).statusCode).toBe(200)
  })

  test('a new password ends all sessions of the account, and emails its user', async () => {
    const { session, email } = await signUpAndConfirm(app)
    await admin('PUT', `/admin/users/${session.user.id}`, { password: 'another horse' })
    expect((await call('GET', '/user', undefined, bearer(session))).json().code).toBe('session_not_found')
    expect((await signIn(email, 'another horse')).statusCode).toBe(200)
    expect((await emailsTo(email)).map(({ kind }) => kind)).toEqual(['confirm-address', 'password-changed'])
  })

  test('a ban holds for as long as it says, and none lifts it', async () => {
    const { session, email } = await signUpAndConfirm(app)
    const path = `/admin/users/${session.user.id}`
    const banned = (await admin('PUT', path, { ban_duration: '1.5h' })).json()
    expect(Math.abs(Date.parse(banned.banned_until) - Date.now() - 5_400_000)).toBeLessThan(60_000)
    expect((await call('GET', '/user', undefined, bearer(session))).json().code).toBe('user_banned')
    expect((await signIn(email, PASSWORD)).json().code).toBe('user_banned')
    expect((await admin('PUT', path, { ban_duration: 'none' })).json().banned_until).toBeUndefined()
    expect((await signIn(email, PASSWORD)).statusCode).toBe(200)
  })

  test('users are listed page by page, newest first, with what a client needs to go on', async () => {
    const tag = newId()
    const ids = []
    for (let index = 0; index < 5; index += 1)
      ids.push((await admin('POST', '/admin/users', { email: `${index}-${tag}@example.com` })).json().id)
    const page = await admin('GET', `/admin/users?page=1&per_page=2&filter=${tag.toUpperCase()}`)
    expect(page.json()).toMatchObject({ aud: 'authenticated', users: [{ id: ids[4] }, { id: ids[3] }] })
    expect(page.json().users[0].identities).toHaveLength(1)
    expect(page.headers['x-total-count']).toBe('5')
    const rest = `per_page=2&filter=${tag.toUpperCase()}`
    expect(page.headers['link']).toBe(`</admin/users?page=2&${rest}>; rel="next", </admin/users?page=3&${rest}>; rel="last"`)
    const last = await admin('GET', `/admin/users?page=3&per_page=2&filter=${tag}&sort=created_at%20asc`)
    expect(last.json().users.map(({ id }: { id: string }) => id)).toEqual([ids[4]])
    expect(last.headers['link']).not.toContain('next')
    expect((await admin('GET', '/admin/users?page=&per_page=&filter=&sort=')).json().users.length).toBeGreaterThan(4)
  })

  test('a filter also finds a part of a full name, and its signs are only signs', async () => {
    const tag = newId()
    const { id } = (await admin('POST', '/admin/users', { email: someEmail(), user_metadata: { full_name: `Grace ${tag}` } })).json()
    const found = async (filter: string) => (await admin('GET', `/admin/users?filter=${encodeURIComponent(filter)}`)).json().users.length
    expect((await admin('GET', `/admin/users?filter=race%20${tag}`)).json().users.map((user: { id: string }) => user.id)).toEqual([id])
    expect(await found(`%${tag}`)).toBe(0)
  })

  test('a user is deleted with all that hangs on them', async () => {
    const { session, email } = await signUpAndConfirm(app)
    expect((await admin('DELETE', `/admin/users/${session.user.id}`)).json()).toEqual({})
    expect((await admin('GET', `/admin/users/${session.user.id}`)).statusCode).toBe(404)
    expect((await call('GET', '/user', undefined, bearer(session))).json().code).toBe('user_not_found')
    await forgetLimits()
    expect((await call('POST', '/signup', { email, password: PASSWORD })).statusCode).toBe(200)
  })

  test('a soft-deleted user keeps only their id, and their address is free again', async () => {
    const { session, email } = await signUpAndConfirm(app)
    const path = `/admin/users/${session.user.id}`
    expect((await admin('DELETE', path, { should_soft_delete: true })).statusCode).toBe(200)
    const emptied = (await admin('GET', path)).json()
    expect(emptied).toMatchObject({ user_metadata: {}, app_metadata: {}, identities: [] })
    expect(emptied.deleted_at).toBeDefined()
    expect(JSON.stringify(emptied)).not.toContain(email)
    expect((await signIn(email, PASSWORD)).json().code).toBe('invalid_credentials')
    expect((await admin('POST', '/admin/users', { email })).statusCode).toBe(200)
    expect((await admin('DELETE', path)).statusCode).toBe(200)
    expect((await admin('GET', path)).statusCode).toBe(404)
  })

  test('all of it is in the audit log, with where it came from and without what was given', async () => {
    const { id } = (await admin('POST', '/admin/users', { email: someEmail(), email_confirm: true, password: PASSWORD })).json()
    await admin('PUT', `/admin/users/${id}`, { password: 'another horse', ban_duration: '1h', app_metadata: { role: 'staff' } })
    await admin('DELETE', `/admin/users/${id}`)
    const events = await db.selectFrom('auditEvents').selectAll().where('subjectId', '=', id).orderBy('id').execute()
    const actions = ['user_signedup', 'role_changed', 'user_updated_password', 'user_banned', 'user_modified', 'user_deleted']
    expect(events.map(({ action }) => action)).toEqual(actions)
    expect(events.every(({ address }) => address === '127.0.0.1')).toBe(true)
    expect(events[3]?.detail).toEqual({ until: expect.any(String) })
    expect(events[4]?.detail).toEqual({ changed: ['appMetadata', 'bannedUntil', 'passwordHash'] })
    expect(JSON.stringify(events)).not.toContain('horse')
  })

  test('a ban, its end and every kind of role have an event of their own, also of someone who is made with them', async () => {
    const eventsOf = async (id: string) =>
      db
        .selectFrom('auditEvents')
        .select(['action', 'detail'])
        .where('subjectId', '=', id)
        .where('action', '!=', 'user_modified')
        .orderBy('id')
        .execute()
    const { id } = (await admin('POST', '/admin/users', { email: someEmail(), email_confirm: true })).json()
    const steps = [
      { ban_duration: 'none' },
      { ban_duration: '1h' },
      { user_metadata: { a: 1 } },
      { ban_duration: '2h' },
      { ban_duration: 'none' },
    ]
    for (const step of [...steps, { role: 'service_role' }, { role: 'service_role' }]) await admin('PUT', `/admin/users/${id}`, step)
    expect(await eventsOf(id)).toEqual([
      { action: 'user_signedup', detail: { by: 'administrator' } },
      { action: 'user_banned', detail: { until: expect.any(String) } },
      { action: 'user_banned', detail: { until: expect.any(String) } },
      { action: 'user_unbanned', detail: {} },
      { action: 'role_changed', detail: { of: 'token', from: 'authenticated', to: 'service_role' } },
    ])
    const first = { email: someEmail(), email_confirm: true, ban_duration: '1h', role: 'service_role', app_metadata: { role: 'staff' } }
    const made = (await admin('POST', '/admin/users', first)).json()
    expect(await eventsOf(made.id)).toEqual([
      { action: 'user_signedup', detail: { by: 'administrator' } },
      { action: 'role_changed', detail: { from: 'customer', to: 'staff' } },
      { action: 'user_banned', detail: { until: expect.any(String) } },
      { action: 'role_changed', detail: { of: 'token', from: 'authenticated', to: 'service_role' } },
    ])
  })
})

describe('error', () => {
  test('an unproven account cannot be created with a role or given one', async () => {
    const staff = { app_metadata: { role: 'staff' } }
    const email = someEmail()
    const refused = await admin('POST', '/admin/users', { email, ...staff })
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'address_not_proven'])
    expect(await db.selectFrom('users').select('id').where('email', '=', email).execute()).toEqual([])
    const { id } = (await admin('POST', '/admin/users', { email })).json()
    expect((await admin('PUT', `/admin/users/${id}`, staff)).json().code).toBe('address_not_proven')
    const changed = await admin('PUT', `/admin/users/${id}`, { ...staff, email_confirm: true })
    expect([changed.statusCode, changed.json().app_metadata.role]).toEqual([200, 'staff'])
  })

  test.each([
    ['nobody', {}, 400, 'validation_failed'],
    ['what is no address', { email: 'ada' }, 400, 'validation_failed'],
    ['what is no number', { phone: '0123' }, 400, 'validation_failed'],
    [
      'two passwords',
      { email: 'x@example.com', password: PASSWORD, password_hash: bcrypt.hashSync(PASSWORD, 4) },
      400,
      'validation_failed',
    ],
    ['a role that the database cannot keep', { email: 'x@example.com', role: 'a\0b' }, 400, 'validation_failed'],
    ['a hash of no kind', { email: 'x@example.com', password_hash: 'md5:x' }, 400, 'validation_failed'],
    [
      'a hash that costs hours',
      { email: 'x@example.com', password_hash: bcrypt.hashSync(PASSWORD, 4).replace('$04', '$31') },
      400,
      'validation_failed',
    ],
    ['a password beyond all measure', { email: 'x@example.com', password: 'x'.repeat(129) }, 400, 'validation_failed'],
    ['a ban of no length', { email: 'x@example.com', ban_duration: '1 day' }, 400, 'validation_failed'],
    ['an id that is none', { email: 'x@example.com', id: 'ada' }, 400, 'validation_failed'],
    ['the id of nobody', { email: 'x@example.com', id: '00000000-0000-0000-0000-000000000000' }, 400, 'validation_failed'],
    ['metadata that is no object', { email: 'x@example.com', app_metadata: [] }, 400, 'bad_json'],
    ['more metadata than a cookie holds', { email: 'x@example.com', app_metadata: { x: 'x'.repeat(2000) } }, 400, 'validation_failed'],
  ])('%s is refused', async (_what, body, status, code) => {
    const reply = await admin('POST', '/admin/users', body)
    expect([reply.statusCode, reply.json().code]).toEqual([status, code])
  })

  test('an address or id of another user is refused, for new users and for changes', async () => {
    const taken = (await admin('POST', '/admin/users', { email: someEmail(), phone: '4912345' })).json()
    const other = (await admin('POST', '/admin/users', { email: someEmail() })).json()
    for (const [method, path] of [
      ['POST', '/admin/users'],
      ['PUT', `/admin/users/${other.id}`],
    ] as const) {
      expect((await admin(method, path, { email: taken.email })).json().code).toBe('email_exists')
      expect((await admin(method, path, { phone: '+4912345' })).json().code).toBe('phone_exists')
    }
    const reply = await admin('POST', '/admin/users', { email: someEmail(), id: taken.id })
    expect([reply.statusCode, reply.json().code]).toEqual([422, 'validation_failed'])
  })

  test('a change of password follows the rules, those for staff too', async () => {
    const { id } = (await admin('POST', '/admin/users', { email: someEmail(), password: '12345' })).json()
    const weak = await admin('PUT', `/admin/users/${id}`, { password: '12345' })
    expect([weak.statusCode, weak.json().weak_password.reasons]).toEqual([422, ['length']])
    expect((await admin('PUT', `/admin/users/${id}`, { password: 'nine char', app_metadata: { role: 'staff' } })).statusCode).toBe(422)
    expect((await admin('PUT', `/admin/users/${id}`, { ban_duration: 'for ever' })).json().code).toBe('validation_failed')
  })

  test.each(['page=0', 'page=-1', 'page=x', 'per_page=0', 'per_page=1.5', 'sort=email', 'sort=created_at%20sideways'])(
    '%s is no page',
    async (query) => {
      const reply = await admin('GET', `/admin/users?${query}`)
      expect([reply.statusCode, reply.json().code]).toEqual([400, 'validation_failed'])
    },
  )

  test('an invalid id and an unknown id are not found', async () => {
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      const body = method === 'PUT' ? { email_confirm: true } : undefined
      const none = await admin(method, '/admin/users/ada', body)
      expect([none.statusCode, none.json().code]).toEqual([404, 'validation_failed'])
      const nobody = await admin(method, `/admin/users/${newId()}`, body)
      expect([nobody.statusCode, nobody.json().code]).toEqual([404, 'user_not_found'])
    }
    const { id } = await makeUser()
    expect((await admin('DELETE', `/admin/users/${id}`, { should_soft_delete: 'yes' })).statusCode).toBe(400)
    expect((await admin('POST', '/admin/users')).json().code).toBe('bad_json')
  })
})

describe('security', () => {
  test('an operator’s key cannot send the last owner away either', async () => {
    await db.deleteFrom('users').execute()
    const owner = await makeOwner()
    const path = `/admin/users/${owner.id}`
    const acts = [
      admin('PUT', path, { app_metadata: { role: 'staff' } }),
      admin('PUT', path, { app_metadata: { role: null } }),
      admin('PUT', path, { ban_duration: '1h' }),
      admin('DELETE', path),
      admin('DELETE', path, { should_soft_delete: true }),
    ]
    for (const reply of await Promise.all(acts)) expect([reply.statusCode, reply.json().code]).toEqual([409, 'last_owner'])
    expect((await admin('GET', path)).json()).toMatchObject({ email: owner.email, app_metadata: { role: 'owner' } })
  })

  test('of two changes that want one address at the same moment one is refused', async () => {
    const [first, second] = [await makeUser(), await makeUser()]
    const email = someEmail()
    const replies = await Promise.all([first, second].map(({ id }) => admin('PUT', `/admin/users/${id}`, { email })))
    expect(replies.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 422])
  })

  test('a sign-in with a password that is replaced while it is compared opens nothing', async () => {
    const email = someEmail()
    const slow = { password_hash: bcrypt.hashSync(PASSWORD, 12) }
    const { id } = (await admin('POST', '/admin/users', { email, email_confirm: true, ...slow })).json()
    const before = hashing.hashCount
    const coming = signIn(email, PASSWORD)
    await eventually(() => expect(hashing.hashCount).toBeGreaterThan(before), { interval: 1 })
    await admin('PUT', `/admin/users/${id}`, { password_hash: bcrypt.hashSync('another horse', 4) })
    expect((await coming).json().code).toBe('invalid_credentials')
    expect(await db.selectFrom('sessions').select('id').where('userId', '=', id).execute()).toEqual([])
  })

  test('of two sign-ins at the same moment with an imported password neither is refused for what the other has made of it', async () => {
    const email = someEmail()
    await admin('POST', '/admin/users', { email, email_confirm: true, password_hash: bcrypt.hashSync(PASSWORD, 4) })
    const replies = await Promise.all([signIn(email, PASSWORD), signIn(email, PASSWORD)])
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200])
  })

  test('a new address voids the emails to the old one', async () => {
    const email = someEmail()
    await call('POST', '/signup', { email, password: PASSWORD })
    const user = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()
    await admin('PUT', `/admin/users/${user.id}`, { email: someEmail() })
    expect(await db.selectFrom('oneTimeTokens').selectAll().where('userId', '=', user.id).execute()).toEqual([])
  })
})

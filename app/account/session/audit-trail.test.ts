import { beforeEach, describe, expect, test } from 'vitest'
import { makeKey, revokeKey } from '#app/data-api/keys/api-key.server.ts'
import { ownKeys } from '#app/data-api/keys/key-holding.server.ts'
import { issueToken } from '#app/auth/tokens/one-time-token.server.ts'
import { db, insert, transaction } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { authClient, bearer, forgetLimits, signUpAndConfirm, someEmail } from '#test/auth.ts'
import { eventually } from '#test/eventually.ts'
import { makeDataset, makePost, makeProduct, makeUser, signIn, type SignedIn } from '#test/factories.ts'
import { twoAtOnce } from '#test/two-at-once.ts'

const app = await startEndpoints()
const call = authClient(app)
beforeEach(forgetLimits)

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

const send = ({ headers }: SignedIn, method: Method, url: string, payload?: object) =>
  app.inject({ method, url, headers, ...(payload && { payload }) })
const eventsOf = async (person: { user: { id: string } }, action: string) =>
  db
    .selectFrom('auditEvents')
    .selectAll()
    .where((event) => event.or([event('actorId', '=', person.user.id), event('subjectId', '=', person.user.id)]))
    .where('action', '=', action)
    .orderBy('id')
    .execute()
/** Refusals are written after the response. */
const soon = (person: { user: { id: string } }, action: string, count: number) =>
  eventually(async () => expect(await eventsOf(person, action)).toHaveLength(count))

/** Failed sign-ins that name no account. */
const countUnknown = async (method: 'code' | 'link') => {
  const failed = db.selectFrom('auditEvents').select('detail').where('action', '=', 'login_failed').where('subjectId', 'is', null)
  return (await failed.execute()).filter(({ detail }) => detail['method'] === method).length
}

describe('happy', () => {
  test('each export is in the log before it leaves: who, when, from where and which part', async () => {
    const owner = await signIn('owner')
    const exports: [url: string, action: string, filter?: string[]][] = [
      ['/api/contacts.csv?q=prices', 'leads_exported', ['q']],
      ['/api/leads.csv?sort=-name&owner=me&q=', 'leads_exported', ['owner']],
      ['/api/leads.csv?q=prices?&owner=me', 'leads_exported', ['q', 'owner']],
      ['/api/leads.csv', 'leads_exported'],
      ['/api/consultations.csv?unknown=prices', 'consultations_exported'],
      ['/api/admin/audit.csv?action=login', 'audit_exported', ['action']],
      ['/api/redirects/export?format=csv', 'redirects_exported'],
    ]
    for (const [url, action, filter] of exports) {
      expect([url, (await send(owner, 'GET', url)).statusCode]).toEqual([url, 200])
      const event = (await eventsOf(owner, action)).at(-1)
      expect(event).toMatchObject({ actorId: owner.user.id, address: '127.0.0.1', createdAt: expect.any(Date) })
      expect([url, event?.detail['filter']]).toEqual([url, filter])
      expect(JSON.stringify(event?.detail)).not.toContain('prices')
    }
  })

  test('posts and redirects say what was done to which of them', async () => {
    const staff = await signIn('staff')
    const redirect = { fromPath: '/old-prices', toPath: '/services', statusCode: 301 }
    const { id } = (await send(staff, 'POST', '/api/redirects', redirect)).json()
    expect(await eventsOf(staff, 'redirect_created')).toMatchObject([{ actorId: staff.user.id, detail: { object: id } }])
    await send(staff, 'DELETE', `/api/redirects/${id}`)
    expect(await eventsOf(staff, 'redirect_removed')).toMatchObject([{ detail: { object: id } }])
    const post = await makePost()
    expect((await send(staff, 'DELETE', `/api/blog/${post.id}`)).statusCode).toBe(204)
    expect(await eventsOf(staff, 'post_removed')).toMatchObject([{ detail: { object: post.id } }])
  })
})

describe('error', () => {
  test('a change that fails is not logged as done', async () => {
    const staff = await signIn('staff')
    await send(staff, 'DELETE', `/api/redirects/${staff.user.id}`)
    expect(await eventsOf(staff, 'redirect_removed')).toEqual([])
  })
})

describe('security', () => {
  test('failed sign-ins are in the log by account, at most twenty an hour however many are tried', async () => {
    const { email, session } = await signUpAndConfirm(app)
    const person = { user: { id: session.user.id } }
    expect((await call('POST', '/token?grant_type=password', { email, password: 'wrong horse' })).statusCode).toBe(400)
    await soon(person, 'login_failed', 1)
    expect(await eventsOf(person, 'login_failed')).toMatchObject([
      { subjectId: session.user.id, actorId: null, address: '127.0.0.1', detail: { method: 'password', reason: 'invalid_credentials' } },
    ])
    // The pause between guesses would take an hour; this test is about the bound of the log.
    const { noteRefusal } = await import('#app/auth/users/refused.server.ts')
    for (let attempt = 0; attempt < 60; attempt += 1) {
      noteRefusal({ action: 'login_failed', account: 'one', subjectId: session.user.id, address: '127.0.0.1', detail: {} })
    }
    await soon(person, 'login_failed', 21)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(await eventsOf(person, 'login_failed')).toHaveLength(21)
  })

  test('so is everything that an account asked for and may not have, and a session without its second factor', async () => {
    const customer = await signIn()
    expect((await send(customer, 'GET', '/api/contacts')).statusCode).toBe(403)
    await soon(customer, 'access_refused', 1)
    expect(await eventsOf(customer, 'access_refused')).toMatchObject([
      { actorId: customer.user.id, detail: { permission: 'leads.read', path: '/api/contacts', reason: 'role' } },
    ])
    const half = await signIn('staff')
    await insert(db, 'mfaFactors', { userId: half.user.id, factorType: 'phone', phone: '4915112345678', status: 'verified' })
    expect((await send(half, 'GET', '/api/contacts')).statusCode).toBe(403)
    await soon(half, 'access_refused', 1)
    expect((await eventsOf(half, 'access_refused'))[0]?.detail).toMatchObject({ reason: 'insufficient_aal' })
  })

  test('a wrong code is in the log as a failed sign-in, by account; an address without one gets the same refusal', async () => {
    const { email, session } = await signUpAndConfirm(app)
    const phone = '4915112340001'
    const withPhone = await makeUser({ phone, phoneConfirmedAt: new Date() })
    const person = { user: { id: session.user.id } }
    const tries = [
      { type: 'email', email, token: '000000' },
      { type: 'recovery', email, token: '000000' },
      { type: 'signup', email, token: '000000' },
      { type: 'sms', phone, token: '000000' },
      { type: 'email', email: someEmail(), token: '000000' },
    ]
    const unknownBefore = await countUnknown('code')
    const answers = []
    for (const body of tries) {
      const { statusCode, body: text } = await call('POST', '/verify', body)
      answers.push([statusCode, text])
    }
    expect(new Set(answers.map(([status, text]) => `${status} ${text}`)).size).toBe(1)
    await soon(person, 'login_failed', 3)
    await soon({ user: withPhone }, 'login_failed', 1)
    expect((await eventsOf(person, 'login_failed'))[0]).toMatchObject({
      actorId: null,
      subjectId: session.user.id,
      address: '127.0.0.1',
      detail: { method: 'code', reason: 'otp_expired' },
    })
    await eventually(async () => expect(await countUnknown('code')).toBe(unknownBefore + 1))
  })

  test('the code for a new address counts for the account that asked for it', async () => {
    const { session } = await signUpAndConfirm(app)
    const wanted = someEmail()
    expect((await call('PUT', '/user', { email: wanted }, bearer(session))).statusCode).toBe(200)
    expect((await call('POST', '/verify', { type: 'email_change', email: wanted, token: '000000' })).statusCode).toBe(403)
    await soon({ user: { id: session.user.id } }, 'login_failed', 1)
  })

  test('a wrong, used or expired link is in the log, whether a program or a page presents it', async () => {
    const { session } = await signUpAndConfirm(app)
    const { id } = session.user
    const before = await countUnknown('link')
    expect((await call('POST', '/verify', { type: 'recovery', token_hash: 'made-up' })).statusCode).toBe(403)
    expect((await call('GET', '/verify?type=recovery&token=made-up')).statusCode).toBe(303)
    await eventually(async () => expect(await countUnknown('link')).toBe(before + 2))
    const { link } = await transaction((trx) => issueToken(trx, id, 'recovery', session.user.email ?? ''))
    await db
      .updateTable('oneTimeTokens')
      .set({ issuedAt: new Date(0) })
      .where('userId', '=', id)
      .execute()
    expect((await call('POST', '/verify', { type: 'recovery', token_hash: link })).statusCode).toBe(403)
    await soon({ user: { id } }, 'login_failed', 1)
    expect((await eventsOf({ user: { id } }, 'login_failed'))[0]?.detail).toEqual({ method: 'link', reason: 'otp_expired' })
  })

  test('the auth service records what a genuine token may not do, and a banned user who comes back', async () => {
    const customer = await signUpAndConfirm(app)
    const { id } = customer.session.user
    const person = { user: { id } }
    expect((await call('GET', '/admin/users', undefined, bearer(customer.session))).statusCode).toBe(403)
    await insert(db, 'mfaFactors', { userId: id, factorType: 'phone', phone: '4915112345679', status: 'verified' })
    expect((await call('PUT', '/user', { password: 'another horse' }, bearer(customer.session))).statusCode).toBe(401)
    await db
      .updateTable('users')
      .set({ bannedUntil: new Date('2999-01-01') })
      .where('id', '=', id)
      .execute()
    expect((await call('GET', '/user', undefined, bearer(customer.session))).statusCode).toBe(403)
    await soon(person, 'access_refused', 3)
    const events = await eventsOf(person, 'access_refused')
    expect(events.map(({ actorId, detail }) => [actorId, detail])).toEqual([
      [id, { path: '/auth/v1/admin/users', reason: 'not_admin' }],
      [id, { path: '/auth/v1/user', reason: 'insufficient_aal' }],
      [id, { path: '/auth/v1/user', reason: 'user_banned' }],
    ])
    const renewal = { refresh_token: customer.session.refresh_token }
    expect((await call('POST', '/token?grant_type=refresh_token', renewal)).statusCode).toBe(400)
    await soon(person, 'login_failed', 1)
    expect((await call('GET', '/admin/users', undefined, { authorization: 'Bearer nonsense' })).statusCode).toBe(403)
    expect(await eventsOf(person, 'access_refused')).toHaveLength(3)
  })

  test('an API key that is revoked, or may not read a dataset, is in the log by account, at most twenty an hour', async () => {
    const customer = await signIn()
    const [open, other, paid] = [await makeProduct(), await makeProduct(), await makeProduct({ priceCents: 4900 })]
    const ask = (key: string, { slug }: { slug: string }) =>
      app.inject({ method: 'GET', url: `/api/v1/datasets/${slug}/rows`, headers: { authorization: `Bearer ${key}` } })
    const make = (productIds: string[] | null) =>
      makeKey(ownKeys(customer.user.id), { name: 'Import', productIds, expiresInDays: null }, { id: customer.user.id })
    await makeDataset(paid, 'day,price\n2026-10-01,5\n')
    const narrow = await make([open.id])
    const wide = await make(null)
    expect((await ask(narrow.key, other)).json().code).toBe('key_scope')
    expect((await ask(wide.key, paid)).json().code).toBe('payment_required')
    await revokeKey(ownKeys(customer.user.id), wide.id, {})
    expect((await ask(wide.key, open)).json().code).toBe('key_revoked')
    await soon(customer, 'access_refused', 3)
    // Each is written beside its response, so one may overtake another.
    const reasonsOf = (key: { id: string }) => logged.filter(({ detail }) => detail['key'] === key.id).map(({ detail }) => detail['reason'])
    const logged = await eventsOf(customer, 'access_refused')
    expect(logged.map(({ subjectId }) => subjectId)).toEqual(Array.from({ length: 3 }, () => customer.user.id))
    expect([reasonsOf(narrow), new Set(reasonsOf(wide))]).toEqual([['key_scope'], new Set(['payment_required', 'key_revoked'])])
    for (let attempt = 0; attempt < 30; attempt += 1) await ask(narrow.key, other)
    await soon(customer, 'access_refused', 22)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(await eventsOf(customer, 'access_refused')).toHaveLength(22)
  })

  test('sign-ins, codes and recoveries that a rate limit stops are in the log by account, once an hour', async () => {
    const { email, session } = await signUpAndConfirm(app)
    const person = { user: { id: session.user.id } }
    const [stranger, from] = [someEmail(), '203.0.113.9']
    const kinds = async () => (await eventsOf(person, 'rate_limited')).map(({ detail }) => String(detail['kind'])).toSorted()
    const strangers = db.selectFrom('auditEvents').select('id').where('action', '=', 'rate_limited').where('subjectId', 'is', null)
    const attempts = [
      [14, '/token?grant_type=password', { password: 'wrong horse' }],
      [8, '/verify', { type: 'email', token: '000000' }],
      [4, '/recover', {}],
    ] as const
    for (const [count, path, body] of attempts) {
      for (const address of [email, stranger]) {
        const ask = () => app.inject({ method: 'POST', url: `/auth/v1${path}`, payload: { ...body, email: address }, remoteAddress: from })
        const replies = []
        for (let time = 0; time < count; time += 1) replies.push((await ask()).statusCode)
        expect([path, replies.at(-1)]).toEqual([path, 429])
      }
    }
    await soon(person, 'rate_limited', 3)
    await eventually(async () => expect(await strangers.where('address', '=', from).execute()).toHaveLength(3))
    expect(await kinds()).toEqual(['code', 'recovery', 'sign_in'])
    expect((await eventsOf(person, 'rate_limited'))[0]).toMatchObject({ actorId: null, subjectId: session.user.id, address: from })
  })

  test('a rate-limited visitor is in the log once, however many attempts follow', async () => {
    const visitors = { '/verify': '203.0.113.21', '/recover': '203.0.113.22', '/otp': '2001:db8:7:1::22' }
    for (const [path, remoteAddress] of Object.entries(visitors)) {
      const ask = () => app.inject({ method: 'POST', url: `/auth/v1${path}`, payload: { email: 'no address' }, remoteAddress })
      const replies = await twoAtOnce(60, ask)
      expect(replies.filter(({ statusCode }) => statusCode === 429)).toHaveLength(30)
    }
    const noted = async (address: string) => {
      const events = db.selectFrom('auditEvents').selectAll().where('action', '=', 'rate_limited').where('address', '=', address)
      return (await events.execute()).map(({ actorId, subjectId, detail }) => [actorId, subjectId, detail])
    }
    await eventually(async () => {
      expect(await noted('203.0.113.21')).toEqual([[null, null, { kind: 'code' }]])
      expect(await noted('203.0.113.22')).toEqual([[null, null, { kind: 'recovery' }]])
      expect(await noted('2001:db8:7:1::/64')).toEqual([[null, null, { kind: 'sign_in' }]])
    })
  })

  test('throttled two-factor attempts are in the log, once an hour', async () => {
    const half = await signIn('staff')
    await insert(db, 'mfaFactors', { userId: half.user.id, factorType: 'phone', phone: '4915112345680', status: 'verified' })
    const statuses = []
    for (let time = 0; time < 15; time += 1) {
      statuses.push((await send(half, 'POST', '/api/account/recovery-codes/use', { code: 'aaaa-aaaa-aaaa' })).statusCode)
    }
    expect(statuses.at(-1)).toBe(429)
    await soon(half, 'rate_limited', 1)
    expect(await eventsOf(half, 'rate_limited')).toMatchObject([{ actorId: half.user.id, detail: { kind: 'second_step' } }])
  })
})

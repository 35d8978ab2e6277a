import { AuthClient } from '@supabase/auth-js'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { OWN_PAGES_HEADER } from '#app/auth/protocol/session-header.ts'
import { HELD_BY_SERVER } from '#app/account/session/session-front.ts'
import { browser } from '#test/browser.ts'
import { eventually } from '#test/eventually.ts'
import { PUBLISHABLE_KEY, startHosted } from '#test/hosted.ts'
import { codeOf } from '#test/totp.ts'

const PASSWORD = 'correct horse'
const ACCESS_COOKIE = 'winnow-access'
const REFRESH_COOKIE = 'winnow-refresh'
const SEEN_AT = 'https://partner.example/tools'

const { service, app, db, directory, forgetLimits, runJob } = await startHosted()
let count = 0
const someEmail = () => `hosted-${(count += 1)}@example.com`
beforeEach(async () => {
  await forgetLimits()
  await service.forgetLimits()
})

type Browser = ReturnType<typeof browser>

const ask = (from: Browser, method: 'GET' | 'POST' | 'PUT', path: string, payload?: object, headers: Record<string, string> = {}) =>
  from.send({ method, url: `/auth/v1${path}`, headers: { [OWN_PAGES_HEADER]: '1', ...headers }, ...(payload && { payload }) })
const refresh = (from: Browser) => ask(from, 'POST', '/token?grant_type=refresh_token', { refresh_token: HELD_BY_SERVER })
const dashboard = async (from: Browser) => (await from.send({ url: '/dashboard' })).statusCode
const leads = async (from: Browser) => (await from.send({ url: '/api/contacts' })).statusCode

async function signIn(email: string, from = browser(app)) {
  const reply = await ask(from, 'POST', '/token?grant_type=password', { email, password: PASSWORD })
  expect([reply.statusCode, reply.body]).toEqual([200, expect.any(String)])
  return { from, session: reply.json(), id: reply.json().user.id }
}

/** Signs up in our form, follows the service's email to our page, and signs in. */
async function newPerson(email = someEmail()) {
  const from = browser(app)
  const fields = { form: 'sign-up', firstName: 'Ada', lastName: 'Lovelace', email, password: PASSWORD, confirmPassword: PASSWORD }
  expect((await from.post('/login?mode=sign-up', fields)).headers.location).toContain('notice=check-email')
  const { link } = await service.secretsOf(email, 'confirm-address')
  const page = `/login/confirm?token_hash=${link}&type=signup`
  expect((await from.send({ url: page })).body).toContain('Confirm this address')
  expect((await from.post(page, { token_hash: link })).headers.location).toContain('notice=confirmed')
  return { email, ...(await signIn(email, from)) }
}

describe('happy', () => {
  test('the first confirmed account owns the installation: sign up, confirm, sign in, the sales dashboard, refresh, sign out', async () => {
    const { from, session, email } = await newPerson()
    expect(session.refresh_token).toMatch(new RegExp(`^${HELD_BY_SERVER}-`))
    expect(from.cookies.get(REFRESH_COOKIE)).not.toBe(undefined)
    const page = await from.send({ url: '/dashboard' })
    expect(page.body).toContain('Sales Dashboard')
    expect(await leads(from)).toBe(200)
    expect(await db.selectFrom('hostedAccounts').select(['email', 'role']).execute()).toEqual([{ email, role: 'owner' }])

    const before = from.cookies.get(ACCESS_COOKIE)
    expect((await refresh(from)).statusCode).toBe(200)
    expect(from.cookies.get(ACCESS_COOKIE)).not.toBe(undefined)
    expect(await leads(from)).toBe(200)

    const left = { authorization: `Bearer ${from.cookies.get(ACCESS_COOKIE)}` }
    expect((await ask(from, 'POST', '/logout?scope=local', undefined, left)).statusCode).toBe(204)
    expect(from.cookies.size).toBe(0)
    // Both tokens are still valid for a quarter of an hour on their own.
    for (const token of [before, left.authorization.slice(7)]) {
      expect((await app.inject({ url: '/api/contacts', headers: { authorization: `Bearer ${token}` } })).statusCode).toBe(401)
    }
  })

  test('where a sign-up came from is kept at the account from its first session on, by the page and by its script', async () => {
    const known = { form: 'sign-up', path: '/login', campaign: { ref: 'partner' } }
    const headers = { referer: 'http://localhost:3000/login?mode=sign-up&ref=partner' }
    const [byPage, byScript] = [someEmail(), someEmail()]
    const fields = { form: 'sign-up', firstName: 'Ada', lastName: 'Lovelace', password: PASSWORD, confirmPassword: PASSWORD }
    const url = '/login?mode=sign-up'
    const form = new URLSearchParams({ ...fields, email: byPage, referrer: 'https://search.example/?q=secret' }).toString()
    const type = { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://localhost:3000' }
    expect((await browser(app).send({ method: 'POST', url, headers: { ...headers, ...type }, payload: form })).statusCode).toBe(302)
    const signUp = await ask(
      browser(app),
      'POST',
      '/signup',
      { email: byScript, password: PASSWORD },
      { ...headers, 'x-referrer': SEEN_AT },
    )
    expect([signUp.statusCode, signUp.body]).toEqual([200, expect.not.stringContaining('partner')])
    // Neither account has had a session yet.
    expect(await db.selectFrom('hostedAccounts').select('id').where('email', 'in', [byPage, byScript]).execute()).toEqual([])
    for (const [email, referrer] of [
      [byPage, 'search.example'],
      [byScript, 'partner.example'],
    ] as const) {
      const { link } = await service.secretsOf(email, 'confirm-address')
      const page = `/login/confirm?token_hash=${link}&type=signup`
      expect((await browser(app).post(page, { token_hash: link })).headers.location).toContain('notice=confirmed')
      const { from, id, session } = await signIn(email)
      const { cameFrom } = await db.selectFrom('hostedAccounts').select('cameFrom').where('id', '=', id).executeTakeFirstOrThrow()
      expect(cameFrom).toEqual({ ...known, referrer })
      expect(session.user.user_metadata).not.toHaveProperty('cameFrom')
      const { json } = await from.send({ url: '/api/account/data' })
      expect(json().profile.cameFrom).toEqual(cameFrom)
    }
    expect(await db.selectFrom('hostedSignUps').select('id').execute()).toEqual([])
  })

  test('the source of a sign-up that was never confirmed is deleted after 30 days, and a flood of them is not stored', async () => {
    const [lately, longAgo] = [crypto.randomUUID(), crypto.randomUUID()]
    const cameFrom = JSON.stringify({ form: 'sign-up', path: '/login', referrer: null, campaign: {} })
    const createdAt = new Date(Date.now() - 31 * 86_400_000)
    await db
      .insertInto('hostedSignUps')
      .values([
        { id: lately, cameFrom },
        { id: longAgo, cameFrom, createdAt },
      ])
      .execute()
    await runJob('hosted-housekeeping')
    expect(await db.selectFrom('hostedSignUps').select('id').execute()).toEqual([{ id: lately }])
    await sql`INSERT INTO hosted_sign_ups (id, came_from) SELECT gen_random_uuid(), '{}' FROM generate_series(2, 10000)`.execute(db)
    expect((await ask(browser(app), 'POST', '/signup', { email: someEmail(), password: PASSWORD })).statusCode).toBe(200)
    expect(
      await db
        .selectFrom('hostedSignUps')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .execute(),
    ).toEqual([{ n: 10_000 }])
    await db.deleteFrom('hostedSignUps').execute()
  })

  test('later users are customers', async () => {
    const { from, id } = await newPerson()
    expect(await leads(from)).toBe(403)
    expect(await dashboard(from)).toBe(200)
    expect((await directory.findUser(id))?.role).toBe('customer')
  })

  test('the sign-in form works without script, and so does signing out', async () => {
    const { email } = await newPerson()
    const from = browser(app)
    const wrong = await from.post('/login', { form: 'sign-in', email, password: 'wrong horse' })
    expect([wrong.statusCode, wrong.body]).toEqual([422, expect.stringContaining('Invalid login credentials')])
    const right = await from.post('/login', { form: 'sign-in', email, password: PASSWORD })
    expect([right.statusCode, right.headers.location]).toEqual([302, '/dashboard'])
    expect(await dashboard(from)).toBe(200)
    const access = from.cookies.get(ACCESS_COOKIE)
    await from.send({ method: 'POST', url: '/api/logout' })
    expect((await app.inject({ url: '/api/access-requests', headers: { authorization: `Bearer ${access}` } })).statusCode).toBe(401)
    expect(service.asked.at(-1)).toMatchObject({ method: 'POST', path: '/auth/v1/logout?scope=local' })
  })

  test('a forgotten password is replaced with the service’s email', async () => {
    const { email } = await newPerson()
    const from = browser(app)
    expect((await from.post('/login/forgot-password', { email })).body).toContain('it’s on its way')
    await eventually(async () => expect((await service.emailsTo(email)).map(({ kind }) => kind)).toContain('reset-password'))
    const { link } = await service.secretsOf(email, 'reset-password')
    const page = `/login/new-password?token_hash=${link}&type=recovery`
    expect((await from.send({ url: page })).body).toContain('Choose a new password')
    const fields = { token_hash: link, password: 'another horse', confirmPassword: 'another horse' }
    expect((await from.post(page, fields)).headers.location).toContain('notice=new-password')
    expect((await from.post(page, fields)).body).toContain('This link no longer works')
    expect((await from.post('/login', { form: 'sign-in', email, password: 'another horse' })).statusCode).toBe(302)
  })

  test('emails with a sign-in link and for an address change lead to our pages', async () => {
    const { from, email } = await newPerson()
    await ask(browser(app), 'POST', '/otp', { email })
    await eventually(async () => expect((await service.emailsTo(email)).length).toBeGreaterThan(1))
    const sent = (await service.emailsTo(email)).at(-1)?.data
    const other = browser(app)
    expect((await other.post(`/login/link?token_hash=${sent.link}`, { token_hash: sent.link })).headers.location).toBe('/dashboard')
    expect(await dashboard(other)).toBe(200)

    await service.forgetLimits()
    const byCode = browser(app)
    expect((await byCode.post('/login/code', { email })).statusCode).toBeLessThan(400)
    await eventually(async () => expect((await service.emailsTo(email)).length).toBeGreaterThan(2))
    const code = (await service.emailsTo(email)).at(-1)?.data.code
    expect((await byCode.post('/login/code', { email, code, form: 'code' })).headers.location).toBe('/dashboard')

    const fresh = someEmail()
    const bearer = { authorization: `Bearer ${from.cookies.get(ACCESS_COOKIE)}` }
    expect((await ask(from, 'PUT', '/user', { email: fresh }, bearer)).statusCode).toBe(200)
    for (const [address, words] of [
      [email, 'One more step'],
      [fresh, 'Your address has changed'],
    ] as const) {
      const link = (await service.emailsTo(address)).at(-1)?.data.link
      expect((await from.post(`/login/new-address?token_hash=${link}`, { token_hash: link })).body).toContain(words)
    }
    expect((await signIn(fresh)).id).toBeDefined()
    expect(await db.selectFrom('hostedAccounts').select('email').where('email', '=', fresh).execute()).toHaveLength(1)
  })

  test('a user with a second factor at the service needs MFA, and can complete it without script', async () => {
    const { from, email } = await newPerson()
    const bearerOf = (browser: Browser) => ({ authorization: `Bearer ${browser.cookies.get(ACCESS_COOKIE)}` })
    const begun = (await ask(from, 'POST', '/factors', { factor_type: 'totp', friendly_name: 'Phone' }, bearerOf(from))).json()
    const { id: challengeId } = (await ask(from, 'POST', `/factors/${begun.id}/challenge`, {}, bearerOf(from))).json()
    const code = codeOf(begun.totp.secret)
    const raised = await ask(from, 'POST', `/factors/${begun.id}/verify`, { challenge_id: challengeId, code }, bearerOf(from))
    expect(raised.statusCode).toBe(200)
    expect(await dashboard(from)).toBe(200)

    const { from: other } = await signIn(email)
    expect((await other.send({ url: '/dashboard' })).headers.location).toMatch(/^\/login\/second-step/)
    expect((await other.send({ url: '/api/access-requests' })).json().code).toBe('insufficient_aal')
    expect((await other.send({ url: '/login/second-step' })).body).not.toContain('recovery code')
    const wrong = await other.post('/login/second-step', { factor: begun.id, code: '000000' })
    expect(wrong.statusCode).toBe(422)
    await service.db.updateTable('mfaFactors').set({ lastStep: null }).execute()
    const right = await other.post('/login/second-step', { factor: begun.id, code: codeOf(begun.totp.secret) })
    expect([right.statusCode, right.headers.location]).toEqual([302, '/dashboard'])
    expect(await dashboard(other)).toBe(200)
  })

  test('a role from the owner takes effect immediately, although no token contains it', async () => {
    const { from, id } = await newPerson()
    expect(await leads(from)).toBe(403)
    await directory.changeRole(id, 'staff', {})
    expect(await leads(from)).toBe(200)
    await directory.changeRole(id, 'customer', {})
    expect(await leads(from)).toBe(403)
  })

  test('a ban takes effect immediately, prevents sign-ins, and ends when it is lifted', async () => {
    const { from, id, email } = await newPerson()
    await directory.banUser(id, new Date(Date.now() + 3_600_000), {})
    expect((await from.send({ url: '/api/access-requests' })).statusCode).toBe(401)
    const token = from.cookies.get(ACCESS_COOKIE)
    const self = await app.inject({
      url: '/auth/v1/user',
      headers: { authorization: `Bearer ${token}`, 'x-supabase-api-version': '2024-01-01' },
    })
    expect([self.statusCode, self.json().code]).toEqual([403, 'user_banned'])
    const again = await ask(
      browser(app),
      'POST',
      '/token?grant_type=password',
      { email, password: PASSWORD },
      { 'x-supabase-api-version': '2024-01-01' },
    )
    expect([again.statusCode, again.json().code]).toEqual([400, 'user_banned'])
    expect(again.body).not.toContain('token')
    expect((await browser(app).post('/login', { form: 'sign-in', email, password: PASSWORD })).body).toContain('User is banned')
    await directory.unbanUser(id, {})
    expect(await dashboard((await signIn(email)).from)).toBe(200)
  })

  test('a session that the owner has ended stays ended, whatever the service would renew', async () => {
    const { from, id } = await newPerson()
    const [here] = await directory.listSessions(id)
    await directory.endSessions(id, {}, here?.id)
    expect((await from.send({ url: '/api/access-requests' })).statusCode).toBe(401)
    expect(await directory.listSessions(id)).toEqual([])
    const renewed = await refresh(from)
    expect(renewed.statusCode).toBe(400)
    expect(from.cookies.size).toBe(0)
    expect(service.asked.at(-1)).toMatchObject({ path: '/auth/v1/logout?scope=local' })
    expect(
      await service.db
        .selectFrom('sessions')
        .select('id')
        .where('id', '=', here?.id ?? '')
        .execute(),
    ).toEqual([])
  })

  test('signing out everywhere ends every session here, and a new password all others', async () => {
    const { from: first, email } = await newPerson()
    const second = (await signIn(email)).from
    const bearerOf = (from: Browser) => ({ authorization: `Bearer ${from.cookies.get(ACCESS_COOKIE)}` })
    expect((await ask(second, 'PUT', '/user', { password: 'a third horse' }, bearerOf(second))).statusCode).toBe(200)
    expect((await first.send({ url: '/api/access-requests' })).statusCode).toBe(401)
    expect((await second.send({ url: '/api/access-requests' })).statusCode).toBe(200)
    const third = browser(app)
    await third.post('/login', { form: 'sign-in', email, password: 'a third horse' })
    await ask(second, 'POST', '/logout?scope=global', undefined, bearerOf(second))
    expect((await third.send({ url: '/api/access-requests' })).statusCode).toBe(401)
  })

  test('unmodified auth-js behind the front signs up, signs in, renews and signs out', async () => {
    const { email } = await newPerson()
    const from = browser(app)
    const memory = new Map<string, string>()
    const client = new AuthClient({
      url: 'http://localhost:3000/auth/v1',
      headers: { [OWN_PAGES_HEADER]: '1' },
      autoRefreshToken: false,
      storage: {
        getItem: (key) => memory.get(key) ?? null,
        setItem: (key, value) => void memory.set(key, value),
        removeItem: (key) => void memory.delete(key),
      },
      async fetch(input, init) {
        const request = new Request(input, init)
        const { pathname, search } = new URL(request.url)
        const payload = await request.text()
        const reply = await from.send({
          method: request.method === 'POST' ? 'POST' : request.method === 'PUT' ? 'PUT' : 'GET',
          url: pathname + search,
          headers: Object.fromEntries(request.headers),
          ...(payload && { payload }),
        })
        const headers = Object.entries(reply.headers).map(([name, value]): [string, string] => [name, String(value)])
        return new Response(reply.statusCode === 204 ? null : reply.body, { status: reply.statusCode, headers })
      },
    })
    expect((await client.signInWithPassword({ email, password: 'wrong' })).error).toMatchObject({
      status: 400,
      code: 'invalid_credentials',
    })
    expect((await client.signInWithPassword({ email, password: PASSWORD })).error).toBeNull()
    expect((await client.refreshSession()).error).toBeNull()
    expect((await client.updateUser({ data: { first_name: 'Augusta' } })).data.user?.user_metadata['first_name']).toBe('Augusta')
    expect((await from.send({ url: '/' })).body).toContain('Augusta')
    expect(JSON.stringify([...memory])).not.toContain(from.cookies.get(REFRESH_COOKIE))
    expect((await client.signOut()).error).toBeNull()
    expect(from.cookies.size).toBe(0)
  })
})

describe('error', () => {
  test('the service’s refusals reach the client unchanged', async () => {
    const reply = await ask(browser(app), 'POST', '/signup', { email: 'ada', password: PASSWORD })
    expect(reply.json()).toMatchObject({ code: 400, error_code: 'validation_failed' })
    const modern = await ask(
      browser(app),
      'POST',
      '/signup',
      { email: someEmail(), password: '1' },
      { 'x-supabase-api-version': '2024-01-01' },
    )
    expect([modern.statusCode, modern.json().code, modern.headers['x-sb-error-code']]).toEqual([422, 'weak_password', 'weak_password'])
    expect(modern.headers['cache-control']).toBe('no-store')
  })

  test('the form shows a taken address or a weak password', async () => {
    const fields = {
      form: 'sign-up',
      firstName: 'Ada',
      lastName: 'Lovelace',
      email: someEmail(),
      password: 'password',
      confirmPassword: 'password',
    }
    const reply = await browser(app).post('/login?mode=sign-up', fields)
    expect([reply.statusCode, reply.body]).toEqual([422, expect.stringContaining('most common passwords')])
  })

  test('an invalid link shows an error', async () => {
    for (const page of ['confirm', 'new-address', 'new-password', 'link']) {
      const fields = { token_hash: 'none', password: 'another horse', confirmPassword: 'another horse' }
      const reply = await browser(app).post(`/login/${page}?token_hash=none`, fields)
      expect([page, reply.body.includes('no longer works') || reply.body.includes('has expired')]).toEqual([page, true])
    }
  })
})

describe('security', () => {
  test('the service gets only protocol requests, with the public key and the visitor’s address, without our cookies', async () => {
    const { email } = await newPerson()
    await app.inject({
      method: 'POST',
      url: '/auth/v1/token?grant_type=password',
      remoteAddress: '203.0.113.9',
      headers: { cookie: 'theme=dark; winnow-access=x' },
      payload: { email, password: PASSWORD },
    })
    const last = service.asked.at(-1)
    expect(last?.headers).toMatchObject({ apikey: PUBLISHABLE_KEY, 'x-forwarded-for': '203.0.113.9' })
    for (const { path, headers } of service.asked) {
      expect(path).toMatch(
        /^\/auth\/v1\/(signup|token|verify|user|logout|recover|otp|settings|factors(\/[\w-]+\/(challenge|verify))?|\.well-known\/jwks\.json)(\?|$)/,
      )
      expect([headers['apikey'], headers['cookie'], headers['x-session-front']]).toEqual([PUBLISHABLE_KEY, undefined, undefined])
    }
    const sessions = await service.db.selectFrom('sessions').select('address').orderBy('createdAt', 'desc').execute()
    expect(sessions[0]?.address).toBe('203.0.113.9')
  })

  test('a visitor’s requests to the service are limited here, for any query', async () => {
    const asked = [
      { method: 'POST', url: '/auth/v1/signup?grant_type=refresh_token', payload: {} },
      { method: 'GET', url: '/auth/v1/verify?token=none&type=signup' },
      { method: 'GET', url: '/auth/v1/reauthenticate' },
    ] as const
    for (const request of asked) {
      const statuses: number[] = []
      for (let turn = 0; turn < 31; turn += 1) statuses.push((await app.inject(request)).statusCode)
      expect([request.url, statuses.indexOf(429)]).toEqual([request.url, 30])
    }
  })

  test('the project’s other services and its admin API are not reachable through us', async () => {
    const before = service.asked.length
    for (const url of [
      '/auth/v1/../../rest/v1/users',
      '/auth/v1/%2e%2e/%2e%2e/rest/v1/users',
      '/auth/v1/admin/users',
      '/auth/v1/invite',
      '/auth/v1//admin/users',
    ]) {
      const reply = await app.inject({ method: 'GET', url, headers: { authorization: `Bearer ${service.secretKey}` } })
      expect([url, reply.statusCode]).toEqual([url, 404])
    }
    expect(service.asked.length).toBe(before)
  })

  test('tokens of unknown users or other signers are refused, and do not fetch the keys each time', async () => {
    const { SignJWT, generateKeyPair } = await import('jose')
    const { privateKey } = await generateKeyPair('ES256')
    const { id } = await newPerson()
    const before = service.asked.filter(({ path }) => path.includes('jwks')).length
    for (let index = 0; index < 5; index += 1) {
      const token = await new SignJWT({ session_id: id })
        .setProtectedHeader({ alg: 'ES256', kid: `invented-${index}` })
        .setSubject(id)
        .setIssuer(`${service.url}/auth/v1`)
        .setAudience('authenticated')
        .setExpirationTime('1 hour')
        .sign(privateKey)
      expect((await app.inject({ url: '/api/access-requests', headers: { authorization: `Bearer ${token}` } })).statusCode).toBe(401)
    }
    expect(service.asked.filter(({ path }) => path.includes('jwks')).length - before).toBeLessThanOrEqual(1)
  })

  test('a page of another site can make a browser neither sign in nor write', async () => {
    const { from } = await newPerson()
    const reply = await ask(from, 'POST', '/logout', undefined, { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' })
    expect(reply.statusCode).toBe(403)
    expect(await dashboard(from)).toBe(200)
  })

  test('the last owner stays, also when two owners remove each other concurrently', async () => {
    const owners = () => db.selectFrom('hostedAccounts').select('id').where('role', '=', 'owner').execute()
    const [first] = await owners()
    const { id: second } = await newPerson()
    await expect(directory.changeRole(first?.id ?? '', 'customer', {})).rejects.toMatchObject({ extra: { code: 'last_owner' } })
    await expect(directory.banUser(first?.id ?? '', new Date(Date.now() + 60_000), {})).rejects.toMatchObject({ status: 409 })
    await directory.changeRole(second, 'owner', {})
    const outcomes = await Promise.allSettled([
      directory.changeRole(first?.id ?? '', 'customer', {}),
      directory.changeRole(second, 'customer', {}),
    ])
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await owners()).toHaveLength(1)
  })

  test('without the secret key invitations and deletions are refused without a request to the service', async () => {
    const before = service.asked.length
    const { id } = await newPerson()
    await expect(directory.inviteUser('guest@example.com', 'staff', {})).rejects.toMatchObject({ extra: { code: 'not_admin' } })
    await expect(directory.deleteUser(id, {})).rejects.toMatchObject({ extra: { code: 'not_admin' } })
    expect(service.asked.slice(before).filter(({ path }) => path.includes('admin') || path.includes('invite'))).toEqual([])
    expect(await directory.findUser(id)).toBeDefined()
  })
})

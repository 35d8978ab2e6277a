import { SignJWT } from 'jose'
import { beforeEach, describe, expect, test } from 'vitest'
import { db, insert, newId } from '#app/platform/database/db.server.ts'
import { signingKey } from '#app/auth/sessions/jwt.server.ts'
import { adminClient } from '#test/admin.ts'
import { startEndpoints } from '#test/app.ts'
import { authClient, bearer, forgetLimits, PASSWORD, signUpAndConfirm, someEmail } from '#test/auth.ts'

const app = await startEndpoints()
const call = authClient(app)
const admin = await adminClient(app)
beforeEach(forgetLimits)

const send = (payload: string, headers: Record<string, string>) =>
  app.inject({ method: 'POST', url: '/auth/v1/token?grant_type=password', headers, payload })

/** An admin program's token, signed with our key, without a session. */
async function mint(claims: Record<string, unknown>, { end = '1 hour', key: given }: { end?: string; key?: Uint8Array } = {}) {
  const { kid, alg, key } = await signingKey()
  const header = given ? { alg: 'HS256', kid } : { alg, kid }
  const token = new SignJWT({ aud: 'authenticated', role: 'authenticated', ...claims }).setProtectedHeader(header).setExpirationTime(end)
  return { authorization: `Bearer ${await token.sign(given ?? key)}` }
}

describe('happy', () => {
  test('a path may end with a slash', async () => {
    const replies = [await call('GET', '/settings/'), await call('GET', '/settings//?x=1'), await call('GET', '/.well-known/jwks.json/')]
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/vnd.api+json', undefined])(
    'a program with an API key may send JSON as %s',
    async (type) => {
      const { email } = await signUpAndConfirm(app)
      const reply = await send(JSON.stringify({ email, password: PASSWORD }), { apikey: 'public', ...(type && { 'content-type': type }) })
      expect([reply.statusCode, reply.json().token_type]).toEqual([200, 'bearer'])
    },
  )

  test('a token of our key without a session acts for the user that it names', async () => {
    const { email, session } = await signUpAndConfirm(app)
    const headers = await mint({ sub: session.user.id })
    expect((await call('GET', '/user', undefined, headers)).json()).toMatchObject({ id: session.user.id, email })
    const changed = await call('PUT', '/user', { data: { team: 'north' } }, headers)
    expect([changed.statusCode, changed.json().user_metadata.team]).toEqual([200, 'north'])
  })

  test('a program finds the issuer, keys and algorithms at the address where OpenID Connect looks', async () => {
    for (const name of ['openid-configuration', 'oauth-authorization-server']) {
      const reply = await call('GET', `/.well-known/${name}`)
      const found = reply.json()
      expect([reply.statusCode, reply.headers['cache-control']]).toEqual([200, 'public, max-age=600'])
      expect(found).toMatchObject({
        issuer: 'http://localhost:3000/auth/v1',
        jwks_uri: 'http://localhost:3000/auth/v1/.well-known/jwks.json',
      })
      const keys = (await app.inject(new URL(found.jwks_uri).pathname)).json()
      expect(found.id_token_signing_alg_values_supported).toEqual(keys.keys.map(({ alg }: { alg: string }) => alg))
      // A library for OpenID Connect could not use the other endpoints: they speak the auth protocol.
      expect(Object.keys(found).filter((key) => key.endsWith('_endpoint'))).toEqual([])
    }
  })

  test('an identity says from the beginning when it was last used', async () => {
    const email = someEmail()
    const signedUp = await call('POST', '/signup', { email, password: PASSWORD })
    expect(signedUp.json().identities[0].last_sign_in_at).toEqual(expect.any(String))
    const made = await admin('POST', '/admin/users', { email: someEmail(), email_confirm: true })
    expect(made.json().identities[0].last_sign_in_at).toEqual(expect.any(String))
  })

  test('a program of the operator reads the audit log, newest first, and filters it by author, action or type', async () => {
    const { email, session } = await signUpAndConfirm(app)
    const reply = await admin('GET', `/admin/audit?per_page=2&query=author:${email}`)
    expect(reply.statusCode).toBe(200)
    expect(reply.json()[0]).toMatchObject({
      id: expect.any(String),
      payload: { action: 'login', actor_id: session.user.id, actor_username: email, log_type: 'account' },
      ip_address: '127.0.0.1',
    })
    expect(reply.headers['link']).toMatch(/^<\/admin\/audit\?page=2&per_page=2&query=author/)
    expect(Number(reply.headers['x-total-count'])).toBeGreaterThan(2)
    const actions = async (query: string) =>
      (await admin('GET', `/admin/audit?query=${query}`)).json().map(({ payload }: { payload: { action: string } }) => payload.action)
    expect(new Set(await actions('action:user_signedup'))).toEqual(new Set(['user_signedup']))
    expect(new Set(await actions('type:account'))).toEqual(new Set(['login']))
    expect(await actions('author:%25')).toEqual([])
  })
})

describe('error', () => {
  test('a known address says which methods it takes', async () => {
    const reply = await call('DELETE', '/signup')
    expect([reply.statusCode, reply.headers['allow'], reply.json().code]).toEqual([405, 'POST', 'method_not_allowed'])
    const unknown = await call('DELETE', '/nothing')
    expect([unknown.statusCode, unknown.json().code]).toEqual([404, 'not_found'])
  })

  test('the audit log is for administrators, and is filtered by what it knows', async () => {
    const reply = await call('GET', '/admin/audit?query=nothing:x')
    expect(reply.statusCode).toBe(401)
    const wrong = await admin('GET', '/admin/audit?query=nothing:x')
    expect([wrong.statusCode, wrong.json().code]).toEqual([400, 'validation_failed'])
  })

  test.each(['{"chain":1}', '[]', '{}'])('wallets that are off are off whatever is sent: %s', async (payload) => {
    const headers = { 'content-type': 'application/json', 'x-supabase-api-version': '2024-01-01' }
    const reply = await app.inject({ method: 'POST', url: '/auth/v1/token?grant_type=web3', headers, payload })
    expect([reply.statusCode, reply.json()]).toEqual([422, { code: 'web3_provider_disabled', message: 'Web3 provider is disabled' }])
  })

  test('another audience has no users here', async () => {
    const { email } = await signUpAndConfirm(app)
    const attempt = (audience: string) =>
      call('POST', '/token?grant_type=password', { email, password: PASSWORD }, { 'x-jwt-aud': audience })
    const other = await attempt('another')
    expect([other.statusCode, other.json().code]).toEqual([403, 'unexpected_audience'])
    expect((await attempt('authenticated')).statusCode).toBe(200)
  })
})

describe('security', () => {
  test('a form of a foreign page is not read as JSON: it has no API key, or a cookie', async () => {
    const { email } = await signUpAndConfirm(app)
    const body = JSON.stringify({ email, password: PASSWORD })
    const plain = { 'content-type': 'text/plain' }
    expect((await send(body, plain)).statusCode).toBe(400)
    expect((await send(body, { ...plain, apikey: 'public', cookie: 'theme=dark' })).statusCode).toBe(400)
  })

  test('a token without a session is worth no more than the first factor, opens no page, and ends with its user', async () => {
    const { session } = await signUpAndConfirm(app)
    const { id } = session.user
    const headers = await mint({ sub: id, aal: 'aal2' })
    expect((await app.inject({ url: '/api/account', headers })).statusCode).toBe(401)
    await insert(db, 'mfaFactors', { userId: id, factorType: 'totp', status: 'verified', secretSealed: Buffer.of(1) })
    expect((await call('PUT', '/user', { password: 'another horse' }, headers)).json().code).toBe('insufficient_aal')
    await db
      .updateTable('users')
      .set({ bannedUntil: new Date(Date.now() + 60_000) })
      .where('id', '=', id)
      .execute()
    expect((await call('GET', '/user', undefined, headers)).json().code).toBe('user_banned')
  })

  test('a passkey or a second factor is not begun with a token without a session', async () => {
    const { session } = await signUpAndConfirm(app)
    const headers = await mint({ sub: session.user.id })
    const { id } = (await call('POST', '/factors', { factor_type: 'totp' }, headers)).json()
    for (const [path, body] of [
      ['/passkeys/registration/options', {}],
      ['/passkeys/registration/verify', { challenge_id: newId(), credential: {} }],
      [`/factors/${id}/challenge`, {}],
      [`/factors/${id}/verify`, { challenge_id: newId(), code: '000000' }],
    ] as const) {
      const reply = await call('POST', path, body, headers)
      expect([path, reply.statusCode, reply.json().code]).toEqual([path, 403, 'session_not_found'])
    }
  })

  test('signing out with a token without a session signs out everywhere', async () => {
    const { session } = await signUpAndConfirm(app)
    expect((await call('POST', '/logout?scope=local', undefined, await mint({ sub: session.user.id }))).statusCode).toBe(204)
    expect((await call('GET', '/user', undefined, bearer(session))).statusCode).toBe(403)
  })

  test('a token of another key, for another issuer or audience, of nobody, or that is over is refused', async () => {
    const { session } = await signUpAndConfirm(app)
    const { id } = session.user
    const attempts = [
      [await mint({ sub: id }, { key: Buffer.alloc(32, 1) }), 403, 'bad_jwt'],
      [await mint({ sub: id, iss: 'https://evil.example' }), 403, 'bad_jwt'],
      [await mint({ sub: id, aud: 'another' }), 403, 'bad_jwt'],
      [await mint({ sub: id }, { end: '-1 minute' }), 403, 'bad_jwt'],
      [await mint({}), 403, 'bad_jwt'],
      [await mint({ sub: newId() }), 403, 'user_not_found'],
      [await mint({ sub: id, session_id: newId() }), 403, 'session_not_found'],
    ] as const
    for (const [headers, status, code] of attempts) {
      const reply = await call('GET', '/user', undefined, headers)
      expect([reply.statusCode, reply.json().code]).toEqual([status, code])
    }
  })
})

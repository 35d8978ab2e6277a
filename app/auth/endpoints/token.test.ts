import { decodeProtectedHeader, importJWK, jwtVerify, SignJWT } from 'jose'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { db } from '#app/platform/database/db.server.ts'
import { consume } from '#app/platform/guard/limits.server.ts'
import { hashPassword } from '#app/auth/sessions/hashing.server.ts'
import { sessionAnswer } from '#app/auth/sessions/auth-user.ts'
import { signAccessToken } from '#app/auth/sessions/jwt.server.ts'
import { forgetAllEvents } from '#test/audit.ts'
import { startEndpoints } from '#test/app.ts'
import { authClient, bearer, forgetLimits, PASSWORD, signUpAndConfirm, someEmail, stopClock, tally } from '#test/auth.ts'
import { makeUser, signIn as makeSignedIn } from '#test/factories.ts'
import { emailsTo } from '#test/emails.ts'
import { twoAtOnce } from '#test/two-at-once.ts'
import { refreshLimit } from '#app/auth/http/limits.server.ts'

const app = await startEndpoints()
const call = authClient(app)
beforeEach(forgetLimits)

const signIn = (email: string, password = PASSWORD) => call('POST', '/token?grant_type=password', { email, password })
const refresh = (token: string) => call('POST', '/token?grant_type=refresh_token', { refresh_token: token })
const tokenOf = (reply: Awaited<ReturnType<typeof refresh>>) => sessionAnswer.parse(reply.json()).refresh_token
const sessionOf = ({ access_token: token }: { access_token: string }) =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).session_id

/** Sets the use of all used tokens to this many seconds ago. */
const used = (seconds: number) =>
  db
    .updateTable('refreshTokens')
    .set({ usedAt: new Date(Date.now() - seconds * 1000) })
    .where('usedAt', 'is not', null)
    .execute()
const later = () => used(60)

describe('happy', () => {
  test('a password gives a session with every field of the protocol', async () => {
    const { email } = await signUpAndConfirm(app)
    const reply = await signIn(email)
    expect(reply.statusCode).toBe(200)
    expect(reply.headers['cache-control']).toBe('no-store')
    const session = sessionAnswer.parse(reply.json())
    expect(session.expires_in).toBe(900)
    expect(session.expires_at).toBeGreaterThan(Date.now() / 1000 + 890)
    expect(session.user).toMatchObject({ email, role: 'authenticated', user_metadata: { first_name: 'Ada' } })
    expect(session.user.last_sign_in_at).toBeDefined()
  })

  test('anyone can check an access token with the published keys', async () => {
    const { session } = await signUpAndConfirm(app)
    const { keys } = (await call('GET', '/.well-known/jwks.json')).json()
    const { kid, alg } = decodeProtectedHeader(session.access_token)
    const key = keys.find((candidate: { kid: string }) => candidate.kid === kid)
    expect(key).toMatchObject({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig', key_ops: ['verify'] })
    expect(key).not.toHaveProperty('d')
    const { payload } = await jwtVerify(session.access_token, await importJWK(key, alg))
    expect(payload).toMatchObject({
      iss: 'http://localhost:3000/auth/v1',
      aud: 'authenticated',
      sub: session.user.id,
      email: session.user.email,
      phone: '',
      role: 'authenticated',
      aal: 'aal1',
      amr: [{ method: 'otp', timestamp: expect.any(Number) }],
      is_anonymous: false,
    })
  })

  test('a refresh token gives a new session answer and a new token, in the same session', async () => {
    const { session } = await signUpAndConfirm(app)
    const renewed = sessionAnswer.parse((await refresh(session.refresh_token)).json())
    expect(renewed.refresh_token).not.toBe(session.refresh_token)
    expect(sessionOf(renewed)).toBe(sessionOf(session))
  })

  test('a client that lost the answer asks again within seconds and gets the same token', async () => {
    const { session } = await signUpAndConfirm(app)
    const next = tokenOf(await refresh(session.refresh_token))
    await used(9)
    expect(tokenOf(await refresh(session.refresh_token))).toBe(next)
    expect(tokenOf(await refresh(session.refresh_token))).toBe(next)
    expect(tokenOf(await refresh(next))).not.toBe(next)
  })

  test('within the reuse interval also an older token leads to the active one', async () => {
    const { session } = await signUpAndConfirm(app)
    const second = tokenOf(await refresh(session.refresh_token))
    const third = tokenOf(await refresh(second))
    expect(tokenOf(await refresh(session.refresh_token))).toBe(third)
  })

  test('twenty tabs that renew at the same moment all end with the same token', async () => {
    const { session } = await signUpAndConfirm(app)
    const replies = await Promise.all(Array.from({ length: 20 }, () => refresh(session.refresh_token)))
    expect(new Set(replies.map((reply) => reply.statusCode))).toEqual(new Set([200]))
    expect(new Set(replies.map(tokenOf)).size).toBe(1)
  })
})

describe('error', () => {
  test('an unknown grant, no address, two addresses, and a phone number each have their code', async () => {
    const cases: [path: string, body: object, status: number, code: string][] = [
      ['/token?grant_type=magic', {}, 400, 'invalid_credentials'],
      ['/token?grant_type=constructor', {}, 400, 'invalid_credentials'],
      ['/token?grant_type=__proto__', {}, 400, 'invalid_credentials'],
      ['/token', {}, 400, 'invalid_credentials'],
      ['/token?grant_type=password', { password: PASSWORD }, 400, 'validation_failed'],
      ['/token?grant_type=password', { email: 'a@b.example', phone: '491234567', password: PASSWORD }, 400, 'validation_failed'],
      ['/token?grant_type=password', { phone: '491234567', password: PASSWORD }, 422, 'phone_provider_disabled'],
      ['/token?grant_type=refresh_token', {}, 400, 'validation_failed'],
      ['/token?grant_type=refresh_token', { refresh_token: 'x' }, 400, 'validation_failed'],
      ['/token?grant_type=refresh_token', { refresh_token: 'A'.repeat(43) }, 400, 'refresh_token_not_found'],
    ]
    for (const [path, body, status, code] of cases) {
      const reply = await call('POST', path, body)
      expect([path, reply.statusCode, reply.json().code]).toEqual([path, status, code])
    }
  })

  test('the right password that an administrator gave to an unconfirmed address is told what is missing', async () => {
    const email = someEmail()
    await makeUser({ email, emailConfirmedAt: null, passwordHash: await hashPassword(PASSWORD) })
    expect((await signIn(email)).json()).toEqual({ code: 'email_not_confirmed', message: 'Email not confirmed' })
    expect((await signIn(email, 'wrong horse')).json().code).toBe('invalid_credentials')
  })

  test('refreshing after the session has ended is a definite refusal', async () => {
    const { session } = await signUpAndConfirm(app)
    await call('POST', '/logout', undefined, bearer(session))
    const reply = await refresh(session.refresh_token)
    expect([reply.statusCode, reply.json().code]).toEqual([400, 'refresh_token_not_found'])
    expect(reply.json().message).toMatch(/^Invalid Refresh Token/)
  })
})

describe('security', () => {
  test('unknown address, wrong password, unconfirmed and banned accounts get the same response', async () => {
    const { email, session } = await signUpAndConfirm(app)
    const banned = await signUpAndConfirm(app)
    const bannedUntil = new Date(Date.now() + 60_000)
    await db.updateTable('users').set({ bannedUntil }).where('id', '=', banned.session.user.id).execute()
    const unconfirmed = someEmail()
    await call('POST', '/signup', { email: unconfirmed, password: PASSWORD })
    const withoutPassword = await signUpAndConfirm(app)
    await db.updateTable('users').set({ passwordHash: null }).where('id', '=', withoutPassword.session.user.id).execute()

    for (const address of [someEmail(), email, banned.email, unconfirmed, withoutPassword.email]) {
      const reply = await signIn(address, 'wrong horse')
      expect(reply.statusCode).toBe(400)
      expect(reply.json()).toEqual({ code: 'invalid_credentials', message: 'Invalid login credentials' })
    }
    expect((await signIn(banned.email)).json().code).toBe('user_banned')
    expect(session.user.email).toBe(email)
  })

  test('a token reused after its successor was used ends the session for both holders', async () => {
    const { email, session } = await signUpAndConfirm(app)
    const stolen = session.refresh_token
    const active = tokenOf(await refresh(tokenOf(await refresh(stolen))))
    await later()

    const theft = await refresh(stolen)
    expect([theft.statusCode, theft.json().code]).toEqual([400, 'refresh_token_already_used'])
    expect(theft.json().message).toMatch(/^Invalid Refresh Token/)
    expect((await refresh(active)).statusCode).toBe(400)
    const user = await call('GET', '/user', undefined, bearer(session))
    expect([user.statusCode, user.json().code]).toEqual([403, 'session_not_found'])
    expect((await emailsTo(email)).map(({ kind }) => kind)).toContain('security')
    const events = await db.selectFrom('auditEvents').selectAll().where('subjectId', '=', session.user.id).execute()
    expect(events.map(({ action }) => action)).toContain('token_revoked')
  })

  test('a thief who takes turns with the owner is detected with the first turn after ten seconds, by either of them', async () => {
    for (const turn of ['the thief', 'the owner']) {
      const { email, session } = await signUpAndConfirm(app)
      const stolen = session.refresh_token
      const owner = turn === 'the thief' ? tokenOf(await refresh(stolen)) : stolen
      const thief = turn === 'the owner' ? tokenOf(await refresh(stolen)) : stolen
      await later()
      const late = await refresh(turn === 'the thief' ? thief : owner)
      expect([turn, late.statusCode, late.json().code]).toEqual([turn, 400, 'refresh_token_already_used'])
      for (const token of [owner, thief]) expect([turn, (await refresh(token)).statusCode]).toEqual([turn, 400])
      expect((await call('GET', '/user', undefined, bearer(session))).json().code).toBe('session_not_found')
      expect((await emailsTo(email)).map(({ kind }) => kind)).toContain('security')
      const events = await db.selectFrom('auditEvents').select('action').where('subjectId', '=', session.user.id).execute()
      expect(events.map(({ action }) => action)).toContain('token_revoked')
    }
  })

  test('a thief who begins within the ten seconds is found out when the owner comes back', async () => {
    const { session } = await signUpAndConfirm(app)
    const stolen = session.refresh_token
    const owners = tokenOf(await refresh(stolen))
    let thiefs = tokenOf(await refresh(stolen))
    for (let turn = 0; turn < 3; turn += 1) {
      thiefs = tokenOf(await refresh(thiefs))
      await later()
    }
    expect((await refresh(owners)).json().code).toBe('refresh_token_already_used')
    expect((await refresh(thiefs)).statusCode).toBe(400)
  })

  test('no refresh token can be read from the database', async () => {
    const { session } = await signUpAndConfirm(app)
    const next = tokenOf(await refresh(session.refresh_token))
    const rows = await db.selectFrom('refreshTokens').selectAll().where('sessionId', '=', sessionOf(session)).execute()
    const stored = rows.map((row) => Buffer.concat([row.tokenHash, row.parentHash ?? Buffer.of(), row.successorSealed ?? Buffer.of()]))
    for (const token of [session.refresh_token, next]) {
      for (const bytes of stored) {
        expect(bytes.includes(token)).toBe(false)
        expect(bytes.includes(Buffer.from(token, 'base64url'))).toBe(false)
      }
    }
  })

  test('a banned user renews nothing', async () => {
    const { session } = await signUpAndConfirm(app)
    await db
      .updateTable('users')
      .set({ bannedUntil: new Date(Date.now() + 60_000) })
      .where('id', '=', session.user.id)
      .execute()
    expect((await refresh(session.refresh_token)).json().code).toBe('user_banned')
  })

  test('after ten wrong passwords the next have to wait, longer each time, and never for ever', async () => {
    const { email } = await signUpAndConfirm(app)
    await forgetAllEvents()
    stopClock()
    for (let guess = 1; guess <= 11; guess += 1) expect((await signIn(email, 'wrong horse')).statusCode).toBe(400)
    const held = await signIn(email, 'wrong horse')
    expect([held.statusCode, held.json().code]).toEqual([429, 'over_request_rate_limit'])
    expect(Number(held.headers['retry-after'])).toBeLessThanOrEqual(2)
    vi.advanceTimersByTime(1100)
    expect((await signIn(email, 'wrong horse')).statusCode).toBe(400)
    const longer = await signIn(email)
    expect(Number(longer.headers['retry-after'])).toBeGreaterThan(1)
    vi.advanceTimersByTime(2100)
    expect((await signIn(email)).statusCode).toBe(200)
    expect((await signIn(email, 'wrong horse')).statusCode).toBe(400)
  })

  test('guesses from elsewhere do not delay a person at an address with an earlier sign-in', async () => {
    const { email } = await signUpAndConfirm(app)
    const guess = () =>
      app.inject({
        method: 'POST',
        url: '/auth/v1/token?grant_type=password',
        remoteAddress: '203.0.113.9',
        payload: { email, password: 'wrong horse' },
      })
    stopClock()
    for (let count = 1; count <= 11; count += 1) await guess()
    expect((await guess()).statusCode).toBe(429)
    expect((await signIn(email)).statusCode).toBe(200)
  })

  test('many guesses at the same moment cannot outrun the count', async () => {
    const { email } = await signUpAndConfirm(app)
    await forgetAllEvents()
    stopClock()
    expect(tally(await twoAtOnce(30, () => signIn(email, 'wrong horse')))).toEqual({ 400: 11, 429: 19 })
  })

  test('a token with another algorithm, another key or no expiry is not accepted', async () => {
    const { session } = await signUpAndConfirm(app)
    const { keys } = (await call('GET', '/.well-known/jwks.json')).json()
    const [header = '', body = ''] = session.access_token.split('.')
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString())
    const secret = new TextEncoder().encode(JSON.stringify(keys[0]))
    const confused = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: keys[0].kid }).sign(secret)
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`
    const tampered = `${header}.${Buffer.from(JSON.stringify({ ...claims, sub: '00000000-0000-4000-8000-000000000000' })).toString('base64url')}.x`
    for (const token of [confused, unsigned, tampered, 'x']) {
      const reply = await call('GET', '/user', undefined, bearer({ access_token: token }))
      expect([reply.statusCode, reply.json().code]).toEqual([403, 'bad_jwt'])
      expect(reply.json().message).toMatch(/^invalid JWT.*unable to parse or verify signature/)
    }
  })

  test('our own token for an unknown user is refused as such', async () => {
    const { user, session } = await makeSignedIn()
    const { token } = await signAccessToken({ ...user, id: 'service' }, session)
    const reply = await call('GET', '/user', undefined, bearer({ access_token: token }))
    expect([reply.statusCode, reply.json()]).toEqual([400, { code: 'bad_jwt', message: 'invalid claim: sub claim must be a UUID' }])
  })

  test('too many renewals are a busy service, which no client takes for the end of its session', async () => {
    await consume(refreshLimit, '127.0.0.1', refreshLimit.points)
    const reply = await refresh('A'.repeat(43))
    expect(reply.statusCode).toBe(503)
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(0)
  })
})

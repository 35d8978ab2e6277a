import { decodeJwt } from 'jose'
import { beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import * as hashing from '#app/auth/sessions/hashing.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { sessionAnswer } from '#app/auth/sessions/auth-user.ts'
import { startEndpoints } from '#test/app.ts'
import { authClient, bearer, forgetLimits, PASSWORD, signUpAndConfirm } from '#test/auth.ts'
import { emailsTo } from '#test/emails.ts'
import { eventually } from '#test/eventually.ts'
import { useRealPasswordCost } from '#test/password-cost.ts'

useRealPasswordCost()

const app = await startEndpoints()
const call = authClient(app)
beforeEach(forgetLimits)

const signIn = async (email: string, password = PASSWORD) =>
  sessionAnswer.parse((await call('POST', '/token?grant_type=password', { email, password })).json())
const statusFor = async (session: { access_token: string }) => (await call('GET', '/user', undefined, bearer(session))).statusCode

describe('happy', () => {
  test('the profile is merged key by key, and null removes one', async () => {
    const { session } = await signUpAndConfirm(app)
    const data = { avatar_url: 'https://img.example/ada.png', last_name: null }
    const reply = await call('PUT', '/user', { data }, bearer(session))
    expect(reply.statusCode).toBe(200)
    expect(reply.json().user_metadata).toMatchObject({ first_name: 'Ada', avatar_url: 'https://img.example/ada.png' })
    expect(reply.json().user_metadata).not.toHaveProperty('last_name')
    expect((await call('GET', '/user', undefined, bearer(session))).json()).toEqual(reply.json())
  })

  test('two changes of one profile at the same moment are both kept', async () => {
    const { session } = await signUpAndConfirm(app)
    const colours = ['red', 'green', 'blue', 'black', 'white']
    await Promise.all(colours.map((colour) => call('PUT', '/user', { data: { [colour]: true } }, bearer(session))))
    const { user_metadata: kept } = (await call('GET', '/user', undefined, bearer(session))).json()
    expect(colours.filter((colour) => kept[colour] === true)).toEqual(colours)
  })

  test('a new password ends other sessions, voids emailed links, and sends a notice', async () => {
    const { email, session } = await signUpAndConfirm(app)
    const elsewhere = await signIn(email)
    const reply = await call('PUT', '/user', { password: 'another horse' }, bearer(session))
    expect(reply.statusCode).toBe(200)
    expect([await statusFor(session), await statusFor(elsewhere)]).toEqual([200, 403])
    expect((await emailsTo(email)).map(({ kind }) => kind)).toContain('password-changed')
    await signIn(email, 'another horse')
    expect((await call('POST', '/token?grant_type=password', { email, password: PASSWORD })).statusCode).toBe(400)
  })

  test('signing out ends this session, the others, or all of them, immediately', async () => {
    const { email, session: first } = await signUpAndConfirm(app)
    const [second, third] = [await signIn(email), await signIn(email)]
    const local = await call('POST', '/logout?scope=local', undefined, bearer(first))
    expect([local.statusCode, local.body]).toEqual([204, ''])
    expect([await statusFor(first), await statusFor(second), await statusFor(third)]).toEqual([403, 200, 200])

    await call('POST', '/logout?scope=others', undefined, bearer(second))
    expect([await statusFor(second), await statusFor(third)]).toEqual([200, 403])

    const fourth = await signIn(email)
    await call('POST', '/logout', undefined, bearer(fourth))
    expect([await statusFor(second), await statusFor(fourth)]).toEqual([403, 403])
  })

  test('what clients ask before anyone has signed in', async () => {
    expect((await call('GET', '/settings')).json()).toMatchObject({
      external: { email: true, phone: false, google: false },
      disable_signup: false,
    })
    expect((await call('GET', '/health')).json()).toMatchObject({ name: 'GoTrue' })
    expect((await call('GET', '/.well-known/jwks.json')).headers['cache-control']).toBe('public, max-age=600')
  })
})

describe('error', () => {
  test('without a token, with a broken one, and after the session or the user has gone', async () => {
    const { session } = await signUpAndConfirm(app)
    const none = await call('GET', '/user')
    expect([none.statusCode, none.json().code]).toEqual([401, 'no_authorization'])
    expect(none.json().message).toContain('Bearer token')
    expect((await call('GET', '/user', undefined, { authorization: 'Bearer a b' })).statusCode).toBe(401)
    expect((await call('POST', '/logout', undefined, {})).statusCode).toBe(401)

    await db.deleteFrom('users').where('id', '=', session.user.id).execute()
    const gone = await call('GET', '/user', undefined, bearer(session))
    expect([gone.statusCode, gone.json().code]).toEqual([403, 'user_not_found'])
  })

  test('a banned user is told so once they have shown who they are', async () => {
    const { session } = await signUpAndConfirm(app)
    const bannedUntil = new Date(Date.now() + 60_000)
    await db.updateTable('users').set({ bannedUntil }).where('id', '=', session.user.id).execute()
    const reply = await call('GET', '/user', undefined, bearer(session))
    expect([reply.statusCode, reply.json().code]).toEqual([403, 'user_banned'])
  })

  test('the same password, a weak one, and an unknown scope are refused', async () => {
    const { session } = await signUpAndConfirm(app)
    const cases: [method: 'PUT' | 'POST', path: string, body: object | undefined, status: number, code: string][] = [
      ['PUT', '/user', { password: PASSWORD }, 422, 'same_password'],
      ['PUT', '/user', { password: '12345' }, 422, 'weak_password'],
      ['PUT', '/user', { email: 'no address' }, 400, 'validation_failed'],
      ['POST', '/logout?scope=world', undefined, 400, 'validation_failed'],
    ]
    for (const [method, path, body, status, code] of cases) {
      const reply = await call(method, path, body, bearer(session))
      expect([reply.statusCode, reply.json().code]).toEqual([status, code])
    }
  })
})

describe('security', () => {
  test('a profile holds at most 64 kB, in one piece or bit by bit', async () => {
    const { session } = await signUpAndConfirm(app)
    const say = (data: object) => call('PUT', '/user', { data }, bearer(session))
    expect((await say({ motto: '漢'.repeat(22_000) })).statusCode).toBe(400)
    expect((await say({ motto: 'a'.repeat(60_000) })).statusCode).toBe(200)
    const more = await say({ hobby: 'a'.repeat(10_000) })
    expect([more.statusCode, more.json().code]).toEqual([400, 'validation_failed'])
    expect((await say({ motto: null, hobby: 'a'.repeat(10_000) })).json().user_metadata).not.toHaveProperty('motto')
  })

  test('a profile never outgrows the cookie that carries the access token: a large one is left out of the token', async () => {
    const { email, session } = await signUpAndConfirm(app)
    for (const [length, isCarried] of [
      [1500, true],
      [60_000, false],
    ] as const) {
      await call('PUT', '/user', { data: { motto: 'a'.repeat(length) } }, bearer(session))
      const { access_token: token, user } = await signIn(email)
      expect(user.user_metadata['motto']).toHaveLength(length)
      expect('motto' in z.looseObject({}).parse(decodeJwt(token)['user_metadata'])).toBe(isCarried)
      expect(token.length).toBeLessThan(4000)
    }
  })

  test('a session that ends while its new password is hashed changes nothing', async () => {
    const { email, session } = await signUpAndConfirm(app)
    const elsewhere = await signIn(email)
    const before = hashing.hashCount
    const change = call('PUT', '/user', { password: 'horse of a thief', data: { motto: 'mine now' } }, bearer(session))
    await eventually(() => expect(hashing.hashCount).toBeGreaterThan(before), { interval: 1 })
    expect((await call('POST', '/logout?scope=others', undefined, bearer(elsewhere))).statusCode).toBe(204)
    const late = await change
    expect([late.statusCode, late.json().code]).toEqual([403, 'session_not_found'])
    const { user } = await signIn(email)
    expect(user.user_metadata).not.toHaveProperty('motto')
  })

  test('users cannot give themselves a role', async () => {
    const { session } = await signUpAndConfirm(app)
    const reply = await call('PUT', '/user', { app_metadata: { role: 'owner' } }, bearer(session))
    expect([reply.statusCode, reply.json().code]).toEqual([403, 'not_admin'])
    await call('PUT', '/user', { data: { role: 'owner' } }, bearer(session))
    expect((await app.inject({ url: '/api/contacts', headers: bearer(session) })).statusCode).toBe(403)
  })

  test('new passwords of staff need twelve characters, and a short one from before is pointed out', async () => {
    const { email, session } = await signUpAndConfirm(app)
    await db.updateTable('users').set({ appMetadata: '{"role":"staff"}', passwordShort: true }).where('email', '=', email).execute()
    const refused = await call('PUT', '/user', { password: 'eleven char' }, bearer(session))
    expect(refused.json()).toMatchObject({ code: 'weak_password', message: 'Password should be at least 12 characters.' })
    expect((await call('PUT', '/user', { password: 'twelve chars' }, bearer(session))).statusCode).toBe(200)
    expect(await signIn(email, 'twelve chars')).not.toHaveProperty('weak_password')
  })

  test('a password shorter than the role wants still signs in, and the answer says so', async () => {
    const { email } = await signUpAndConfirm(app, undefined, 'eight888')
    await db.updateTable('users').set({ appMetadata: '{"role":"staff"}' }).where('email', '=', email).execute()
    expect((await signIn(email, 'eight888')).weak_password).toEqual({ message: expect.any(String), reasons: ['length'] })
  })

  test('a signed-out session opens nothing on our own API, although its token has not expired', async () => {
    const { session } = await signUpAndConfirm(app)
    expect((await app.inject({ url: '/api/contacts', headers: bearer(session) })).statusCode).not.toBe(401)
    await call('POST', '/logout?scope=local', undefined, bearer(session))
    expect((await app.inject({ url: '/api/contacts', headers: bearer(session) })).statusCode).toBe(401)
  })
})

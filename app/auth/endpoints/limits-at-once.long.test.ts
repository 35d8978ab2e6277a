import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

vi.hoisted(() => {
  Object.assign(process.env, { EXTERNAL_PHONE_ENABLED: 'true', SECURITY_MANUAL_LINKING_ENABLED: 'true', SMTP_MAX_FREQUENCY: '0' })
})

import * as hashing from '#app/auth/sessions/hashing.server.ts'
import { db, newId } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { authClient, bearer, forgetLimits, PASSWORD, signUpAndConfirm, someEmail, stopClock, tally, VERSION } from '#test/auth.ts'
import { emailsTo, secretsOf } from '#test/emails.ts'
import { factorClient } from '#test/mfa.ts'

// Fifty concurrent requests. The clock is stopped, so that a slow machine lets no extra ones through.

const app = await startEndpoints()
const call = authClient(app)
const { begin, finish } = factorClient(app)
beforeEach(forgetLimits)
afterEach(() => vi.useRealTimers())

const TIMES = 50
type Asked = { path: string; body?: object; headers?: Record<string, string>; method?: 'GET' | 'POST' | 'DELETE' }

const ask = ({ path, body = {}, headers = {}, method = 'POST' }: Asked, remoteAddress: string) =>
  app.inject({ method, url: path, headers: { ...VERSION, ...headers }, ...(method === 'POST' && { payload: body }), remoteAddress })

/** Counts responses by status, from one address or from a different one each. */
async function atOnce(asked: (time: number) => Asked, from: 'everywhere' | 'one place') {
  const place = (time: number) => (from === 'one place' ? '203.0.113.1' : `10.0.0.${time}`)
  return tally(await Promise.all(Array.from({ length: TIMES }, (_, time) => ask(asked(time), place(time)))))
}

const wrongCode = (code: string) => (code.startsWith('0') ? '1' : '0') + code.slice(1)

describe('one visitor', () => {
  test('begins, is asked for and tries second factors as often as is allowed', async () => {
    const { session } = await signUpAndConfirm(app)
    const { id } = await begin(session)
    const headers = bearer(session)
    await forgetLimits()
    const verify = { path: `/auth/v1/factors/${id}/verify`, body: { challenge_id: newId(), code: '123456' }, headers }
    expect(await atOnce(() => verify, 'one place')).toEqual({ 422: 15, 429: 35 })
    expect(await atOnce(() => ({ path: `/auth/v1/factors/${id}/challenge`, headers }), 'one place')).toEqual({ 200: 15, 429: 35 })
    const enrol = { path: '/auth/v1/factors', body: { factor_type: 'other' }, headers }
    expect(await atOnce(() => enrol, 'one place')).toEqual({ 400: 30, 429: 20 })
  })

  test('removes sign-in methods, and requests reauthentication codes, thirty times', async () => {
    const { session } = await signUpAndConfirm(app)
    await forgetLimits()
    const identity = { method: 'DELETE', path: `/auth/v1/user/identities/${newId()}`, headers: bearer(session) } as const
    expect(await atOnce(() => identity, 'one place')).toEqual({ 422: 30, 429: 20 })
    const { session: other } = await signUpAndConfirm(app)
    await db.updateTable('users').set({ emailConfirmedAt: null }).where('id', '=', other.user.id).execute()
    await forgetLimits()
    const nonce = { method: 'GET', path: '/auth/v1/reauthenticate', headers: bearer(other) } as const
    expect(await atOnce(() => nonce, 'one place')).toEqual({ 422: 30, 429: 20 })
  })
})

describe('one account, from any address', () => {
  test('its password is tried ten times, and once before the first pause; further tries are not hashed', async () => {
    const { email } = await signUpAndConfirm(app)
    await forgetLimits()
    for (const address of [email, someEmail()]) {
      stopClock()
      const before = hashing.hashCount
      const guess = (time: number) => ({ path: '/auth/v1/token?grant_type=password', body: { email: address, password: `wrong ${time}` } })
      expect(await atOnce(guess, 'everywhere')).toEqual({ 400: 11, 429: 39 })
      expect(hashing.hashCount - before).toBe(11)
      vi.useRealTimers()
    }
  })

  test('one visitor tries its codes five times, by email and by message; the person of the address still has theirs', async () => {
    const email = someEmail()
    await call('POST', '/signup', { email, password: PASSWORD })
    const { code } = await secretsOf(email, 'confirm-address')
    const phone = '4915112349999'
    await call('POST', '/signup', { phone, password: PASSWORD })
    const message = String((await emailsTo(`${phone}@phone.localhost`)).at(-1)?.data.code)
    for (const right of [
      { type: 'email', email, token: code },
      { type: 'sms', phone, token: message },
    ]) {
      const wrong = { path: '/auth/v1/verify', body: { ...right, token: wrongCode(right.token) } }
      expect(await atOnce(() => wrong, 'one place')).toEqual({ 403: 5, 429: 45 })
      expect((await ask({ ...wrong, body: right }, '203.0.113.1')).statusCode).toBe(429)
      expect((await call('POST', '/verify', right)).statusCode).toBe(200)
      await forgetLimits()
    }
  })

  test('its second step is tried ten times, and once before the first pause, whatever is tried', async () => {
    const { session } = await signUpAndConfirm(app)
    const { factor, session: raised } = await finish(session)
    const low = (await call('POST', '/token?grant_type=password', { email: raised.user.email, password: PASSWORD })).json()
    const path = `/auth/v1/factors/${factor.id}`
    const headers = bearer(low)
    const challenges = await Promise.all(
      Array.from({ length: TIMES }, async (_, time) => (await ask({ path: `${path}/challenge`, headers }, `10.0.0.${time}`)).json().id),
    )
    stopClock()
    const guess = (time: number) => ({ path: `${path}/verify`, body: { challenge_id: challenges[time], code: 'abcdef' }, headers })
    expect(await atOnce(guess, 'everywhere')).toEqual({ 422: 11, 429: 39 })
    const paper = { path: '/api/account/recovery-codes/use', body: { code: 'aaaa-aaaa-aaaa' }, headers }
    expect(await atOnce(() => paper, 'everywhere')).toEqual({ 429: 50 })
    await forgetLimits()
    expect(await atOnce(() => paper, 'everywhere')).toEqual({ 422: 11, 429: 39 })
  })

  test('one visitor has it sent ten emails of a kind in an hour; fifty visitors have three messages sent to a new number, and none makes another wait', async () => {
    const { email } = await signUpAndConfirm(app)
    await forgetLimits()
    expect(await atOnce(() => ({ path: '/auth/v1/recover', body: { email } }), 'one place')).toEqual({ 200: 10, 429: 40 })
    const phone = '4915112348888'
    expect(await atOnce(() => ({ path: '/auth/v1/otp', body: { phone } }), 'everywhere')).toEqual({ 200: 50 })
    expect(await emailsTo(`${phone}@phone.localhost`)).toHaveLength(3)
  })
})

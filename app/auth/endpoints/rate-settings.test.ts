import { beforeEach, describe, expect, test, vi } from 'vitest'

vi.hoisted(() => {
  process.env.RATE_LIMIT_OTP = '7'
  process.env.RATE_LIMIT_VERIFY = '9'
  process.env.RATE_LIMIT_TOKEN_REFRESH = '11'
  process.env.RATE_LIMIT_EMAIL_SENT = '5'
  process.env.RATE_LIMIT_SMS_SENT = '3'
  process.env.EXTERNAL_PHONE_ENABLED = 'true'
})

import { startAuth } from '#test/auth-app.ts'
import { authClient, bearer, forgetLimits, PASSWORD, signUpAndConfirm, someEmail, tally } from '#test/auth.ts'
import { twoAtOnce } from '#test/two-at-once.ts'

const app = await startAuth()
const call = authClient(app)
beforeEach(forgetLimits)

const TIMES = 50
const atOnce = async (ask: (time: number) => Promise<{ statusCode: number }>) =>
  tally(await Promise.all(Array.from({ length: TIMES }, (_, time) => ask(time))))

describe('happy', () => {
  test.each([
    ['/signup', { email: 'no address' }, 7],
    ['/otp', { email: 'no address' }, 7],
    ['/magiclink', { email: 'no address' }, 7],
    ['/recover', { email: 'no address' }, 7],
    ['/resend', { email: 'no address' }, 7],
    ['/verify', { email: 'no address' }, 9],
    ['/token?grant_type=password', { email: 'no address' }, 11],
    ['/token?grant_type=pkce', {}, 11],
  ])('of fifty requests at once, %s takes exactly as many as are configured', async (path, body, most) => {
    expect(await atOnce(() => call('POST', path, body))).toEqual({ 400: most, 429: TIMES - most })
  })

  test('so does the change of one’s own account', async () => {
    const { session } = await signUpAndConfirm(app)
    await forgetLimits()
    expect(await atOnce(() => call('PUT', '/user', { email: 'no address' }, bearer(session)))).toEqual({ 400: 7, 429: 43 })
  })

  test('each has its own count, but sign-ins of all kinds share one; renewals are delayed, never refused', async () => {
    expect(await atOnce(() => call('POST', '/token?grant_type=password', {}))).toEqual({ 400: 11, 429: 39 })
    expect(await atOnce(() => call('POST', '/token?grant_type=pkce', {}))).toEqual({ 429: 50 })
    expect(await atOnce(() => call('POST', '/token?grant_type=refresh_token', {}))).toEqual({ 400: 11, 503: 39 })
    expect((await call('POST', '/otp', { email: 'no address' })).statusCode).toBe(400)
  })
})

describe('security', () => {
  test('strangers share half of the emails and messages of an hour, the last quarter of it by a proof of work', async () => {
    let number = 4_915_120_000_000
    const from = (time: number) => `203.0.113.${time}`
    const ask = (time: number, payload: object, path = '/otp') =>
      app.inject({
        method: 'POST',
        url: `/auth/v1${path}`,
        headers: { 'x-supabase-api-version': '2024-01-01' },
        payload,
        remoteAddress: from(time),
      })
    const burst = async (work: Parameters<typeof atOnce>[0]) => tally(await twoAtOnce(TIMES, work))
    expect(await burst((time) => ask(time, { email: someEmail() }))).toEqual({ 200: 2, 429: 48 })
    expect((await ask(99, { email: someEmail() })).json().code).toBe('over_email_send_rate_limit')
    const signUp = (time: number) => ask(time, { phone: String((number += 1)), password: PASSWORD }, '/signup')
    expect(await burst(signUp)).toEqual({ 200: 2, 429: 48 })
    expect((await signUp(99)).json().code).toBe('over_sms_send_rate_limit')
  })
})

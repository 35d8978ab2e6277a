import { beforeEach, describe, expect, test, vi } from 'vitest'

vi.hoisted(() => {
  Object.assign(process.env, {
    JWT_EXP: '120',
    MFA_CHALLENGE_EXPIRY_DURATION: '10m',
    EXTERNAL_FLOW_STATE_EXPIRY_DURATION: '600',
    PASSWORD_MIN_LENGTH: '14',
    EXTERNAL_PHONE_ENABLED: 'true',
    EXTERNAL_WEB3_ETHEREUM_ENABLED: 'true',
    SMS_MAX_FREQUENCY: '300',
    SMTP_MAX_FREQUENCY: '200',
    RATE_LIMIT_SSO: '3',
    RATE_LIMIT_WEB3: '4',
    URI_ALLOW_LIST: 'https://app.example',
  })
})

import { decodeJwt } from 'jose'
import { sql } from 'kysely'
import { db } from '#app/platform/database/db.server.ts'
import { sessionAnswer } from '#app/auth/sessions/auth-user.ts'
import { startAuth } from '#test/auth-app.ts'
import { authClient, forgetLimits, signUpAndConfirm, someEmail, tally } from '#test/auth.ts'
import { secretsOf } from '#test/emails.ts'
import { factorClient } from '#test/mfa.ts'
import { codeOf } from '#test/totp.ts'
import { twoAtOnce } from '#test/two-at-once.ts'

const app = await startAuth()
const call = authClient(app)
const { begin, challenge, verify } = factorClient(app)
beforeEach(forgetLimits)

const LONG = 'correct horse battery'
const now = () => Math.floor(Date.now() / 1000)

/** A challenge that is this many seconds old, completed with the right code. */
async function answerAfter(seconds: number) {
  const { session } = await signUpAndConfirm(app, someEmail(), LONG)
  const { id, secret } = await begin(session)
  const { id: asked } = (await challenge(session, id)).json()
  await sql`UPDATE mfa_challenges SET created_at = now() - ${seconds} * interval '1 second' WHERE id = ${asked}`.execute(db)
  const reply = await verify(session, id, asked, codeOf(secret))
  return [reply.statusCode, reply.json().code]
}

/** A PKCE code that is this many seconds old, exchanged with the right verifier. */
async function exchangeAfter(seconds: number) {
  const [email, verifier] = [someEmail(), 'v'.repeat(64)]
  const proof = { code_challenge: verifier, code_challenge_method: 'plain' }
  await call('POST', '/signup?redirect_to=https://app.example', { email, password: LONG, ...proof })
  const { link } = await secretsOf(email, 'confirm-address')
  const payload = new URLSearchParams({ token: link, type: 'signup', redirect_to: 'https://app.example' }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const pressed = await app.inject({ method: 'POST', url: '/auth/v1/verify', headers, payload })
  const code = new URL(pressed.headers.location ?? '').searchParams.get('code')
  await sql`UPDATE flow_states SET code_issued_at = now() - ${seconds} * interval '1 second'`.execute(db)
  const reply = await call('POST', '/token?grant_type=pkce', { auth_code: code, code_verifier: verifier })
  return [reply.statusCode, reply.json().code]
}

describe('happy', () => {
  test('an access token lives as long as JWT_EXP says, and the session says so', async () => {
    const { session } = await signUpAndConfirm(app, someEmail(), LONG)
    const { iat = 0, exp = 0 } = decodeJwt(session.access_token)
    expect([exp - iat, session.expires_in]).toEqual([120, 120])
    expect(Math.abs(session.expires_at - now() - 120)).toBeLessThanOrEqual(2)
    const renewed = await call('POST', '/token?grant_type=refresh_token', { refresh_token: session.refresh_token })
    expect(sessionAnswer.parse(renewed.json()).expires_in).toBe(120)
  })

  test('a challenge is valid as long as MFA_CHALLENGE_EXPIRY_DURATION says', async () => {
    const { session } = await signUpAndConfirm(app, someEmail(), LONG)
    const { expires_at: end } = (await challenge(session, (await begin(session)).id)).json()
    expect(Math.abs(end - now() - 600)).toBeLessThanOrEqual(2)
    expect(await answerAfter(595)).toEqual([200, undefined])
  })

  test('the code of a flow is good as long as EXTERNAL_FLOW_STATE_EXPIRY_DURATION says', async () => {
    expect(await exchangeAfter(595)).toEqual([200, undefined])
  })
})

describe('error', () => {
  test('after that neither is', async () => {
    expect(await answerAfter(605)).toEqual([422, 'mfa_challenge_expired'])
    expect(await exchangeAfter(605)).toEqual([422, 'flow_state_expired'])
  })

  test('a password has at least as many characters as PASSWORD_MIN_LENGTH says', async () => {
    const sign = (password: string) => call('POST', '/signup', { email: someEmail(), password })
    const short = await sign('thirteen char')
    expect([short.statusCode, short.json()]).toMatchObject([422, { code: 'weak_password', weak_password: { reasons: ['length'] } }])
    expect(short.json().message).toContain('at least 14 characters')
    expect((await sign('fourteen chars')).statusCode).toBe(200)
  })

  test('an email and a message are resent after SMTP_MAX_FREQUENCY and SMS_MAX_FREQUENCY', async () => {
    for (const [address, seconds] of [
      [{ email: someEmail() }, 200],
      [{ phone: '4915112340001' }, 300],
    ] as const) {
      expect((await call('POST', '/otp', address)).statusCode).toBe(200)
      const again = await call('POST', '/otp', address)
      const wait = Number(/after (\d+) seconds/.exec(again.json().message)?.[1])
      expect([again.statusCode, wait > seconds - 5 && wait <= seconds]).toEqual([429, true])
    }
  })

  test('wallets and directories of companies have the limits that RATE_LIMIT_WEB3 and RATE_LIMIT_SSO say', async () => {
    const many = (path: string) => twoAtOnce(50, () => call('POST', path, {}))
    expect(tally(await many('/sso'))).toEqual({ 404: 3, 429: 47 })
    expect(tally(await many('/token?grant_type=web3'))).toEqual({ 400: 4, 429: 46 })
  })
})

import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

vi.hoisted(() => {
  process.env.RATE_LIMIT_OTP = '1000'
})

import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { solveProof } from '#app/platform/browser/solve-proof.ts'
import { startEndpoints } from '#test/app.ts'
import { forgetLimits, signUpAndConfirm, someEmail, VERSION } from '#test/auth.ts'
import { emailsTo, secretsSoon } from '#test/emails.ts'
import { eventually } from '#test/eventually.ts'

const app = await startEndpoints()
startJobs()
beforeEach(forgetLimits)
afterEach(() => vi.useRealTimers())
afterAll(() => stopJobs())

const HOME = '198.51.100.77'
const ask = (path: string, payload: object, remoteAddress: string) =>
  app.inject({ method: 'POST', url: `/auth/v1${path}`, headers: VERSION, payload, remoteAddress })

/** A stranger who does the proof of work when it is required. */
async function askProven(path: string, payload: object, remoteAddress: string) {
  const reply = await ask(path, payload, remoteAddress)
  const { challenge } = reply.json()
  if (!challenge) return reply
  const token = btoa(JSON.stringify(await solveProof(challenge)))
  return ask(path, { ...payload, gotrue_meta_security: { captcha_token: token } }, remoteAddress)
}

/** Requests from this many networks in sequence, the last one now. Only the clock moves. */
async function flood(path: string, payload: object, { count, seconds }: { count: number; seconds: number }) {
  const now = Date.now()
  const statuses: number[] = []
  for (let time = 0; time < count; time += 1) {
    vi.useFakeTimers({ toFake: ['Date'], now: now - (count - time) * seconds * 1000 })
    statuses.push((await askProven(path, payload, `203.0.113.${time}`)).statusCode)
  }
  vi.useRealTimers()
  return statuses
}

async function known() {
  const { email } = await signUpAndConfirm(app)
  await forgetLimits()
  return email
}

const recover = async (email: string) => {
  expect((await ask('/recover', { email }, HOME)).statusCode).toBe(200)
  return secretsSoon(email, 'reset-password')
}

const PKCE = { code_challenge: 'a'.repeat(43), code_challenge_method: 's256' }

describe('security', () => {
  test.each([
    ['signs up', '/signup', { password: 'password of a stranger' }, 'existing-account'],
    ['signs up with a key of their own', '/signup', { password: 'password of a stranger', ...PKCE }, 'existing-account'],
    ['asks for a sign-in email', '/otp', {}, 'sign-in'],
    ['asks for a sign-in email with a key of their own', '/otp', PKCE, 'sign-in'],
  ])('the recovery email of a person works when a stranger %s with their address after it', async (_what, path, payload, kind) => {
    const email = await known()
    const mine = await recover(email)
    expect((await ask(path, { email, ...payload }, '203.0.113.9')).statusCode).toBe(200)
    await eventually(async () => expect((await emailsTo(email)).map((sent) => sent.kind)).toContain(kind))
    expect((await ask('/verify', { type: 'recovery', token_hash: mine.link }, HOME)).statusCode).toBe(200)
  })

  test('the code of the recovery email works as well, and the email about the existing account shows no code', async () => {
    const email = await known()
    const mine = await recover(email)
    await ask('/signup', { email, password: 'password of a stranger' }, '203.0.113.9')
    expect((await emailsTo(email)).at(-1)).toMatchObject({ kind: 'existing-account', data: { link: expect.any(String) } })
    expect((await ask('/verify', { type: 'recovery', email, token: mine.code }, HOME)).statusCode).toBe(200)
  })

  test('strangers with many networks who do the work cannot flood a mailbox with sign-ups: 20 emails an hour at most, with and without an account', async () => {
    for (const email of [await known(), someEmail()]) {
      await forgetLimits()
      const before = (await emailsTo(email)).length
      const statuses = await flood('/signup', { email, password: 'password of a stranger' }, { count: 21, seconds: 65 })
      expect((await emailsTo(email)).slice(before)).toHaveLength(20)
      expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429])
      // The account's user can still request their own email.
      expect((await ask('/recover', { email }, HOME)).statusCode).toBe(200)
      await secretsSoon(email, 'reset-password')
    }
  })
})

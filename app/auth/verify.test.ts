import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { db } from '#app/platform/db.server.ts'
import { startJobs, stopJobs } from '#app/jobs/job-worker.server.ts'
import { sessionAnswer } from '#app/session/auth-user.ts'
import { startApp } from '#test/app.ts'
import { authClient, bearer, forgetLimits, PASSWORD, signUpAndConfirm, someEmail } from '#test/auth.ts'
import { lettersTo, secretsOf } from '#test/letters.ts'

const app = await startApp()
const call = authClient(app)
startJobs()
beforeEach(forgetLimits)
afterAll(() => stopJobs())

const verify = (body: object) => call('POST', '/verify', body)
const wrong = (code: string) => (code === '000000' ? '000001' : '000000')

async function signUp() {
  const email = someEmail()
  await call('POST', '/signup', { email, password: PASSWORD })
  return { email, ...(await secretsOf(email, 'confirm-address')) }
}

/** Asks for the letter, and waits until the worker has written it. */
async function recover(email: string) {
  const before = (await lettersTo(email)).length
  expect((await call('POST', '/recover', { email })).json()).toEqual({})
  await vi.waitFor(async () => expect((await lettersTo(email)).length).toBe(before + 1), 5000)
  return secretsOf(email, 'reset-password')
}

const age = (email: string, seconds: number) =>
  db
    .updateTable('oneTimeTokens')
    .set({ issuedAt: new Date(Date.now() - seconds * 1000) })
    .where('sentTo', '=', email)
    .execute()

describe('happy', () => {
  test('a recovery letter signs in by link or by code', async () => {
    const { email } = await signUpAndConfirm(app)
    const { link } = await recover(email)
    const session = sessionAnswer.parse((await verify({ type: 'recovery', token_hash: link })).json())
    expect((await call('PUT', '/user', { password: 'another horse' }, bearer(session))).statusCode).toBe(200)

    await forgetLimits()
    const { code } = await recover(email)
    expect((await verify({ type: 'recovery', email, token: code })).statusCode).toBe(200)
  })

  test('the email that confirms an address is sent again; the first still works, and once one is used the other does not', async () => {
    const { email, link } = await signUp()
    await forgetLimits()
    expect((await call('POST', '/resend', { type: 'signup', email })).json()).toEqual({})
    await vi.waitFor(async () => expect(await lettersTo(email)).toHaveLength(2), 5000)
    const latest = await secretsOf(email, 'confirm-address')
    expect(latest.link).not.toBe(link)
    expect((await verify({ type: 'signup', token_hash: link })).statusCode).toBe(200)
    expect((await verify({ type: 'signup', token_hash: latest.link })).statusCode).toBe(403)
  })

  test('programs that open every link of a letter use nothing up', async () => {
    const { link } = await signUp()
    for (const method of ['GET', 'HEAD', 'GET'] as const) {
      expect((await app.inject({ method, url: `/auth/v1/verify?token=${link}&type=signup` })).statusCode).toBe(200)
      expect((await app.inject({ method, url: `/login/confirm?token_hash=${link}&type=signup` })).statusCode).toBe(200)
    }
    expect((await verify({ type: 'signup', token_hash: link })).statusCode).toBe(200)
  })
})

describe('error', () => {
  const cases: [sentence: string, body: object, status: number, code: string][] = [
    ['no type', { token_hash: 'x' }, 400, 'validation_failed'],
    ['an unknown type', { type: 'magic', token_hash: 'x' }, 400, 'validation_failed'],
    ['neither code nor link', { type: 'signup', email: 'a@b.example' }, 400, 'validation_failed'],
    ['both', { type: 'signup', token: '123456', token_hash: 'x' }, 400, 'validation_failed'],
    ['a link with an address', { type: 'signup', token_hash: 'x', email: 'a@b.example' }, 400, 'validation_failed'],
    ['a code without an address', { type: 'signup', token: '123456' }, 400, 'validation_failed'],
    ['a malformed address', { type: 'signup', token: '123456', email: 'ada' }, 422, 'validation_failed'],
    ['a link nobody sent', { type: 'signup', token_hash: 'A'.repeat(43) }, 403, 'otp_expired'],
    ['a code for an address without an account', { type: 'email', token: '123456', email: 'nobody@b.example' }, 403, 'otp_expired'],
  ]
  test.each(cases)('%s is refused', async (_sentence, body, status, code) => {
    const reply = await verify(body)
    expect([reply.statusCode, reply.json().code]).toEqual([status, code])
  })

  test('a link lives an hour, a code a quarter of one', async () => {
    const { email, link, code } = await signUp()
    await age(email, 901)
    expect((await verify({ type: 'email', email, token: code })).statusCode).toBe(403)
    await age(email, 3601)
    expect((await verify({ type: 'signup', token_hash: link })).statusCode).toBe(403)
    await age(email, 3500)
    expect((await verify({ type: 'signup', token_hash: link })).statusCode).toBe(200)
  })

  test('links without what they need, and kinds of letters that are not sent again, are refused', async () => {
    expect((await call('GET', '/verify?type=signup')).statusCode).toBe(400)
    expect((await call('GET', '/verify?token=x')).statusCode).toBe(400)
    expect((await call('POST', '/resend', { type: 'recovery', email: someEmail() })).statusCode).toBe(400)
    expect((await call('POST', '/recover', {})).statusCode).toBe(400)
  })
})

describe('security', () => {
  test('after five wrong codes the right one no longer works, the link still does', async () => {
    const { email, link, code } = await signUp()
    const guesses = await Promise.all(Array.from({ length: 5 }, () => verify({ type: 'email', email, token: wrong(code) })))
    expect(guesses.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403, 403, 403])
    await forgetLimits()
    expect((await verify({ type: 'email', email, token: code })).statusCode).toBe(403)
    expect((await verify({ type: 'signup', token_hash: link })).statusCode).toBe(200)
  })

  test('a new letter gives no new guesses within the hour, for unknown addresses neither', async () => {
    const { email, code } = await signUp()
    const stranger = someEmail()
    for (const address of [email, stranger]) {
      for (let guess = 0; guess < 5; guess += 1) await verify({ type: 'email', email: address, token: wrong(code) })
      expect((await verify({ type: 'email', email: address, token: code })).statusCode).toBe(429)
    }
  })

  test('asking for a letter tells nobody who has an account', async () => {
    const { email } = await signUpAndConfirm(app)
    const stranger = someEmail()
    await forgetLimits()
    for (const path of ['/recover', '/resend']) {
      const known = await call('POST', path, { type: 'signup', email })
      const unknown = await call('POST', path, { type: 'signup', email: stranger })
      expect([known.statusCode, known.body]).toEqual([200, unknown.body])
      const [again, strange] = [
        await call('POST', path, { type: 'signup', email }),
        await call('POST', path, { type: 'signup', email: stranger }),
      ]
      expect([again.statusCode, strange.statusCode]).toEqual([429, 429])
    }
    expect(await lettersTo(stranger)).toEqual([])
  })

  test('one link used twice at the same moment opens one session', async () => {
    const { link } = await signUp()
    const replies = await Promise.all(Array.from({ length: 8 }, () => verify({ type: 'signup', token_hash: link })))
    expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  })

  test('confirming voids every other letter of the account', async () => {
    const { email, link } = await signUp()
    const reset = await recover(email)
    expect((await verify({ type: 'signup', token_hash: link })).statusCode).toBe(200)
    expect((await verify({ type: 'recovery', token_hash: reset.link })).statusCode).toBe(403)
  })

  test('whoever set a password before the address was proven loses it to who recovers the account', async () => {
    const { email } = await signUp()
    const { link } = await recover(email)
    expect((await verify({ type: 'recovery', token_hash: link })).statusCode).toBe(200)
    expect((await call('POST', '/token?grant_type=password', { email, password: PASSWORD })).json().code).toBe('invalid_credentials')
  })

  test('a link of one kind is worth nothing for another', async () => {
    const { link } = await signUp()
    expect((await verify({ type: 'recovery', token_hash: link })).statusCode).toBe(403)
  })
})

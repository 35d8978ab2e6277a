import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { db } from '#app/platform/database/db.server.ts'
import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { sessionAnswer } from '#app/auth/sessions/auth-user.ts'
import { startApp } from '#test/app.ts'
import { eventually } from '#test/eventually.ts'
import { authClient, bearer, forgetLimits, PASSWORD, signUpAndConfirm, someEmail, tally, VERSION } from '#test/auth.ts'
import { emailsTo, secretsOf, secretsSoon } from '#test/emails.ts'

const app = await startApp()
const call = authClient(app)
startJobs()
beforeEach(forgetLimits)
afterAll(() => stopJobs())

const verify = (body: object) => call('POST', '/verify', body)
const verifyFrom = (remoteAddress: string, payload: object) =>
  app.inject({ method: 'POST', url: '/auth/v1/verify', headers: VERSION, payload, remoteAddress })
const wrong = (code: string) => (code === '000000' ? '000001' : '000000')

async function signUp() {
  const email = someEmail()
  await call('POST', '/signup', { email, password: PASSWORD })
  return { email, ...(await secretsOf(email, 'confirm-address')) }
}

/** Requests the email, and waits until the worker has sent it. */
async function recover(email: string) {
  const before = (await emailsTo(email)).length
  expect((await call('POST', '/recover', { email })).json()).toEqual({})
  await eventually(async () => expect((await emailsTo(email)).length).toBe(before + 1))
  return secretsOf(email, 'reset-password')
}

const age = (email: string, seconds: number) =>
  db
    .updateTable('oneTimeTokens')
    .set({ issuedAt: new Date(Date.now() - seconds * 1000) })
    .where('sentTo', '=', email)
    .execute()

describe('happy', () => {
  test('a recovery email signs in by link or by code', async () => {
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
    await eventually(async () => expect(await emailsTo(email)).toHaveLength(2))
    const latest = await secretsOf(email, 'confirm-address')
    expect(latest.link).not.toBe(link)
    expect((await verify({ type: 'signup', token_hash: link })).statusCode).toBe(200)
    expect((await verify({ type: 'signup', token_hash: latest.link })).statusCode).toBe(403)
  })

  test('programs that open every link in an email use nothing up', async () => {
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

  test('incomplete links, and emails that cannot be resent, are refused', async () => {
    expect((await call('GET', '/verify?type=signup')).statusCode).toBe(400)
    expect((await call('GET', '/verify?token=x')).statusCode).toBe(400)
    expect((await call('POST', '/resend', { type: 'recovery', email: someEmail() })).statusCode).toBe(400)
    expect((await call('POST', '/recover', {})).statusCode).toBe(400)
  })
})

describe('security', () => {
  test('after five wrong codes the right one no longer works for the same visitor, the link still does', async () => {
    const { email, link, code } = await signUp()
    const guesses = await Promise.all(Array.from({ length: 5 }, () => verify({ type: 'email', email, token: wrong(code) })))
    expect(guesses.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403, 403, 403])
    expect((await verify({ type: 'email', email, token: code })).statusCode).toBe(429)
    expect((await verify({ type: 'signup', token_hash: link })).statusCode).toBe(200)
  })

  test('wrong codes of strangers do not lock a person out of the code in their email', async () => {
    const { email, code } = await signUp()
    for (let guess = 0; guess < 50; guess += 1) {
      await verifyFrom(`203.0.113.${guess >> 2}`, { type: 'email', email, token: wrong(code) })
    }
    expect((await verify({ type: 'email', email, token: code })).statusCode).toBe(200)
  })

  test('all visitors together have a hundred tries at the codes of an address in a day; a person whom we know from before still signs in at home', async () => {
    const { email } = await signUpAndConfirm(app)
    const stranger = someEmail()
    await forgetLimits()
    await call('POST', '/recover', { email })
    const { code } = await secretsSoon(email, 'reset-password')
    for (const address of [email, stranger]) {
      const guess = (time: number) => verifyFrom(`10.0.1.${time}`, { type: 'recovery', email: address, token: wrong(code) })
      const replies = []
      // Not all concurrently: the server's queue would refuse the last of them.
      for (let time = 0; time < 120; time += 10)
        replies.push(...(await Promise.all(Array.from({ length: 10 }, (_, at) => guess(time + at)))))
      expect(tally(replies)).toEqual({ 403: 100, 429: 20 })
    }
    expect((await verifyFrom('198.51.100.9', { type: 'recovery', email, token: code })).statusCode).toBe(429)
    expect((await verify({ type: 'recovery', email, token: code })).statusCode).toBe(200)
  })

  test('one visitor has ten tries a day, from all networks of one customer together', async () => {
    const { email, code } = await signUp()
    const from = (time: number) => verifyFrom(`2001:db8:1:${time.toString(16)}::1`, { type: 'email', email, token: wrong(code) })
    expect(tally(await Promise.all(Array.from({ length: 20 }, (_, time) => from(time))))).toEqual({ 403: 10, 429: 10 })
  })

  test('a new email gives no extra guesses within the hour, nor for unknown addresses', async () => {
    const { email, code } = await signUp()
    const stranger = someEmail()
    for (const address of [email, stranger]) {
      for (let guess = 0; guess < 5; guess += 1) await verify({ type: 'email', email: address, token: wrong(code) })
      expect((await verify({ type: 'email', email: address, token: code })).statusCode).toBe(429)
    }
  })

  test('requesting an email does not reveal accounts', async () => {
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
    expect(await emailsTo(stranger)).toEqual([])
  })

  test('one link used twice at the same moment opens one session', async () => {
    const { link } = await signUp()
    const replies = await Promise.all(Array.from({ length: 8 }, () => verify({ type: 'signup', token_hash: link })))
    expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  })

  test('confirming voids every other emailed link of the account', async () => {
    const { email, link } = await signUp()
    const reset = await recover(email)
    expect((await verify({ type: 'signup', token_hash: link })).statusCode).toBe(200)
    expect((await verify({ type: 'recovery', token_hash: reset.link })).statusCode).toBe(403)
  })

  test('a password from before the address was proven ends when its owner recovers the account', async () => {
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

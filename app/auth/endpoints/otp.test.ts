import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { sessionAnswer } from '#app/auth/sessions/auth-user.ts'
import { startApp } from '#test/app.ts'
import { authClient, bearer, forgetLimits, PASSWORD, signUpAndConfirm, someEmail, tally } from '#test/auth.ts'
import { emailsTo, secretsOf, secretsSoon } from '#test/emails.ts'
import { sendForm } from '#test/enquiries.ts'

const app = await startApp()
const call = authClient(app)
startJobs()
beforeEach(forgetLimits)
afterAll(() => stopJobs())

const ask = (body: object, path = '/otp') => call('POST', path, body)
const verify = (body: object) => call('POST', '/verify', body)
const userOf = (email: string) => db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()

async function codeFor(email: string, extra: object = {}, count = 1) {
  const reply = await ask({ email, ...extra })
  expect([reply.statusCode, reply.json()]).toEqual([200, {}])
  return secretsSoon(email, 'sign-in', count)
}

describe('happy', () => {
  test('a new user gets a code, and with it an account without a password', async () => {
    const email = someEmail()
    const { code } = await codeFor(email, { data: { first_name: 'Ada' } })
    expect(await userOf(email)).toMatchObject({ passwordHash: null, emailConfirmedAt: null })
    const session = sessionAnswer.parse((await verify({ type: 'email', email, token: code })).json())
    expect(session.user).toMatchObject({
      email,
      user_metadata: { first_name: 'Ada', email_verified: true },
      app_metadata: { provider: 'email', providers: ['email'] },
    })
    expect(session.user.email_confirmed_at).toBeDefined()
  })

  test('an existing user signs in by the code or the link, and only one of them works', async () => {
    const { email } = await signUpAndConfirm(app)
    const first = await codeFor(email)
    expect((await verify({ type: 'magiclink', token_hash: first.link })).statusCode).toBe(200)
    expect((await verify({ type: 'magiclink', token_hash: first.link })).json().code).toBe('otp_expired')
    expect((await verify({ type: 'email', email, token: first.code })).json().code).toBe('otp_expired')

    await forgetLimits()
    const second = await codeFor(email, { create_user: false }, 2)
    const session = sessionAnswer.parse((await verify({ type: 'email', email, token: second.code })).json())
    const [, payload = ''] = session.access_token.split('.')
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({ aal: 'aal1', amr: [{ method: 'otp' }] })
  })

  test('a new user’s email also works with the type `signup`', async () => {
    const email = someEmail()
    const { link } = await codeFor(email)
    expect((await verify({ type: 'signup', token_hash: link })).statusCode).toBe(200)
  })

  test('an account that begins by a sign-in keeps where it came from, and a known one keeps what it had', async () => {
    const [byScript, byPage, known] = [someEmail(), someEmail(), (await signUpAndConfirm(app)).email]
    const before = (await userOf(known))?.cameFrom
    const referer = 'http://localhost:3000/login?ref=partner'
    for (const email of [byScript, known])
      expect((await call('POST', '/otp', { email }, { referer, 'x-referrer': 'https://partner.example/tools' })).statusCode).toBe(200)
    expect((await sendForm(app, '/login/code', { email: byPage }, { referer })).statusCode).toBeLessThan(400)
    for (const email of [byScript, byPage, known]) await secretsSoon(email, 'sign-in')
    const source = { form: 'sign-in', path: '/login', campaign: { ref: 'partner' } }
    expect((await userOf(byScript))?.cameFrom).toEqual({ ...source, referrer: 'partner.example' })
    expect((await userOf(byPage))?.cameFrom).toEqual({ ...source, referrer: null })
    expect((await userOf(known))?.cameFrom).toEqual(before)
  })

  test('the older endpoint creates an account, too', async () => {
    const email = someEmail()
    expect((await ask({ email, data: { plan: 'free' } }, '/magiclink')).json()).toEqual({})
    const { link } = await secretsSoon(email, 'sign-in')
    const session = sessionAnswer.parse((await verify({ type: 'signup', token_hash: link })).json())
    expect(session.user.user_metadata).toMatchObject({ plan: 'free' })
  })

  test('the link in our own email leads to our page, whose button signs in on that device', async () => {
    const email = someEmail()
    await codeFor(email)
    const { link } = await secretsOf(email, 'sign-in')
    const page = `/login/link?token_hash=${link}&type=signup`
    const seen = await app.inject({ url: page })
    expect(seen.body).toContain('Click to sign in on this device.')
    const form = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }
    const press = () => app.inject({ method: 'POST', url: page, headers: form, payload: `token_hash=${link}` })
    const pressed = await press()
    expect([pressed.statusCode, pressed.headers.location]).toEqual([302, '/dashboard'])
    // A session ends what the browser knew of its last sign-up.
    expect(pressed.cookies.filter(({ value }) => value !== '').map(({ name }) => name)).toEqual(['winnow-access', 'winnow-refresh'])
    const again = await press()
    expect([again.statusCode, again.body]).toEqual([403, expect.stringContaining('This link no longer works')])
  })
})

describe('error', () => {
  const cases: [sentence: string, body: object, status: number, code: string][] = [
    ['no address', {}, 400, 'validation_failed'],
    ['two addresses', { email: 'a@b.example', phone: '491234567' }, 400, 'validation_failed'],
    ['something that is no address', { email: 'ada' }, 400, 'validation_failed'],
    ['a channel for a letter', { email: 'a@b.example', channel: 'sms' }, 400, 'validation_failed'],
    ['an unknown channel', { phone: '491234567', channel: 'pigeon' }, 400, 'validation_failed'],
    ['half a key', { email: 'a@b.example', code_challenge: 'x'.repeat(43) }, 400, 'validation_failed'],
    ['a phone where there are none', { phone: '491234567' }, 400, 'phone_provider_disabled'],
    ['a number that is none', { phone: '0123' }, 400, 'validation_failed'],
    ['a wish that is neither yes nor no', { email: 'a@b.example', create_user: 'no' }, 400, 'bad_json'],
  ]
  test.each(cases)('%s is refused', async (_sentence, body, status, code) => {
    const reply = await ask(body)
    expect([reply.statusCode, reply.json().code]).toEqual([status, code])
  })

  test('an empty body and an invalid one get different errors', async () => {
    const reply = await app.inject({ method: 'POST', url: '/auth/v1/otp', headers: { 'content-type': 'application/json' } })
    expect([reply.statusCode, reply.json().error_code]).toEqual([400, 'bad_json'])
  })

  test('the next email must wait, whether or not the address has an account', async () => {
    const { email } = await signUpAndConfirm(app)
    for (const address of [email, someEmail()]) {
      expect((await ask({ email: address })).statusCode).toBe(200)
      const again = await ask({ email: address })
      expect([again.statusCode, again.json().code]).toEqual([429, 'over_email_send_rate_limit'])
    }
  })

  test('a banned user is told so after proving the address', async () => {
    const { email, session } = await signUpAndConfirm(app)
    const { code } = await codeFor(email)
    const bannedUntil = new Date(Date.now() + 60_000)
    await db.updateTable('users').set({ bannedUntil }).where('id', '=', session.user.id).execute()
    const reply = await verify({ type: 'email', email, token: code })
    expect([reply.statusCode, reply.json().code]).toEqual([403, 'user_banned'])
  })
})

describe('security', () => {
  test('a password and session from a stranger’s sign-up end when the address’s owner signs in', async () => {
    const email = someEmail()
    await call('POST', '/signup', { email, password: PASSWORD, data: { first_name: 'Eve' } })
    await forgetLimits()
    const { code } = await codeFor(email)
    const session = sessionAnswer.parse((await verify({ type: 'email', email, token: code })).json())
    expect((await call('GET', '/user', undefined, bearer(session))).statusCode).toBe(200)
    const old = await call('POST', '/token?grant_type=password', { email, password: PASSWORD })
    expect([old.statusCode, old.json().code]).toEqual([400, 'invalid_credentials'])
  })

  test('a user who confirms their own sign-up keeps the password', async () => {
    const { email } = await signUpAndConfirm(app)
    const { code } = await codeFor(email)
    expect((await verify({ type: 'email', email, token: code })).statusCode).toBe(200)
    expect((await call('POST', '/token?grant_type=password', { email, password: PASSWORD })).statusCode).toBe(200)
  })

  test('no stored email shows its code to staff or in the database', async () => {
    const email = someEmail()
    const { code } = await codeFor(email)
    const jobs = JSON.stringify(await db.selectFrom('jobs').selectAll().execute())
    expect(jobs).not.toContain(`"${code}"`)
    const [sent] = await emailsTo(email)
    expect(sent?.kind).toBe('sign-in')
  })

  test('two requests for one new address at the same moment make one account', async () => {
    const email = someEmail()
    const replies = await Promise.all([ask({ email }), ask({ email }), ask({ email }, '/magiclink')])
    expect(tally(replies)).toEqual({ 200: 1, 429: 2 })
    await secretsSoon(email, 'sign-in')
    expect(await db.selectFrom('users').select('id').where('email', '=', email).execute()).toHaveLength(1)
  })
})

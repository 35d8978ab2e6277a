import { afterAll, describe, expect, test } from 'vitest'
import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { renderEmail } from '#app/mail/render.server.tsx'
import { db } from '#app/platform/database/db.server.ts'
import { authUser, sessionAnswer } from '#app/auth/sessions/auth-user.ts'
import { startApp } from '#test/app.ts'
import { authClient, bearer, forgetLimits, PASSWORD, signUpAndConfirm, someEmail, VERSION } from '#test/auth.ts'
import { emailsTo, secretsOf, secretsSoon } from '#test/emails.ts'
import { useRealPasswordCost } from '#test/password-cost.ts'

useRealPasswordCost()

const app = await startApp()
const call = authClient(app)
startJobs()
afterAll(() => stopJobs())

const kindsTo = async (email: string) => (await emailsTo(email)).map(({ kind }) => kind)

describe('happy', () => {
  test('signing up returns the user without a session, and sends an email', async () => {
    const email = someEmail()
    const reply = await call('POST', '/signup', { email, password: PASSWORD, data: { first_name: 'Ada', last_name: 'Lovelace' } })
    expect(reply.statusCode).toBe(200)
    const user = authUser.parse(reply.json())
    expect(reply.json()).not.toHaveProperty('access_token')
    expect(user.user_metadata).toMatchObject({ first_name: 'Ada', last_name: 'Lovelace', email, email_verified: false })
    expect(user.identities).toHaveLength(1)
    expect(user.confirmed_at).toBeUndefined()
    expect(await kindsTo(email)).toEqual(['confirm-address'])
  })

  test('the mailed link confirms the address and signs in, once', async () => {
    const email = someEmail()
    await call('POST', '/signup', { email, password: PASSWORD })
    const { link } = await secretsOf(email, 'confirm-address')
    const reply = await call('POST', '/verify', { type: 'signup', token_hash: link })
    const session = sessionAnswer.parse(reply.json())
    expect(session.user.email_confirmed_at).toBeDefined()
    expect(session.user.user_metadata['email_verified']).toBe(true)
    expect(session.user.identities[0]?.identity_data['email_verified']).toBe(true)

    const again = await call('POST', '/verify', { type: 'signup', token_hash: link })
    expect(again.statusCode).toBe(403)
    expect(again.json()).toEqual({ code: 'otp_expired', message: 'Token has expired or is invalid' })
  })

  test('so does the mailed code', async () => {
    const email = someEmail()
    await call('POST', '/signup', { email, password: PASSWORD })
    const { code } = await secretsOf(email, 'confirm-address')
    expect((await call('POST', '/verify', { type: 'email', email, token: code })).statusCode).toBe(200)
  })

  test('any public anonymous key is accepted, and so is none; it gives no access', async () => {
    const { email, session } = await signUpAndConfirm(app)
    const legacy = 'eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoiYW5vbiJ9.c2lnbmF0dXJl'
    const keys: Record<string, string>[] = [
      {},
      { apikey: 'public' },
      { apikey: 'sb_publishable_of_another_project' },
      // Clients with an older key also send it as a bearer token.
      { apikey: legacy, authorization: `Bearer ${legacy}` },
    ]
    for (const headers of keys) {
      expect((await call('GET', '/settings', undefined, headers)).statusCode).toBe(200)
      expect((await call('POST', '/token?grant_type=password', { email, password: PASSWORD }, headers)).statusCode).toBe(200)
      expect((await call('POST', '/signup', { email: someEmail(), password: PASSWORD }, headers)).statusCode).toBe(200)
      const user = await call('GET', '/user', undefined, headers)
      expect([user.statusCode, user.json().code]).toEqual(headers['authorization'] ? [403, 'bad_jwt'] : [401, 'no_authorization'])
      expect((await call('GET', '/user', undefined, { ...headers, ...bearer(session) })).statusCode).toBe(200)
    }
  })

  test('the address counts whatever its case', async () => {
    const email = someEmail()
    await call('POST', '/signup', { email: email.toUpperCase(), password: PASSWORD })
    expect(await kindsTo(email)).toEqual(['confirm-address'])
  })
})

describe('error', () => {
  const refusals: [sentence: string, body: object, status: number, code: string, message: RegExp][] = [
    ['a password that is too short', { password: '12345' }, 422, 'weak_password', /^Password should be at least 6 characters/],
    ['one that everyone uses', { password: 'password' }, 422, 'weak_password', /most common/],
    ['no password', {}, 400, 'validation_failed', /password/],
    ['one of more than 128 characters', { password: 'ä'.repeat(129) }, 400, 'validation_failed', /128/],
    [
      'something that is no address',
      { email: 'ada', password: PASSWORD },
      400,
      'validation_failed',
      /^Unable to validate email address: invalid format$/,
    ],
    [
      'a line break in the address',
      { email: 'ada@example.com\r\nbcc: x@example.com', password: PASSWORD },
      400,
      'validation_failed',
      /email/,
    ],
    ['an address and a phone number', { phone: '491234567', password: PASSWORD }, 400, 'validation_failed', /Only an email/],
    ['metadata of more than 64 kB', { password: PASSWORD, data: { note: 'x'.repeat(65_600) } }, 400, 'validation_failed', /metadata/],
    ['metadata that the database cannot keep', { password: PASSWORD, data: { note: '\0' } }, 400, 'validation_failed', /metadata/],
    ['half a character', { password: PASSWORD, data: { note: '\ud800' } }, 400, 'validation_failed', /metadata/],
    ['data that is no object', { password: PASSWORD, data: 'x' }, 400, 'bad_json', /data/],
  ]
  test.each(refusals)('%s is refused', async (_sentence, body, status, code, message) => {
    const reply = await call('POST', '/signup', { email: someEmail(), ...body })
    expect(reply.statusCode).toBe(status)
    expect(reply.json().code).toBe(code)
    expect(reply.json().message).toMatch(message)
  })

  test('a weak password is refused with all reasons', async () => {
    const reply = await call('POST', '/signup', { email: someEmail(), password: '12345' })
    expect(reply.json().weak_password).toEqual({ reasons: ['length'] })
    expect((await call('POST', '/signup', { email: someEmail(), password: 'qwerty' })).json().weak_password).toEqual({ reasons: ['pwned'] })
  })

  test('neither address nor phone number asks for an anonymous account, and there are none; phone numbers are not served', async () => {
    const anonymous = await call('POST', '/signup', {})
    expect([anonymous.statusCode, anonymous.json().code]).toEqual([422, 'anonymous_provider_disabled'])
    const phone = await call('POST', '/signup', { phone: '491234567', password: PASSWORD })
    expect([phone.statusCode, phone.json().code]).toEqual([400, 'phone_provider_disabled'])
  })

  test('a body that is no JSON is told from one that is wrong', async () => {
    const send = (payload: string) =>
      app.inject({ method: 'POST', url: '/auth/v1/signup', headers: { 'content-type': 'application/json' }, payload })
    const deep = `{"data":{"a":${'['.repeat(300_000)}${']'.repeat(300_000)}}}`
    for (const payload of ['', '{', 'null x', deep])
      expect((await send(payload)).json()).toMatchObject({ code: 400, error_code: 'bad_json' })
    for (const payload of ['[]', '"x"', '{"email":1,"password":"x"}']) {
      const reply = (await send(payload)).json()
      expect(reply).toMatchObject({
        code: 400,
        error_code: 'bad_json',
        msg: expect.stringMatching(/^Could not parse request body as JSON/),
      })
    }
    expect((await send('null')).json()).toEqual((await send('{}')).json())
  })

  test('clients that name no version get the older shape of errors', async () => {
    const reply = await call('POST', '/signup', { email: 'x', password: PASSWORD }, { 'x-supabase-api-version': '2023-01-01' })
    expect(reply.json()).toEqual({ code: 400, error_code: 'validation_failed', msg: 'Unable to validate email address: invalid format' })
    expect(reply.headers['x-sb-error-code']).toBe('validation_failed')
    expect(reply.headers['x-supabase-api-version']).toBeUndefined()
  })

  test('an address of the service that does not exist is 404 in the shape of the protocol', async () => {
    const reply = await call('GET', '/nothing/here')
    expect(reply.statusCode).toBe(404)
    expect(reply.json()).toEqual({ code: 'not_found', message: expect.any(String) })
    expect(reply.headers['x-supabase-api-version']).toBe('2024-01-01')
  })
})

describe('security', () => {
  test('an address with an account gets the same response, and a different email', async () => {
    const { email } = await signUpAndConfirm(app)
    await forgetLimits()
    const known = await call('POST', '/signup', { email, password: 'another horse', data: { first_name: 'Eve' } })
    const fresh = await call('POST', '/signup', { email: someEmail(), password: 'another horse', data: { first_name: 'Eve' } })
    expect(known.statusCode).toBe(fresh.statusCode)
    expect(shapeOf(known.json())).toEqual(shapeOf(fresh.json()))
    expect(Object.keys(known.headers).toSorted()).toEqual(Object.keys(fresh.headers).toSorted())
    expect(await kindsTo(email)).toEqual(['confirm-address', 'existing-account'])
    expect((await call('POST', '/token?grant_type=password', { email, password: 'another horse' })).statusCode).toBe(400)
  })

  const signUps = {
    Ada: { password: PASSWORD, data: { first_name: 'Ada' } },
    Eve: { password: 'another horse', data: { first_name: 'Eve', plan: 'gold' } },
  }
  const signUpInTurn = async (email: string, ...names: (keyof typeof signUps)[]) => {
    const secrets: Record<string, { link: string; code: string }> = {}
    for (const name of names) {
      await forgetLimits()
      await call('POST', '/signup', { email, ...signUps[name] })
      secrets[name] = await secretsOf(email, 'confirm-address')
    }
    return { mine: secrets['Ada'] ?? { link: '', code: '' }, theirs: secrets['Eve'] ?? { link: '', code: '' } }
  }

  test.each([
    ['before', ['Eve', 'Ada']],
    ['after', ['Ada', 'Eve']],
  ] as const)(
    'while a stranger’s sign-up %s it is open, a program’s sign-up brings no password: its code signs in, and voids all others',
    async (_when, order) => {
      const email = someEmail()
      const { mine, theirs } = await signUpInTurn(email, ...order)
      const verified = await call('POST', '/verify', { type: 'email', email, token: mine.code })
      expect([verified.statusCode, verified.json().user?.user_metadata.first_name]).toEqual([200, 'Ada'])
      expect((await call('POST', '/verify', { type: 'signup', token_hash: theirs.link })).json().code).toBe('otp_expired')
      expect((await call('POST', '/verify', { type: 'email', email, token: theirs.code })).json().code).toBe('otp_expired')
      for (const { password } of Object.values(signUps))
        expect((await call('POST', '/token?grant_type=password', { email, password })).json().code).toBe('invalid_credentials')
      expect((await call('PUT', '/user', { password: PASSWORD }, bearer(verified.json()))).statusCode).toBe(200)
      expect((await call('POST', '/token?grant_type=password', { email, password: PASSWORD })).statusCode).toBe(200)
    },
  )

  test('a stranger’s sign-in code with a name of their own does not void a user’s code', async () => {
    const email = someEmail()
    await call('POST', '/otp', { email, data: { first_name: 'Ada' } })
    const mine = await secretsSoon(email, 'sign-in')
    await forgetLimits()
    await call('POST', '/otp', { email, data: { first_name: 'Eve' } })
    await secretsSoon(email, 'sign-in', 2)
    const verified = await call('POST', '/verify', { type: 'email', email, token: mine.code })
    expect([verified.statusCode, verified.json().user?.user_metadata.first_name]).toEqual([200, 'Ada'])
  })

  test('the email of a sign-up says when and in which browser it was, so its reader confirms only their own', async () => {
    const email = someEmail()
    const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
    await call('POST', '/signup', { email, password: PASSWORD }, { 'user-agent': firefox })
    const [sent] = await emailsTo(email)
    expect(sent?.data.at).toMatch(/^\d{4}-\d\d-\d\dT/)
    const { text } = await renderEmail('confirm-address', JSON.stringify({ ...sent?.data, at: '2026-11-23T18:09:00.000Z' }))
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      'created an account with this address on November 23, 2026 at 18:09 UTC in Firefox on Windows',
    )
    await forgetLimits()
    await call('POST', '/signup', { email, password: PASSWORD }, { 'user-agent': 'call-555-0100/1.0' })
    expect(JSON.stringify(await emailsTo(email))).not.toContain('555')
  })

  test('a program’s sign-up brings its own password and name while it is the only open one', async () => {
    const email = someEmail()
    const { link } = (await signUpInTurn(email, 'Ada')).mine
    const { user } = (await call('POST', '/verify', { type: 'signup', token_hash: link })).json()
    expect(user.user_metadata).toEqual({ first_name: 'Ada', sub: user.id, email, email_verified: true, phone_verified: false })
    expect(user.identities).toMatchObject([{ provider: 'email', identity_data: user.user_metadata }])
    expect((await call('POST', '/token?grant_type=password', { email, password: 'another horse' })).statusCode).toBe(400)
    expect((await call('POST', '/token?grant_type=password', { email, password: PASSWORD })).statusCode).toBe(200)
  })

  test('an unproven account has no password and no name', async () => {
    const email = someEmail()
    await call('POST', '/signup', { email, password: PASSWORD, data: { first_name: 'Ada' } })
    const user = await db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirstOrThrow()
    const identities = await db.selectFrom('identities').selectAll().where('userId', '=', user.id).execute()
    expect(user.passwordHash).toBeNull()
    expect(JSON.stringify([user, identities])).not.toContain('Ada')
  })

  test('signing up again returns the same id each time, whether or not the address has an account', async () => {
    const idsFor = async (email: string) => {
      const ids: string[] = []
      for (let time = 0; time < 2; time += 1) {
        await forgetLimits()
        ids.push((await call('POST', '/signup', { email, password: PASSWORD })).json().id)
      }
      return ids
    }
    const [fresh, known] = [someEmail(), (await signUpAndConfirm(app)).email]
    for (const [first, second] of [await idsFor(fresh), await idsFor(known)]) {
      expect(second).toBe(first)
      expect(first).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
    }
    const { id } = await db.selectFrom('users').select('id').where('email', '=', known).executeTakeFirstOrThrow()
    expect((await idsFor(known))[0]).not.toBe(id)
  })

  test('a stranger’s request does not delay the email of the person who signs up from another network seconds later', async () => {
    const { email: known } = await signUpAndConfirm(app)
    await forgetLimits()
    for (const email of [someEmail(), known]) {
      const from = (remoteAddress: string) =>
        app.inject({ method: 'POST', url: '/auth/v1/signup', headers: VERSION, payload: { email, password: PASSWORD }, remoteAddress })
      const before = (await emailsTo(email)).length
      expect((await from('203.0.113.7')).statusCode).toBe(200)
      expect((await from('203.0.113.7')).statusCode).toBe(429)
      expect((await from('198.51.100.9')).statusCode).toBe(200)
      expect(await emailsTo(email)).toHaveLength(before + 2)
    }
  })

  test('a second email must wait, whether or not the address has an account', async () => {
    const { email } = await signUpAndConfirm(app)
    const stranger = someEmail()
    await call('POST', '/signup', { email: stranger, password: PASSWORD })
    for (const address of [email, stranger]) {
      const reply = await call('POST', '/signup', { email: address, password: PASSWORD })
      expect(reply.statusCode).toBe(429)
      expect(reply.json()).toMatchObject({ code: 'over_email_send_rate_limit', message: expect.stringMatching(/\d+ seconds/) })
    }
  })

  test('no secret of an account is stored in plain text', async () => {
    const email = someEmail()
    await call('POST', '/signup', { email, password: PASSWORD })
    const { link, code } = await secretsOf(email, 'confirm-address')
    const user = await db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirstOrThrow()
    const token = await db.selectFrom('oneTimeTokens').selectAll().where('userId', '=', user.id).executeTakeFirstOrThrow()
    await call('POST', '/verify', { type: 'signup', token_hash: link })
    const { passwordHash } = await db.selectFrom('users').select('passwordHash').where('id', '=', user.id).executeTakeFirstOrThrow()
    expect(passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    const stored = JSON.stringify({
      user,
      token: { ...token, linkHash: Buffer.from(token.linkHash).toString(), codeHmac: Buffer.from(token.codeHmac).toString() },
      brought: Buffer.from(token.broughtSealed ?? []).toString(),
      jobs: await db.selectFrom('jobs').selectAll().execute(),
      audit: await db.selectFrom('auditEvents').selectAll().execute(),
    })
    for (const secret of [PASSWORD, link, `"${code}"`]) expect(stored).not.toContain(secret)
  })

  test('reserved keys of the profile cannot be claimed', async () => {
    const email = someEmail()
    const data = { email: 'eve@example.com', email_verified: true, sub: 'x', role: 'owner' }
    const user = authUser.parse((await call('POST', '/signup', { email, password: PASSWORD, data })).json())
    expect(user.user_metadata).toMatchObject({ email, email_verified: false, sub: user.id })
    expect(user.app_metadata).toEqual({ provider: 'email', providers: ['email'] })
  })
})

/** The keys of an object with the types of their values. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)]))
}

import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'

vi.hoisted(() => {
  process.env.EXTERNAL_PHONE_ENABLED = 'true'
  process.env.SMS_TEST_OTP = '15555550100:123456'
})

import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { sessionAnswer } from '#app/auth/sessions/auth-user.ts'
import { startAuth } from '#test/auth-app.ts'
import { authClient, bearer, forgetLimits, PASSWORD, signUpAndConfirm, tally } from '#test/auth.ts'
import { emailsTo } from '#test/emails.ts'
import { eventually } from '#test/eventually.ts'

const app = await startAuth()
const call = authClient(app)
startJobs()
beforeEach(forgetLimits)
afterAll(() => stopJobs())

let last = 4_915_110_000_000
const someNumber = () => String((last += 1))
const verify = (body: object) => call('POST', '/verify', body)

/** On localhost, text messages are in the email inbox. */
async function codesTo(phone: string): Promise<string[]> {
  const emails = await emailsTo(`${phone}@phone.localhost`)
  return emails.map(({ data }: { data: { code: string } }) => data.code)
}

async function codeTo(phone: string, count = 1): Promise<string> {
  await eventually(async () => expect(await codesTo(phone)).toHaveLength(count))
  return (await codesTo(phone)).at(-1) ?? ''
}

async function signedUp(phone = someNumber()) {
  const reply = await call('POST', '/signup', { phone, password: PASSWORD, data: { first_name: 'Ada' } })
  expect(reply.statusCode).toBe(200)
  const code = await codeTo(phone)
  const verified = await verify({ type: 'sms', phone, token: code })
  expect(verified.statusCode).toBe(200)
  await forgetLimits()
  return { phone, reply: reply.json(), session: sessionAnswer.parse(verified.json()) }
}

describe('happy', () => {
  test('a number signs up with a password, is confirmed by the code that it got, and signs in', async () => {
    const { phone, reply, session } = await signedUp()
    expect(reply).toMatchObject({ phone, email: '', user_metadata: { first_name: 'Ada', phone, phone_verified: false } })
    expect(reply).not.toHaveProperty('access_token')
    expect(session.user).toMatchObject({
      phone,
      user_metadata: { phone_verified: true },
      app_metadata: { provider: 'phone', providers: ['phone'] },
      identities: [{ provider: 'phone', identity_data: { phone, phone_verified: true } }],
    })
    expect(session.user.phone_confirmed_at).toBeDefined()
    const reply2 = await call('POST', '/token?grant_type=password', {
      phone: `+${phone.slice(0, 2)} ${phone.slice(2)}`,
      password: PASSWORD,
    })
    expect([reply2.statusCode, reply2.json().user.phone]).toEqual([200, phone])
  })

  test('a code alone makes an account, and signs in again later', async () => {
    const phone = someNumber()
    expect((await call('POST', '/otp', { phone, channel: 'whatsapp', data: { plan: 'free' } })).json()).toEqual({})
    const first = sessionAnswer.parse((await verify({ type: 'sms', phone, token: await codeTo(phone) })).json())
    expect(first.user.user_metadata).toMatchObject({ plan: 'free' })
    await forgetLimits()
    await call('POST', '/otp', { phone, create_user: false })
    const second = sessionAnswer.parse((await verify({ type: 'sms', phone, token: await codeTo(phone, 2) })).json())
    expect(second.user.id).toBe(first.user.id)
  })

  test('a new number takes effect once its code was typed; an e-mail address hears of it', async () => {
    const { phone, session } = await signedUp()
    const wanted = someNumber()
    const asked = await call('PUT', '/user', { phone: wanted }, bearer(session))
    expect([asked.statusCode, asked.json().phone, asked.json().new_phone]).toEqual([200, phone, wanted])
    const changed = sessionAnswer.parse((await verify({ type: 'phone_change', phone: wanted, token: await codeTo(wanted) })).json())
    expect(changed.user.phone).toBe(wanted)
    expect(changed.user).not.toHaveProperty('new_phone')

    const mailed = await signUpAndConfirm(app)
    const numbers = [someNumber(), someNumber()]
    for (const number of numbers) {
      await forgetLimits()
      expect((await call('PUT', '/user', { phone: number }, bearer(mailed.session))).statusCode).toBe(200)
      const done = sessionAnswer.parse((await verify({ type: 'phone_change', phone: number, token: await codeTo(number) })).json())
      expect(done.user.app_metadata['providers']).toEqual(['email', 'phone'])
    }
    expect((await emailsTo(mailed.email)).map(({ kind }) => kind)).toEqual(['confirm-address', 'phone-changed'])
  })

  test('messages are resent: for a sign-up’s number and for a number change', async () => {
    const phone = someNumber()
    await call('POST', '/signup', { phone, password: PASSWORD })
    await forgetLimits()
    expect((await call('POST', '/resend', { type: 'sms', phone })).json()).toEqual({})
    const session = sessionAnswer.parse((await verify({ type: 'sms', phone, token: await codeTo(phone, 2) })).json())
    await forgetLimits()
    const wanted = someNumber()
    await call('PUT', '/user', { phone: wanted }, bearer(session))
    await forgetLimits()
    expect((await call('POST', '/resend', { type: 'phone_change', phone })).json()).toEqual({})
    expect((await verify({ type: 'phone_change', phone: wanted, token: await codeTo(wanted, 2) })).statusCode).toBe(200)
  })

  test('a number of the operator’s own tests has one code, and gets no message', async () => {
    const phone = '15555550100'
    await call('POST', '/otp', { phone: `+${phone}` })
    expect((await verify({ type: 'sms', phone, token: '123456' })).statusCode).toBe(200)
    expect(await codesTo(phone)).toEqual([])
  })

  test('a user with only a phone reauthenticates by a code to it', async () => {
    const { phone, session } = await signedUp()
    expect((await call('GET', '/reauthenticate', undefined, bearer(session))).json()).toEqual({})
    expect(await codeTo(phone, 2)).toMatch(/^\d{6}$/)
  })

  test('clients can tell before they ask', async () => {
    expect((await call('GET', '/settings')).json()).toMatchObject({
      external: { phone: true },
      phone_autoconfirm: false,
      sms_provider: 'inbox',
    })
  })
})

describe('error', () => {
  const cases: [sentence: string, path: string, body: object, status: number, code: string][] = [
    ['a number that is none', '/signup', { phone: '+0123', password: PASSWORD }, 400, 'validation_failed'],
    [
      'a key for a message',
      '/signup',
      { phone: '491234567', password: PASSWORD, code_challenge: 'x'.repeat(43), code_challenge_method: 's256' },
      400,
      'validation_failed',
    ],
    ['a weak password', '/signup', { phone: '491234567', password: '12345' }, 422, 'weak_password'],
    ['a code of a malformed number', '/verify', { type: 'sms', phone: 'x', token: '123456' }, 400, 'validation_failed'],
    ['a code nobody sent', '/verify', { type: 'sms', phone: '491234567', token: '123456' }, 403, 'otp_expired'],
    ['a type that belongs to letters', '/verify', { type: 'signup', phone: '491234567', token: '123456' }, 400, 'validation_failed'],
    ['an email for a number', '/resend', { type: 'signup', phone: '491234567' }, 400, 'validation_failed'],
    ['a message to an address', '/resend', { type: 'sms', email: 'a@b.example' }, 400, 'validation_failed'],
    [
      'an unknown number and password',
      '/token?grant_type=password',
      { phone: '491234567', password: PASSWORD },
      400,
      'invalid_credentials',
    ],
  ]
  test.each(cases)('%s is refused', async (_sentence, path, body, status, code) => {
    const reply = await call('POST', path, body)
    expect([reply.statusCode, reply.json().code]).toEqual([status, code])
    expect(reply.json().message).toMatch(
      code === 'validation_failed' && path === '/signup' && !('code_challenge' in body)
        ? /^Invalid phone number format \(E\.164 required\)$/
        : /./,
    )
  })

  test('a number that is not confirmed does not sign in by the password of its sign-up', async () => {
    const phone = someNumber()
    await call('POST', '/signup', { phone, password: PASSWORD })
    const right = await call('POST', '/token?grant_type=password', { phone, password: PASSWORD })
    expect([right.statusCode, right.json().code]).toEqual([400, 'invalid_credentials'])
  })

  test('a number that another account has cannot be taken, which only its holder learns; and the next message has to wait', async () => {
    const [one, other] = [await signedUp(), await signedUp()]
    const wish = await call('PUT', '/user', { phone: other.phone }, bearer(one.session))
    expect([wish.statusCode, wish.json().new_phone]).toEqual([200, other.phone])
    const token = String((await emailsTo(`${other.phone}@phone.localhost`)).at(-1)?.data.code)
    const taken = await call('POST', '/verify', { type: 'phone_change', phone: other.phone, token })
    expect([taken.statusCode, taken.json().code]).toEqual([422, 'phone_exists'])
    const phone = someNumber()
    expect((await call('POST', '/otp', { phone })).statusCode).toBe(200)
    const soon = await call('POST', '/otp', { phone })
    expect([soon.statusCode, soon.json().code]).toEqual([429, 'over_sms_send_rate_limit'])
  })

  test('a code lives a minute', async () => {
    const phone = someNumber()
    await call('POST', '/otp', { phone })
    await db
      .updateTable('oneTimeTokens')
      .set({ issuedAt: new Date(Date.now() - 61_000) })
      .where('sentTo', '=', phone)
      .execute()
    expect((await verify({ type: 'sms', phone, token: await codeTo(phone) })).json().code).toBe('otp_expired')
  })
})

describe('security', () => {
  test('a number that has an account gets the same answer as a new one, and a code that signs its owner in', async () => {
    const { phone, session } = await signedUp()
    const known = await call('POST', '/signup', { phone, password: 'another horse' })
    const fresh = await call('POST', '/signup', { phone: someNumber(), password: 'another horse' })
    expect([known.statusCode, Object.keys(known.json()).toSorted()]).toEqual([fresh.statusCode, Object.keys(fresh.json()).toSorted()])
    expect(known.json().id).not.toBe(session.user.id)
    expect((await call('POST', '/token?grant_type=password', { phone, password: 'another horse' })).statusCode).toBe(400)
    expect((await verify({ type: 'sms', phone, token: await codeTo(phone, 2) })).json().user.id).toBe(session.user.id)
  })

  test('asking again answers the same for unknown and confirmed numbers, and sends nothing', async () => {
    const { phone } = await signedUp()
    for (const number of [phone, someNumber()]) {
      for (const type of ['sms', 'phone_change']) expect((await call('POST', '/resend', { type, phone: number })).json()).toEqual({})
    }
    expect(await codesTo(phone)).toHaveLength(1)
  })

  test('an email’s code confirms no number, and a message’s code no address', async () => {
    const phone = someNumber()
    await call('POST', '/signup', { phone, password: PASSWORD })
    const code = await codeTo(phone)
    expect((await verify({ type: 'email', email: `${phone}@example.com`, token: code })).statusCode).toBe(403)
    expect((await verify({ type: 'phone_change', phone, token: code })).statusCode).toBe(403)
    expect((await verify({ type: 'sms', phone, token: code })).statusCode).toBe(200)
  })

  test('a password from a stranger’s sign-up ends when the number’s owner signs in', async () => {
    const phone = someNumber()
    await call('POST', '/signup', { phone, password: PASSWORD })
    await forgetLimits()
    await call('POST', '/otp', { phone })
    expect((await verify({ type: 'sms', phone, token: await codeTo(phone, 2) })).statusCode).toBe(200)
    expect((await call('POST', '/token?grant_type=password', { phone, password: PASSWORD })).json().code).toBe('invalid_credentials')
  })

  test('a visitor has five guesses an hour, and cannot use up those of the person who has the phone', async () => {
    const phone = someNumber()
    await call('POST', '/otp', { phone })
    const code = await codeTo(phone)
    const wrong = code === '000000' ? '000001' : '000000'
    const remoteAddress = '203.0.113.7'
    const guess = () => app.inject({ method: 'POST', url: '/auth/v1/verify', payload: { type: 'sms', phone, token: wrong }, remoteAddress })
    const statuses = []
    // Four at a time: on a busy machine, a longer queue is refused for its length.
    for (let round = 0; round < 3; round += 1) statuses.push(...(await Promise.all(Array.from({ length: 4 }, guess))))
    expect(tally(statuses)).toEqual({ 403: 5, 429: 7 })
    expect((await verify({ type: 'sms', phone, token: code })).statusCode).toBe(200)
  })
})

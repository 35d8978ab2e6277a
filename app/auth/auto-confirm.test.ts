import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'

vi.hoisted(() => {
  process.env.MAILER_AUTOCONFIRM = 'true'
  process.env.SMS_AUTOCONFIRM = 'true'
  process.env.EXTERNAL_PHONE_ENABLED = 'true'
  process.env.EXTERNAL_ANONYMOUS_USERS_ENABLED = 'true'
})

import { startJobs, stopJobs } from '#app/jobs/job-worker.server.ts'
import { sessionAnswer } from '#app/session/auth-user.ts'
import { startEndpoints } from '#test/app.ts'
import { authClient, bearer, forgetLimits, PASSWORD, someEmail } from '#test/auth.ts'
import { makeUser } from '#test/factories.ts'
import { lettersTo, secretsOf, secretsSoon } from '#test/letters.ts'

const app = await startEndpoints()
const call = authClient(app)
startJobs()
beforeEach(forgetLimits)
afterAll(() => stopJobs())

const signUp = async (body: object) => sessionAnswer.parse((await call('POST', '/signup', { password: PASSWORD, ...body })).json())

describe('happy', () => {
  test('an address and a number count without being confirmed: signing up signs in', async () => {
    const email = someEmail()
    expect((await signUp({ email })).user.email_confirmed_at).toBeDefined()
    expect((await signUp({ phone: '4915111111111' })).user.phone_confirmed_at).toBeDefined()
    expect(await lettersTo(email)).toEqual([])
    expect((await call('GET', '/settings')).json()).toMatchObject({ mailer_autoconfirm: true, phone_autoconfirm: true })
  })

  test('a new number takes effect at once; of the two letters of a new address either will do', async () => {
    const email = someEmail()
    const session = await signUp({ email })
    expect((await call('PUT', '/user', { phone: '4915122222222' }, bearer(session))).json()).toMatchObject({ phone: '4915122222222' })
    const wanted = someEmail()
    expect((await call('PUT', '/user', { email: wanted }, bearer(session))).json()).toMatchObject({ email, new_email: wanted })
    const { link } = await secretsOf(email, 'email-change-current')
    expect((await call('POST', '/verify', { type: 'email_change', token_hash: link })).json().user.email).toBe(wanted)
  })

  test('an anonymous account gets its address at once', async () => {
    const session = sessionAnswer.parse((await call('POST', '/signup', {})).json())
    const email = someEmail()
    expect((await call('PUT', '/user', { email, password: PASSWORD }, bearer(session))).json()).toMatchObject({
      email,
      is_anonymous: false,
    })
    expect((await call('POST', '/token?grant_type=password', { email, password: PASSWORD })).statusCode).toBe(200)
  })

  test('a magic link for someone new is one for an account that exists by then', async () => {
    const email = someEmail()
    await call('POST', '/otp', { email })
    const { link } = await secretsSoon(email, 'sign-in')
    expect((await call('POST', '/verify', { type: 'magiclink', token_hash: link })).json().user.email_confirmed_at).toBeDefined()
  })
})

describe('error', () => {
  test('an address or a number that has an account is said to have one', async () => {
    const email = someEmail()
    await signUp({ email })
    await signUp({ phone: '4915133333333' })
    for (const address of [{ email }, { phone: '4915133333333' }]) {
      const reply = await call('POST', '/signup', { ...address, password: 'another horse' })
      expect([reply.statusCode, reply.json()]).toEqual([422, { code: 'user_already_exists', message: 'User already registered' }])
    }
  })

  test('one that was never confirmed gets a letter, and nobody gets a session', async () => {
    const { email } = await makeUser({ emailConfirmedAt: null })
    const reply = await call('POST', '/signup', { email, password: PASSWORD })
    expect([reply.statusCode, reply.json().access_token]).toEqual([200, undefined])
    expect((await lettersTo(email ?? '')).map(({ kind }) => kind)).toEqual(['confirm-address'])
  })
})

import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'

vi.hoisted(() => {
  process.env.MAILER_AUTOCONFIRM = 'true'
  process.env.SMS_AUTOCONFIRM = 'true'
  process.env.EXTERNAL_PHONE_ENABLED = 'true'
  process.env.EXTERNAL_ANONYMOUS_USERS_ENABLED = 'true'
})

import { recoverPassword } from '#app/auth/verification/recovery.server.ts'
import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { sessionAnswer } from '#app/auth/sessions/auth-user.ts'
import { startAuth } from '#test/auth-app.ts'
import { authClient, bearer, forgetLimits, PASSWORD, someEmail } from '#test/auth.ts'
import { makeUser } from '#test/factories.ts'
import { emailsTo, secretsOf, secretsSoon } from '#test/emails.ts'

const app = await startAuth()
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
    expect(await emailsTo(email)).toEqual([])
    expect((await call('GET', '/settings')).json()).toMatchObject({ mailer_autoconfirm: true, phone_autoconfirm: true })
  })

  test('a new number takes effect at once; of the two emails of a new address either will do', async () => {
    const email = someEmail()
    const session = await signUp({ email })
    expect((await call('PUT', '/user', { phone: '4915122222222' }, bearer(session))).json()).toMatchObject({ phone: '4915122222222' })
    const wanted = someEmail()
    expect((await call('PUT', '/user', { email: wanted }, bearer(session))).json()).toMatchObject({ email, new_email: wanted })
    const { link } = await secretsOf(email, 'email-change-current')
    expect((await call('POST', '/verify', { type: 'email_change', token_hash: link })).json().user.email).toBe(wanted)
  })

  test('an anonymous account gets its address immediately', async () => {
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

describe('security', () => {
  test('an address that counts without proof owns nothing; once its holder follows an email, nothing of the earlier sign-up is left', async () => {
    const ownerId = async () => (await db.selectFrom('installation').select('ownerId').executeTakeFirstOrThrow()).ownerId
    await db.updateTable('installation').set({ ownerId: null }).execute()
    const email = someEmail()
    const session = await signUp({ email, data: { first_name: 'Mallory' } })
    await call('PUT', '/user', { phone: '4915144444444' }, bearer(session))
    expect(await ownerId()).toBeNull()
    await call('POST', '/otp', { email })
    const { link } = await secretsSoon(email, 'sign-in')
    const { user } = sessionAnswer.parse((await call('POST', '/verify', { type: 'magiclink', token_hash: link })).json())
    expect([await ownerId(), user.phone, user.user_metadata['first_name']]).toEqual([user.id, '', undefined])
    expect((await call('GET', '/user', undefined, bearer(session))).statusCode).toBe(403)
    expect((await call('POST', '/token?grant_type=password', { email, password: PASSWORD })).statusCode).toBe(400)
  })

  const rowsOf = (id: string) => db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

  test('a user who proves a number that a proven account claims gets an account of their own, and that account keeps its data', async () => {
    const email = someEmail()
    await signUp({ email })
    await call('POST', '/otp', { email })
    const { link } = await secretsSoon(email, 'sign-in')
    const session = sessionAnswer.parse((await call('POST', '/verify', { type: 'magiclink', token_hash: link })).json())
    const { id } = session.user
    await db
      .updateTable('users')
      .set({ appMetadata: JSON.stringify({ role: 'staff' }) })
      .where('id', '=', id)
      .execute()
    await call('PUT', '/user', { password: 'a long enough horse', data: { first_name: 'Ada' } }, bearer(session))
    const phone = '4915166666666'
    expect((await call('PUT', '/user', { phone }, bearer(session))).json()).toMatchObject({ phone })

    await forgetLimits()
    await call('POST', '/otp', { phone })
    const token = String((await emailsTo(`${phone}@phone.localhost`)).at(-1)?.data.code)
    const other = sessionAnswer.parse((await call('POST', '/verify', { type: 'sms', phone, token })).json())
    expect([other.user.id === id, other.user.email, other.user.app_metadata['role'], other.user.phone]).toEqual([
      false,
      '',
      undefined,
      phone,
    ])
    expect(await rowsOf(id)).toMatchObject({ email, phone: null, appMetadata: { role: 'staff', providers: ['email'] } })
    expect((await call('GET', '/user', undefined, bearer(session))).json().user_metadata).toMatchObject({ first_name: 'Ada' })
    expect((await call('POST', '/token?grant_type=password', { email, password: 'a long enough horse' })).statusCode).toBe(200)
    expect((await emailsTo(email)).at(-1)).toMatchObject({ kind: 'phone-changed', data: { isGone: true } })
  })

  const claimed = async () => {
    const email = someEmail()
    numbers += 1
    const phone = `491517777${String(numbers).padStart(4, '0')}`
    const user = await makeUser({ email, emailAssumed: true, phone, phoneConfirmedAt: new Date(), passwordHash: 'kept', role: 'staff' })
    return { ...user, email }
  }
  let numbers = 0

  test('the same for an address that an account with a proven number claims, also where its person chooses a password', async () => {
    const { id, email } = await claimed()
    await call('POST', '/recover', { email })
    const { link } = await secretsSoon(email, 'reset-password')
    const other = sessionAnswer.parse((await call('POST', '/verify', { type: 'recovery', token_hash: link })).json())
    expect([other.user.id === id, other.user.email, other.user.phone]).toEqual([false, email, ''])
    expect(await rowsOf(id)).toMatchObject({ email: null, passwordHash: 'kept', appMetadata: { role: 'staff' } })

    const again = await claimed()
    await call('POST', '/recover', { email: again.email })
    const token = (await secretsSoon(again.email, 'reset-password')).link
    expect(await recoverPassword(token, 'a long enough horse', { address: '127.0.0.1', userAgent: undefined })).toBe(true)
    expect(await rowsOf(again.id)).toMatchObject({ email: null, passwordHash: 'kept', appMetadata: { role: 'staff' } })
    expect((await call('POST', '/token?grant_type=password', { email: again.email, password: 'a long enough horse' })).statusCode).toBe(200)
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

  test('an unconfirmed address gets an email, and no session starts', async () => {
    const { email } = await makeUser({ emailConfirmedAt: null })
    const reply = await call('POST', '/signup', { email, password: PASSWORD })
    expect([reply.statusCode, reply.json().access_token]).toEqual([200, undefined])
    expect((await emailsTo(email ?? '')).map(({ kind }) => kind)).toEqual(['confirm-address'])
  })
})

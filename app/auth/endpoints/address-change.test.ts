import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { sessionAnswer } from '#app/auth/sessions/auth-user.ts'
import { startApp } from '#test/app.ts'
import { authClient, bearer, forgetLimits, PASSWORD, signUpAndConfirm, someEmail, tally } from '#test/auth.ts'
import { emailsTo, secretsOf, secretsSoon } from '#test/emails.ts'

const app = await startApp()
const call = authClient(app)
startJobs()
beforeEach(forgetLimits)
afterAll(() => stopJobs())

const verify = (body: object) => call('POST', '/verify', { type: 'email_change', ...body })
const kindsTo = async (email: string) => (await emailsTo(email)).map(({ kind }) => kind)
const HALF = { code: '200', msg: expect.stringContaining('other email') }

/** A user who requested an address change, and both of its emails. */
async function changing() {
  const { email, session } = await signUpAndConfirm(app)
  const wanted = someEmail()
  const reply = await call('PUT', '/user', { email: wanted }, bearer(session))
  expect(reply.statusCode).toBe(200)
  expect(reply.json()).toMatchObject({ email, new_email: wanted, email_change_sent_at: expect.any(String) })
  return {
    session,
    old: { email, ...(await secretsOf(email, 'email-change-current')) },
    fresh: { email: wanted, ...(await secretsOf(wanted, 'email-change-new')) },
  }
}

describe('happy', () => {
  test.each([
    ['the old address first', true],
    ['the new address first', false],
  ])('a new address takes effect once both emails were confirmed: %s', async (_order, oldFirst) => {
    const { session, old, fresh } = await changing()
    const [first, second] = oldFirst ? [old, fresh] : [fresh, old]
    expect((await verify({ token_hash: first.link })).json()).toEqual(HALF)
    expect((await call('GET', '/user', undefined, bearer(session))).json()).toMatchObject({ email: old.email, new_email: fresh.email })
    const opened = sessionAnswer.parse((await verify({ token_hash: second.link })).json())
    expect(opened.user).toMatchObject({ email: fresh.email, user_metadata: { email: fresh.email, email_verified: true } })
    expect(opened.user).not.toHaveProperty('new_email')
    expect(opened.user.identities).toEqual([expect.objectContaining({ provider: 'email', email: fresh.email })])
    expect((await call('POST', '/token?grant_type=password', { email: fresh.email, password: PASSWORD })).statusCode).toBe(200)
    expect((await call('POST', '/token?grant_type=password', { email: old.email, password: PASSWORD })).statusCode).toBe(400)
    expect(await kindsTo(old.email)).toContain('email-changed')
  })

  test('the codes work as well, each with the address that received it', async () => {
    const { old, fresh } = await changing()
    expect((await verify({ email: fresh.email, token: fresh.code })).json()).toEqual(HALF)
    expect((await verify({ email: old.email, token: old.code })).json().user.email).toBe(fresh.email)
  })

  test('both emails are resent, and the earlier ones no longer work', async () => {
    const { old, fresh } = await changing()
    await forgetLimits()
    expect((await call('POST', '/resend', { type: 'email_change', email: old.email })).json()).toEqual({})
    const again = await secretsSoon(fresh.email, 'email-change-new', 2)
    expect((await verify({ token_hash: fresh.link })).json().code).toBe('otp_expired')
    expect((await verify({ token_hash: again.link })).json()).toEqual(HALF)
    expect((await verify({ token_hash: (await secretsOf(old.email, 'email-change-current')).link })).statusCode).toBe(200)
  })

  test('the links in our own emails lead to our page', async () => {
    const { old, fresh } = await changing()
    const form = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }
    const press = async (link: string) => {
      const url = `/login/new-address?token_hash=${link}&type=email_change`
      expect((await app.inject({ url })).body).toContain('Confirm the change')
      return (await app.inject({ method: 'POST', url, headers: form, payload: `token_hash=${link}` })).body
    }
    expect(await press(old.link)).toContain('follow the link in the email to the other address')
    expect(await press(fresh.link)).toContain('Use the new address to sign in.')
    expect((await app.inject({ url: `/login/new-address?token_hash=${old.link}` })).body).toContain('This link no longer works')
  })

  test('the current address is no change', async () => {
    const { email, session } = await signUpAndConfirm(app)
    const reply = await call('PUT', '/user', { email: email.toUpperCase() }, bearer(session))
    expect([reply.statusCode, reply.json().new_email]).toEqual([200, undefined])
    expect(await kindsTo(email)).toEqual(['confirm-address'])
  })
})

describe('error', () => {
  test('an address of another account is refused, also when it was taken meanwhile', async () => {
    const { old, fresh } = await changing()
    await signUpAndConfirm(app, fresh.email)
    await verify({ token_hash: old.link })
    const late = await verify({ token_hash: fresh.link })
    expect([late.statusCode, late.json().code]).toEqual([422, 'email_exists'])
  })

  test('a missing address, a missing session and a request too soon are refused', async () => {
    const { session } = await signUpAndConfirm(app)
    const malformed = await call('PUT', '/user', { email: 'ada' }, bearer(session))
    expect([malformed.statusCode, malformed.json().message]).toEqual([400, 'Unable to validate email address: invalid format'])
    expect((await call('PUT', '/user', { email: someEmail() })).json().code).toBe('no_authorization')
    expect((await call('PUT', '/user', { email: someEmail() }, bearer(session))).statusCode).toBe(200)
    const soon = await call('PUT', '/user', { email: someEmail() }, bearer(session))
    expect([soon.statusCode, soon.json().code]).toEqual([429, 'over_email_send_rate_limit'])
  })

  test('a refused part sends no email and changes nothing else', async () => {
    const { email, session } = await signUpAndConfirm(app)
    for (const [password, code] of [
      ['12345', 'weak_password'],
      [PASSWORD, 'same_password'],
    ]) {
      const reply = await call('PUT', '/user', { email: someEmail(), password, data: { first_name: 'Eve' } }, bearer(session))
      expect([reply.statusCode, reply.json().code]).toEqual([422, code])
    }
    expect((await call('PUT', '/user', { email: someEmail() }, bearer(session))).json().user_metadata.first_name).toBe('Ada')
    expect(await kindsTo(email)).toEqual(['confirm-address', 'email-change-current'])
  })

  test('a resend with nothing pending gets the same response and sends nothing', async () => {
    const { email } = await signUpAndConfirm(app)
    for (const address of [email, someEmail()]) {
      expect((await call('POST', '/resend', { type: 'email_change', email: address })).json()).toEqual({})
    }
    expect(await kindsTo(email)).toEqual(['confirm-address'])
    expect((await call('POST', '/resend', { type: 'email_change', phone: '491234567' })).json()).toEqual({})
    const without = await call('POST', '/resend', { type: 'signup', phone: '491234567' })
    expect([without.statusCode, without.json().code]).toEqual([400, 'validation_failed'])
  })

  test('a user with a phone number has the address-change email resent by that number', async () => {
    const { session } = await signUpAndConfirm(app)
    const [phone, fresh] = ['4915112345678', someEmail()]
    await call('PUT', '/user', { email: fresh }, bearer(session))
    await db.updateTable('users').set({ phone, phoneConfirmedAt: new Date() }).where('id', '=', session.user.id).execute()
    await forgetLimits()
    expect((await call('POST', '/resend', { type: 'email_change', phone })).json()).toEqual({})
    await secretsSoon(fresh, 'email-change-new', 2)
  })
})

describe('security', () => {
  test('the consent to one address is none to another', async () => {
    const { session, old } = await changing()
    expect((await verify({ token_hash: old.link })).json()).toEqual(HALF)
    await forgetLimits()
    const stranger = someEmail()
    await call('PUT', '/user', { email: stranger }, bearer(session))
    expect((await verify({ token_hash: (await secretsOf(stranger, 'email-change-new')).link })).json()).toEqual(HALF)
    expect((await call('GET', '/user', undefined, bearer(session))).json().email).toBe(old.email)
  })

  test('a new password cancels a pending address change, which cannot be resent', async () => {
    const { session, old, fresh } = await changing()
    await forgetLimits()
    const reply = await call('PUT', '/user', { password: 'another horse' }, bearer(session))
    expect([reply.statusCode, reply.json().new_email]).toEqual([200, undefined])
    await call('POST', '/resend', { type: 'email_change', email: old.email })
    await call('POST', '/recover', { email: old.email })
    await secretsSoon(old.email, 'reset-password', 1)
    expect(await kindsTo(fresh.email)).toEqual(['email-change-new'])
  })

  test('one email alone changes nothing, however often its link is used', async () => {
    const { session, old } = await changing()
    const replies = await Promise.all(Array.from({ length: 4 }, () => verify({ token_hash: old.link })))
    expect(tally(replies)).toEqual({ 200: 1, 403: 3 })
    expect((await call('GET', '/user', undefined, bearer(session))).json().email).toBe(old.email)
  })

  test('both links at the same moment make one change', async () => {
    const { old, fresh } = await changing()
    const replies = await Promise.all([verify({ token_hash: old.link }), verify({ token_hash: fresh.link })])
    expect(replies.flatMap((reply) => reply.json().user?.email ?? [])).toEqual([fresh.email])
  })

  test('with a second factor a session that has not taken it changes no address, number or password, only the profile', async () => {
    const { session } = await signUpAndConfirm(app)
    const factor = {
      id: session.user.id,
      userId: session.user.id,
      factorType: 'totp',
      status: 'verified',
      secretSealed: Buffer.from('x'),
    } as const
    await db.insertInto('mfaFactors').values(factor).execute()
    const changes = [{ email: someEmail() }, { password: 'another horse' }, { phone: '491234567' }]
    for (const change of changes) {
      const reply = await call('PUT', '/user', change, bearer(session))
      expect([reply.statusCode, reply.json().code]).toEqual([401, 'insufficient_aal'])
    }
    const changed = await call('PUT', '/user', { data: { first_name: 'Augusta' } }, bearer(session))
    expect([changed.statusCode, changed.json().user_metadata.first_name]).toEqual([200, 'Augusta'])
    await db.updateTable('sessions').set({ aal: 'aal2' }).where('userId', '=', session.user.id).execute()
    expect((await call('PUT', '/user', { password: 'another horse' }, bearer(session))).statusCode).toBe(200)
  })
})

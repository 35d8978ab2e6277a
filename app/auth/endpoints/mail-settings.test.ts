import { beforeEach, describe, expect, test, vi } from 'vitest'

vi.hoisted(() => {
  process.env.JWT_AUD = 'https://api.winnow.example'
  process.env.MAILER_OTP_LENGTH = '10'
  process.env.MAILER_SECURE_EMAIL_CHANGE_ENABLED = 'false'
})

import { decodeJwt } from 'jose'
import { startAuth } from '#test/auth-app.ts'
import { authClient, bearer, forgetLimits, PASSWORD, signUpAndConfirm, someEmail } from '#test/auth.ts'
import { emailsTo, secretsOf } from '#test/emails.ts'

const app = await startAuth()
const call = authClient(app)
beforeEach(forgetLimits)

describe('happy', () => {
  test('tokens and users are for the audience that is set, and such tokens open what they should', async () => {
    const { session } = await signUpAndConfirm(app)
    expect([decodeJwt(session.access_token).aud, session.user.aud]).toEqual(['https://api.winnow.example', 'https://api.winnow.example'])
    expect((await call('GET', '/user', undefined, bearer(session))).statusCode).toBe(200)
  })

  test('a code has as many digits as are set', async () => {
    const email = someEmail()
    await call('POST', '/signup', { email, password: PASSWORD })
    const { code } = await secretsOf(email, 'confirm-address')
    expect(code).toMatch(/^\d{10}$/)
    expect((await call('POST', '/verify', { type: 'email', email, token: code })).statusCode).toBe(200)
  })

  test('with secure email change off, the email to the new address is enough', async () => {
    const { email, session } = await signUpAndConfirm(app)
    const wanted = someEmail()
    await call('PUT', '/user', { email: wanted }, bearer(session))
    const { link } = await secretsOf(wanted, 'email-change-new')
    expect((await call('POST', '/verify', { type: 'email_change', token_hash: link })).json().user.email).toBe(wanted)
    expect((await emailsTo(email)).map(({ kind }) => kind)).toEqual(['confirm-address', 'email-changed'])
  })
})

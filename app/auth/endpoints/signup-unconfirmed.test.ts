import { expect, test, vi } from 'vitest'

vi.hoisted(() => {
  process.env.MAILER_AUTOCONFIRM = 'true'
})

import { db } from '#app/platform/database/db.server.ts'
import { ACCESS_COOKIE, REFRESH_COOKIE } from '#app/platform/http/session-cookie.server.ts'
import { sessionAnswer } from '#app/auth/sessions/auth-user.ts'
import { startApp } from '#test/app.ts'
import { authClient, bearer, PASSWORD, someEmail } from '#test/auth.ts'
import { browser } from '#test/browser.ts'
import { ada, sendEnquiry } from '#test/enquiries.ts'

const app = await startApp()
const call = authClient(app)

test('with MAILER_AUTOCONFIRM signing up signs in immediately, and sends no email', async () => {
  expect((await call('GET', '/settings')).json()).toMatchObject({ mailer_autoconfirm: true, disable_signup: false })
  const email = someEmail()
  const reply = await call('POST', '/signup', { email, password: PASSWORD, data: { first_name: 'Ada' } })
  const session = sessionAnswer.parse(reply.json())
  expect(reply.statusCode).toBe(200)
  expect(session.user).toMatchObject({ email, email_confirmed_at: expect.any(String), user_metadata: { email_verified: true } })
  const claims = JSON.parse(Buffer.from(session.access_token.split('.')[1] ?? '', 'base64url').toString())
  expect(claims.amr).toEqual([{ method: 'password', timestamp: expect.any(Number) }])
  expect((await call('GET', '/user', undefined, bearer(session))).statusCode).toBe(200)
  expect((await call('POST', '/token?grant_type=refresh_token', { refresh_token: session.refresh_token })).statusCode).toBe(200)
  expect(await db.selectFrom('jobs').select('id').where('kind', '=', 'letter').execute()).toEqual([])
})

test('an address that has an account is refused by name, and its password stays what it was', async () => {
  const email = someEmail()
  await call('POST', '/signup', { email, password: PASSWORD })
  const again = await call('POST', '/signup', { email: email.toUpperCase(), password: 'another horse' })
  expect([again.statusCode, again.json()]).toEqual([422, { code: 'user_already_exists', message: 'User already registered' }])
  expect((await call('POST', '/token?grant_type=password', { email, password: 'another horse' })).statusCode).toBe(400)
})

test('without script the form leads to where one wanted to go, signed in', async () => {
  const from = browser(app)
  const fields = {
    form: 'sign-up',
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: someEmail(),
    password: PASSWORD,
    confirmPassword: PASSWORD,
  }
  const reply = await from.post('/login?mode=sign-up&next=/about', fields)
  expect([reply.statusCode, reply.headers.location]).toEqual([302, '/about'])
  expect([...from.cookies.keys()]).toEqual([ACCESS_COOKIE, REFRESH_COOKIE])
})

test('an unproven address shows none of its enquiries', async () => {
  await sendEnquiry(app, { ...ada, form: 'contact' })
  const session = sessionAnswer.parse((await call('POST', '/signup', { email: ada.email, password: PASSWORD })).json())
  const own = await app.inject({ url: '/api/me/enquiries', headers: bearer(session) })
  expect([own.statusCode, JSON.stringify(own.json())]).toEqual([200, expect.not.stringContaining(ada.problem)])
})

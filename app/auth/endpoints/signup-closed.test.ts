import { expect, test, vi } from 'vitest'

vi.hoisted(() => {
  process.env.DISABLE_SIGNUP = 'true'
})

import { hashPassword } from '#app/auth/sessions/hashing.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { startApp } from '#test/app.ts'
import { authClient, PASSWORD, someEmail } from '#test/auth.ts'
import { browser } from '#test/browser.ts'
import { makeUser } from '#test/factories.ts'

const app = await startApp()

const CLOSED = 'Signups not allowed for this instance'

test('with DISABLE_SIGNUP the service says so, and makes no account whatever is asked', async () => {
  const call = authClient(app)
  expect((await call('GET', '/settings')).json()).toMatchObject({ disable_signup: true, mailer_autoconfirm: false })
  for (const body of [{ email: someEmail(), password: PASSWORD }, { email: 'no address', password: 'x' }, { phone: '491234567' }, {}]) {
    const reply = await call('POST', '/signup', body)
    expect([reply.statusCode, reply.json()]).toEqual([422, { code: 'signup_disabled', message: CLOSED }])
  }
  expect(await db.selectFrom('users').select('id').execute()).toEqual([])
  expect(await db.selectFrom('jobs').select('id').execute()).toEqual([])
})

test('the sign-in page offers no account, and the address of that form leads to signing in', async () => {
  for (const url of ['/login', '/login?mode=sign-up']) {
    const { body } = await browser(app).send({ url })
    expect(body).toContain('Welcome Back')
    expect(body).not.toMatch(/No account yet|Create one|Confirm Password/)
  }
})

test('the form of the page says the same', async () => {
  const fields = {
    form: 'sign-up',
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: someEmail(),
    password: PASSWORD,
    confirmPassword: PASSWORD,
  }
  const reply = await browser(app).post('/login?mode=sign-up', fields)
  expect(reply.statusCode).toBe(422)
  expect(reply.body).toContain(CLOSED)
})

test('an existing user signs in as before, and may request a new password', async () => {
  const { email } = await makeUser({ passwordHash: await hashPassword(PASSWORD) })
  const call = authClient(app)
  expect((await call('POST', '/token?grant_type=password', { email, password: PASSWORD })).statusCode).toBe(200)
  expect((await call('POST', '/recover', { email })).statusCode).toBe(200)
})

import { afterAll, beforeEach, expect, test, vi } from 'vitest'

const OWNER = 'boss@example.com'

vi.hoisted(() => {
  process.env.OWNER_EMAIL = 'boss@example.com'
})

import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { hasOwner } from '#app/auth/users/account.server.ts'
import { startApp } from '#test/app.ts'
import { authClient, forgetLimits, signUpAndConfirm, someEmail } from '#test/auth.ts'
import { browser } from '#test/browser.ts'
import { emailsTo, secretsOf } from '#test/emails.ts'
import { eventually } from '#test/eventually.ts'

const app = await startApp()
const call = authClient(app)
startJobs()
beforeEach(forgetLimits)
afterAll(() => stopJobs())

const SIX = 'q8#zLm'
const TWELVE = 'q8#zLm4!wTrx'
const hint = async () => /At least \d+ characters[^<]*/.exec((await browser(app).send({ url: '/login?mode=sign-up' })).body)?.[0]

test('the future owner signs up as everyone does, so the response does not reveal the owner’s address', async () => {
  expect(await hint()).toBe('At least 6 characters; longer is better.')
  await signUpAndConfirm(app, someEmail(), SIX)
  expect(await hasOwner()).toBe(false)
  await signUpAndConfirm(app, OWNER, SIX)
  expect(await hasOwner()).toBe(true)
})

test('its owner is told that the password is short, and needs twelve characters for the next one', async () => {
  const from = browser(app)
  await from.post('/login', { form: 'sign-in', email: OWNER, password: SIX })
  expect((await from.send({ url: '/dashboard' })).body).toContain('12 characters')

  await forgetLimits()
  await call('POST', '/recover', { email: OWNER })
  await eventually(async () => expect((await emailsTo(OWNER)).at(-1)?.kind).toBe('reset-password'))
  const { link } = await secretsOf(OWNER, 'reset-password')
  const url = `/login/new-password?token_hash=${link}&type=recovery`
  expect((await from.send({ url })).body).toContain('At least 12 characters')
  const short = await from.post(url, { token_hash: link, password: `${SIX}a`, confirmPassword: `${SIX}a` })
  expect([short.statusCode, short.body]).toEqual([422, expect.stringContaining('Password should be at least 12 characters.')])
  expect((await from.post(url, { token_hash: link, password: TWELVE, confirmPassword: TWELVE })).statusCode).toBe(302)
})

test('six are enough for the new password of a customer', async () => {
  const { email } = await signUpAndConfirm(app, someEmail(), SIX)
  await forgetLimits()
  await call('POST', '/recover', { email })
  await eventually(async () => expect((await emailsTo(email)).at(-1)?.kind).toBe('reset-password'))
  const { link } = await secretsOf(email, 'reset-password')
  expect((await browser(app).send({ url: `/login/new-password?token_hash=${link}` })).body).toContain('At least 6 characters')
})

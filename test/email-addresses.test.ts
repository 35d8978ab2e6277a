import { expect, test } from 'vitest'
import { email as ofAccounts } from '#app/account/sign-in/credentials.ts'
import { contactEmail } from '#app/leads/contact.ts'
import { SPECIAL_LETTERS } from '#app/platform/email-address.ts'
import { hashPassword } from '#app/auth/sessions/hashing.server.ts'
import { directory } from '#app/auth/directory/directory.server.ts'
import { startApp } from './app.ts'
import { authClient, PASSWORD } from './auth.ts'
import { browser } from './browser.ts'
import { ada, sendEnquiry } from './enquiries.ts'
import { makeUser, signIn } from './factories.ts'

const app = await startApp()
const call = authClient(app)

test('an address with a domain in other letters is taken everywhere, as mail servers know it', async () => {
  const [written, known] = ['ada@bücher.example', 'ada@xn--bcher-kva.example']
  expect([ofAccounts.parse(written), contactEmail('').parse(written)]).toEqual([known, known])
  expect((await call('POST', '/signup', { email: written, password: PASSWORD })).json().email).toBe(known)
  expect((await sendEnquiry(app, { ...ada, email: written })).statusCode).toBe(201)
  const { headers } = await signIn('owner')
  const invited = await app.inject({
    method: 'POST',
    url: '/api/admin/users/invite',
    headers,
    payload: { email: `guest.${written}`, role: 'customer' },
  })
  expect(invited.json()).toMatchObject({ email: `guest.${known}` })
  expect((await directory.listUsers({ search: `guest.${known}` })).users).toHaveLength(1)
})

test('an address with special letters before the @ is refused everywhere with one sentence', async () => {
  const email = 'josé@example.com'
  expect((await call('POST', '/signup', { email, password: PASSWORD })).json()).toMatchObject({ message: SPECIAL_LETTERS })
  const enquiry = await sendEnquiry(app, { ...ada, email })
  expect([enquiry.statusCode, enquiry.body]).toEqual([422, expect.stringContaining(SPECIAL_LETTERS)])
  const page = await browser(app).post('/login/forgot-password', { email })
  expect(page.body).toContain(SPECIAL_LETTERS)
  const { headers } = await signIn('owner')
  const invited = await app.inject({ method: 'POST', url: '/api/admin/users/invite', headers, payload: { email, role: 'customer' } })
  expect([invited.statusCode, invited.body]).toEqual([422, expect.stringContaining(SPECIAL_LETTERS)])
})

test('an address whose domain has no dot is refused everywhere for a new account, and an account from before still signs in', async () => {
  const email = 'olive@example'
  expect((await call('POST', '/signup', { email, password: PASSWORD })).json()).toMatchObject({ code: 'validation_failed' })
  const fields = { form: 'sign-up', firstName: 'Olive', lastName: 'Oil', email, password: PASSWORD, confirmPassword: PASSWORD }
  const page = await browser(app).post('/login?mode=sign-up', fields)
  expect([page.statusCode, page.body]).toEqual([422, expect.stringContaining('Please enter a valid email address')])
  expect((await sendEnquiry(app, { ...ada, email })).statusCode).toBe(422)
  const { headers } = await signIn('owner')
  const invited = await app.inject({ method: 'POST', url: '/api/admin/users/invite', headers, payload: { email, role: 'customer' } })
  expect([invited.statusCode, invited.body]).toEqual([422, expect.stringContaining('Please enter a valid email address')])
  await makeUser({ email: 'known@example', passwordHash: await hashPassword(PASSWORD) })
  expect((await browser(app).post('/login', { form: 'sign-in', email: 'known@example', password: PASSWORD })).statusCode).toBe(302)
})

import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { email as ofAccounts } from '#app/account/sign-in/credentials.ts'
import { contactEmail } from '#app/leads/lead/contact.ts'
import { SPECIAL_LETTERS } from '#app/platform/text/email-address.ts'
import { enterAs } from '#app/auth/providers/account.server.ts'
import { hashPassword } from '#app/auth/sessions/hashing.server.ts'
import { makeServiceKey } from '#app/auth/sessions/jwt.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { directory } from '#app/auth/directory/directory.server.ts'
import { startApp } from './app.ts'
import { authClient, forgetLimits, PASSWORD } from './auth.ts'
import { browser } from './browser.ts'
import { secretsSoon } from './emails.ts'
import { ada, sendEnquiry } from './enquiries.ts'
import { eventually } from './eventually.ts'
import { makeUser, signIn } from './factories.ts'

const app = await startApp()
const call = authClient(app)
startJobs()
beforeEach(forgetLimits)
afterAll(() => stopJobs())

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

describe('a sign-in by email', () => {
  const accountOf = (email: string) => db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()

  test.each(['/otp', '/magiclink'])('%s refuses an address without a dot in its domain in the words of a sign-up', async (path) => {
    const email = 'pearl@harbor'
    const words = (await call('POST', '/signup', { email, password: PASSWORD })).json()
    const asked = await call('POST', path, { email })
    expect([asked.statusCode, asked.json()]).toEqual([400, { ...words, code: 'validation_failed' }])
  })

  test('where a machine has such accounts, theirs goes on, and nobody learns which of its addresses have one', async () => {
    await makeUser({ email: 'admin@localhost', emailConfirmedAt: new Date() })
    for (const path of ['/otp', '/magiclink'])
      for (const name of ['admin', 'stranger']) {
        const asked = await call('POST', path, { email: `${name}@localhost` })
        expect([asked.statusCode, asked.json()]).toEqual([200, {}])
        await forgetLimits()
      }
    expect((await secretsSoon('admin@localhost', 'sign-in', 2)).link).toBeDefined()
    await eventually(async () => {
      const waiting = db.selectFrom('jobs').select('id').where('kind', '=', 'account-letter').where('doneAt', 'is', null)
      expect(await waiting.execute()).toEqual([])
    })
    expect(await accountOf('stranger@localhost')).toBeUndefined()
  })

  test('a link that an administrator makes for such an address creates no account, and one for a known address works', async () => {
    const headers = { authorization: `Bearer ${await makeServiceKey(1)}` }
    const make = (body: object) => app.inject({ method: 'POST', url: '/auth/v1/admin/generate_link', headers, payload: body })
    const email = 'pearl@harbor'
    for (const body of [{ type: 'signup', password: PASSWORD }, { type: 'magiclink' }, { type: 'invite' }])
      expect((await make({ ...body, email })).json()).toMatchObject({ msg: 'Unable to validate email address: invalid format' })
    expect(await accountOf(email)).toBeUndefined()
    await makeUser({ email: 'root@machine', emailConfirmedAt: new Date() })
    expect((await make({ type: 'magiclink', email: 'root@machine' })).statusCode).toBe(200)
  })

  test('a provider’s new user with such an address gets no account, and a known one signs in', async () => {
    const from = (email: string) =>
      enterAs(
        { provider: 'keycloak', subject: email, email, emailVerified: true, needsEmail: true, data: { email, email_verified: true } },
        async (_trx, entered) => (typeof entered === 'string' ? entered : entered.email),
      )
    expect(await from('pearl@harbor')).toBe('email_refused')
    expect(await accountOf('pearl@harbor')).toBeUndefined()
    await makeUser({ email: 'known@harbor', emailConfirmedAt: new Date() })
    expect(await from('known@harbor')).toBe('known@harbor')
  })
})

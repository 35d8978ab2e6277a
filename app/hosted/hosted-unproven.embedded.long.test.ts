import { expect, test } from 'vitest'
import { browser } from '#test/browser.ts'
import { ada, sendEnquiry } from '#test/enquiries.ts'
import { startHosted } from '#test/hosted.ts'

const { app, db } = await startHosted({ project: { MAILER_AUTOCONFIRM: 'true' }, product: { OWNER_EMAIL: ada.email } })

test('where the service confirms addresses without asking, one proves nothing: nobody owns by it, and nobody reads what was written from it', async () => {
  expect((await sendEnquiry(app, ada)).statusCode).toBe(201)
  const from = browser(app)
  const fields = {
    form: 'sign-up',
    firstName: 'Not',
    lastName: 'Ada',
    email: ada.email,
    password: 'correct horse',
    confirmPassword: 'correct horse',
  }
  expect((await from.post('/login?mode=sign-up', fields)).headers.location).toBe('/dashboard')
  expect((await from.send({ url: '/dashboard' })).statusCode).toBe(200)
  expect((await from.send({ url: '/api/contacts' })).statusCode).toBe(403)
  const enquiries = await from.send({ url: '/api/me/enquiries' })
  expect([enquiries.statusCode, enquiries.json()]).toEqual([200, []])
  expect(await db.selectFrom('hostedAccounts').select(['role', 'emailConfirmedAt']).execute()).toEqual([
    { role: 'customer', emailConfirmedAt: null },
  ])
})

import { expect, test, vi } from 'vitest'
import { browser } from '#test/browser.ts'
import { ada, sendEnquiry } from '#test/enquiries.ts'
import { startHosted } from '#test/hosted.ts'

const { service, app, db, forgetLimits } = await startHosted({
  project: { MAILER_AUTOCONFIRM: 'true' },
  product: { OWNER_EMAIL: ada.email },
})

test('an address that the service confirmed without asking proves nothing: it claims no ownership and reads no enquiries', async () => {
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
  const founded = await from.send({ method: 'POST', url: '/api/organizations', payload: { name: 'Acme Retail' } })
  expect([founded.statusCode, founded.json().code]).toEqual([403, 'address_not_proven'])
})

test('an account that the service confirmed without asking stays unproven when the service asks later, and a proven one stays proven', async () => {
  const now = performance.now.bind(performance)
  let later = 0
  vi.spyOn(performance, 'now').mockImplementation(() => now() + later)
  /** Changes the setting, and moves the clock past the minute for which settings are cached. */
  const confirmsUnasked = (unasked: boolean) => {
    Object.assign(service.env, { MAILER_AUTOCONFIRM: unasked })
    later += 61_000
  }
  const password = 'correct horse'
  const accountOf = (email: string) =>
    db.selectFrom('hostedAccounts').select(['role', 'emailConfirmedAt']).where('email', '=', email).executeTakeFirst()
  const signIn = async (email: string) => {
    await Promise.all([forgetLimits(), service.forgetLimits()])
    const from = browser(app)
    expect((await from.post('/login', { form: 'sign-in', email, password })).headers.location).toBe('/dashboard')
    return from
  }

  confirmsUnasked(false)
  const stranger = await signIn(ada.email)
  expect(await accountOf(ada.email)).toEqual({ role: 'customer', emailConfirmedAt: null })
  expect((await stranger.send({ url: '/api/me/enquiries' })).json()).toEqual([])

  const email = 'proven@example.com'
  await Promise.all([forgetLimits(), service.forgetLimits()])
  const fields = { form: 'sign-up', firstName: 'Bo', lastName: 'Berg', email, password, confirmPassword: password }
  expect((await browser(app).post('/login?mode=sign-up', fields)).headers.location).toBe('/login?notice=check-email')
  const { link } = await service.secretsOf(email, 'confirm-address')
  await browser(app).post(`/login/confirm?token_hash=${link}`, { token_hash: link })
  await signIn(email)
  const proven = await accountOf(email)
  expect(proven?.emailConfirmedAt).toEqual(expect.any(Date))

  confirmsUnasked(true)
  await signIn(email)
  expect(await accountOf(email)).toEqual(proven)
  vi.restoreAllMocks()
})

import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

const provider = await vi.hoisted(async () => {
  const { CLIENT, SECRET, startProvider } = await import('#test/provider-server.ts')
  const started = await startProvider()
  const settings = { ENABLED: 'true', CLIENT_ID: CLIENT, SECRET, URL: `${started.base}/keycloak` }
  for (const [key, value] of Object.entries(settings)) process.env[`EXTERNAL_KEYCLOAK_${key}`] = value
  return started
})

import { db, insert } from '#app/platform/database/db.server.ts'
import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { ACCESS_COOKIE, REFRESH_COOKIE, SIGN_UP_COOKIE } from '#app/platform/http/session-cookie.server.ts'
import { startApp } from '#test/app.ts'
import { forgetLimits, PASSWORD, signUpAndConfirm, someEmail } from '#test/auth.ts'
import { browser } from '#test/browser.ts'
import { secretsOf, secretsSoon } from '#test/emails.ts'
import { signIn as signInAs } from '#test/factories.ts'

const app = await startApp()
startJobs()
beforeEach(forgetLimits)
afterEach(() => vi.useRealTimers())
afterAll(async () => {
  await stopJobs()
  await provider.close()
})

type Browser = ReturnType<typeof browser>

const CONFIRMED = 'Your address is confirmed. You can sign in now.'

async function signUp(from: Browser, email = someEmail()) {
  const fields = { form: 'sign-up', firstName: 'Ada', lastName: 'Lovelace', email, password: PASSWORD, confirmPassword: PASSWORD }
  expect((await from.post('/login?mode=sign-up', fields)).headers.location).toBe('/login?notice=check-email')
  return { email, ...(await secretsOf(email, 'confirm-address')) }
}

const follow = (from: Browser, link: string) => from.post(`/login/confirm?token_hash=${link}&type=signup`, { token_hash: link })
const isSignedIn = async (from: Browser) => (await from.send({ url: '/dashboard' })).statusCode === 200
const isConfirmed = async (email: string) => {
  const user = await db.selectFrom('users').select('emailConfirmedAt').where('email', '=', email).executeTakeFirstOrThrow()
  return user.emailConfirmedAt !== null
}

const OWN = 'the reader’s own password'

/** The link confirms nothing by itself: its page asks for a password, which is then the only one. No session opens. */
async function expectAsksPassword(from: Browser, { email, link }: { email: string; link: string }) {
  expect((await from.send({ url: `/login/confirm?token_hash=${link}&type=signup` })).body).toContain('Confirm New Password')
  const { location = '' } = (await follow(from, link)).headers
  expect(location).toBe(`/login/new-password?token_hash=${link}&type=signup`)
  expect([from.cookies.has(ACCESS_COOKIE), await isConfirmed(email)]).toEqual([false, false])
  const chosen = await from.post(location, { token_hash: link, password: OWN, confirmPassword: OWN })
  expect(chosen.headers.location).toBe('/login?notice=new-password')
  expect([from.cookies.has(ACCESS_COOKIE), await isConfirmed(email)]).toEqual([false, true])
  const signIn = async (password: string) => (await browser(app).post('/login', { form: 'sign-in', email, password })).statusCode
  expect([await signIn(PASSWORD), await signIn(OWN)]).toEqual([422, 302])
}

describe('happy', () => {
  test('after signing up, the page names the address, sends the email again and changes the address', async () => {
    const from = browser(app)
    const { email } = await signUp(from)
    const { body } = await from.send({ url: '/login?notice=check-email' })
    expect(body).toContain('Please check your email to confirm your account.')
    expect(body).toContain(`We sent a link to <strong>${email}</strong>`)
    expect(body).toMatch(new RegExp(`<form[^>]*action="/login/confirm".*value="${email}".*Resend the email`, 's'))
    expect(body).toMatch(/href="\/login\?mode=sign-up"[^>]*>Change address/)
    expect(body).toMatch(new RegExp(`id="sign-in-email"[^>]*value="${email}"`))
    expect((await from.send({ url: '/login?mode=sign-up' })).body).toMatch(new RegExp(`id="sign-up-email"[^>]*value="${email}"`))
    expect((await from.send({ url: '/login/confirm' })).body).toContain(`value="${email}"`)
  })

  test('the link signs in the browser that signed up, which then forgets its sign-up', async () => {
    const from = browser(app)
    const { link } = await signUp(from)
    expect((await follow(from, link)).headers.location).toBe('/dashboard')
    expect([...from.cookies.keys()]).toEqual([ACCESS_COOKIE, REFRESH_COOKIE])
    expect(await isSignedIn(from)).toBe(true)
  })

  test('so does the link of an email that this browser has sent again, and that of a sign-up by script', async () => {
    const again = browser(app)
    const { email } = await signUp(again)
    await forgetLimits()
    await again.post('/login/confirm', { email })
    expect((await follow(again, (await secretsSoon(email, 'confirm-address', 2)).link)).headers.location).toBe('/dashboard')

    const live = browser(app)
    const other = someEmail()
    await live.send({ method: 'POST', url: '/auth/v1/signup', payload: { email: other, password: PASSWORD } })
    expect((await follow(live, (await secretsOf(other, 'confirm-address')).link)).headers.location).toBe('/dashboard')
  })

  test('the link leads to the page that the visitor was on the way to, such as one to buy', async () => {
    const from = browser(app)
    const fields = { form: 'sign-up', firstName: 'Ada', lastName: 'Lovelace', password: PASSWORD, confirmPassword: PASSWORD }
    const email = someEmail()
    const next = '/data-marketplace/prices/buy'
    const waiting = (await from.post(`/login?mode=sign-up&next=${encodeURIComponent(next)}`, { ...fields, email })).headers.location
    // As the live page loads it.
    expect((await from.send({ url: String(waiting).replace('/login', '/login.data') })).statusCode).toBe(200)
    const { link } = await secretsOf(email, 'confirm-address')
    expect((await follow(from, link)).headers.location).toBe(next)
    expect([...from.cookies.keys()]).toEqual([ACCESS_COOKIE, REFRESH_COOKIE])
  })

  test('so does the link that confirms an address which a provider has not proven', async () => {
    const [from, email, next] = [browser(app), someEmail(), '/data-marketplace/prices/buy']
    provider.state.person = { sub: email, name: 'Ada Lovelace', email, email_verified: false }
    const back = `http://localhost:3000/login/return?${new URLSearchParams({ next })}`
    const key = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 's256' }
    const begun = await from.send({ url: `/auth/v1/authorize?${new URLSearchParams({ provider: 'keycloak', redirect_to: back, ...key })}` })
    const answered = await fetch(String(begun.headers.location), { redirect: 'manual' })
    const { pathname, search } = new URL(answered.headers.get('location') ?? '')
    const returned = new URL(String((await from.send({ url: pathname + search })).headers.location))
    expect([returned.pathname, returned.searchParams.get('error_code')]).toEqual(['/login/return', 'provider_email_needs_verification'])
    expect((await from.send({ url: returned.pathname + returned.search })).body).toContain('Confirm your address first.')
    const { link } = await secretsSoon(email, 'confirm-address')
    expect((await follow(from, link)).headers.location).toBe(next)
  })

  test.each(['//evil.example', '/\\\\evil.example', 'https://evil.example', `/data-marketplace?q=${'a'.repeat(5000)}`])(
    'a page of another site, or one too long for a cookie, is not where the link leads: %s',
    async (next) => {
      const from = browser(app)
      const fields = { form: 'sign-up', firstName: 'Ada', lastName: 'Lovelace', password: PASSWORD, confirmPassword: PASSWORD }
      const email = someEmail()
      await from.post(`/login?mode=sign-up&next=${encodeURIComponent(next)}`, { ...fields, email })
      await from.send({ url: `/login?notice=check-email&next=${encodeURIComponent(next)}` })
      const { link } = await secretsOf(email, 'confirm-address')
      expect((await follow(from, link)).headers.location).toBe('/dashboard')
    },
  )

  test('another browser asks for a password, and finds the address in the sign-in form', async () => {
    const signedUp = await signUp(browser(app))
    const phone = browser(app)
    await expectAsksPassword(phone, signedUp)
    const { body } = await phone.send({ url: '/login?notice=new-password' })
    expect(body).toMatch(new RegExp(`id="sign-in-email"[^>]*value="${signedUp.email}"`))
    const fields = { form: 'sign-in', email: signedUp.email, password: OWN }
    expect((await phone.post('/login', fields)).headers.location).toBe('/dashboard')
    expect(phone.cookies.has(SIGN_UP_COOKIE)).toBe(false)
  })

  test('another browser asks for the name as well, since that of the sign-up is not taken over, and keeps what the reader gives', async () => {
    const { email, link } = await signUp(browser(app))
    const phone = browser(app)
    const page = `/login/new-password?token_hash=${link}&type=signup`
    const { body } = await phone.send({ url: page })
    expect(body).toContain('name="firstName"')
    expect(body).not.toContain('Lovelace')
    const given = { token_hash: link, firstName: ' Grace ', lastName: 'Hopper', password: OWN }
    const wrong = await phone.post(page, { ...given, confirmPassword: 'other' })
    expect([wrong.statusCode, wrong.body]).toEqual([422, expect.stringContaining('value="Hopper"')])
    await phone.post(page, { ...given, confirmPassword: OWN })
    const user = await db.selectFrom('users').select('userMetadata').where('email', '=', email).executeTakeFirstOrThrow()
    expect(user.userMetadata).toMatchObject({ first_name: 'Grace', last_name: 'Hopper', email_verified: true })
  })

  test('an invited colleague chooses a password as long as staff need, and gives a name', async () => {
    const { headers } = await signInAs('owner')
    const email = someEmail()
    await app.inject({ method: 'POST', url: '/api/admin/users/invite', headers, payload: { email, role: 'staff' } })
    const { link } = await secretsSoon(email, 'invite')
    const [from, page] = [browser(app), `/login/new-password?token_hash=${link}&type=invite`]
    expect((await from.send({ url: page })).body).toContain('At least 12 characters')
    const choose = async (password: string) =>
      from.post(page, { token_hash: link, firstName: 'Bea', lastName: 'Bon', password, confirmPassword: password })
    expect([(await choose('short1')).statusCode, await isConfirmed(email)]).toEqual([422, false])
    expect((await choose(OWN)).headers.location).toBe('/login?notice=new-password')
    const user = await db.selectFrom('users').select(['appMetadata', 'userMetadata']).where('email', '=', email).executeTakeFirstOrThrow()
    expect(user).toMatchObject({ appMetadata: { role: 'staff' }, userMetadata: { first_name: 'Bea' } })
  })

  test('who recovers the password of an account with a name is not asked for it, and cannot change it by that form', async () => {
    const { email } = await signUpAndConfirm(app)
    await forgetLimits()
    const from = browser(app)
    await from.post('/login/forgot-password', { email })
    const { link } = await secretsSoon(email, 'reset-password')
    expect((await from.send({ url: `/login/new-password?token_hash=${link}` })).body).not.toContain('name="firstName"')
    const before = await db.selectFrom('users').select('userMetadata').where('email', '=', email).executeTakeFirstOrThrow()
    await from.post('/login/new-password', { token_hash: link, firstName: 'Eve', lastName: 'E', password: OWN, confirmPassword: OWN })
    expect(await db.selectFrom('users').select('userMetadata').where('email', '=', email).executeTakeFirstOrThrow()).toEqual(before)
  })

  test('the code of a sign-up continues it in its own browser; in another one it asks for a password', async () => {
    const enter = (from: Browser, email: string, code: string) => from.post('/login/code', { form: 'code', email, code })
    const here = browser(app)
    const mine = await signUp(here)
    expect((await enter(here, mine.email, mine.code)).headers.location).toBe('/dashboard')
    expect((await browser(app).post('/login', { form: 'sign-in', email: mine.email, password: PASSWORD })).statusCode).toBe(302)

    const [phone, other] = [browser(app), await signUp(browser(app))]
    const { location = '' } = (await enter(phone, other.email, other.code)).headers
    expect(location).toMatch(/^\/login\/new-password\?token_hash=/)
    expect([phone.cookies.has(ACCESS_COOKIE), await isConfirmed(other.email)]).toEqual([false, false])
    const link = new URLSearchParams(location.split('?')[1]).get('token_hash') ?? ''
    await phone.post(location, { token_hash: link, password: OWN, confirmPassword: OWN })
    const signIn = async (password: string) =>
      (await browser(app).post('/login', { form: 'sign-in', email: other.email, password })).statusCode
    expect([await signIn(PASSWORD), await signIn(OWN)]).toEqual([422, 302])
  })

  test('who signs in before confirming is told to confirm first, with the password of the sign-up only, and can send the email again', async () => {
    const from = browser(app)
    const { email } = await signUp(from)
    const early = await from.post('/login', { form: 'sign-in', email, password: PASSWORD })
    expect([early.statusCode, early.body]).toEqual([422, expect.stringContaining('Confirm your email address first')])
    expect(early.body).toMatch(new RegExp(`action="/login/confirm".*value="${email}".*Resend the email`, 's'))
    const wrong = await from.post('/login', { form: 'sign-in', email, password: 'another horse' })
    expect(wrong.body).toContain('Invalid login credentials')
    expect(wrong.body).not.toContain('Confirm your email address first')
  })
})

describe('error', () => {
  test('a link works once, also in its own browser', async () => {
    const from = browser(app)
    const { link } = await signUp(from)
    const before = new Map(from.cookies)
    await follow(from, link)
    const copy = browser(app)
    before.forEach((value, name) => copy.cookies.set(name, value))
    const replayed = await follow(copy, link)
    expect(replayed.statusCode).toBe(422)
    expect(replayed.body).toContain('This link no longer works')
    expect(copy.cookies.has(ACCESS_COOKIE)).toBe(false)
  })

  test('an expired link neither confirms nor signs in', async () => {
    const from = browser(app)
    const { email, link } = await signUp(from)
    const twoHoursAgo = new Date(Date.now() - 2 * 3_600_000)
    await db.updateTable('oneTimeTokens').set({ issuedAt: twoHoursAgo }).where('sentTo', '=', email).execute()
    expect((await follow(from, link)).statusCode).toBe(422)
    expect([from.cookies.has(ACCESS_COOKIE), await isConfirmed(email)]).toEqual([false, false])
  })
})

describe('security', () => {
  test('the cookie is for the server only, and names neither the address nor the key of the sign-up', async () => {
    const from = browser(app)
    const { email } = await signUp(from)
    expect(from.setCookies.at(-1)).toMatch(/^winnow-sign-up=[\w-]+; Max-Age=86400; Path=\/; HttpOnly; SameSite=Lax$/)
    const { signUp: stored } = await db.selectFrom('oneTimeTokens').select('signUp').where('sentTo', '=', email).executeTakeFirstOrThrow()
    const open = Buffer.from(from.cookies.get(SIGN_UP_COOKIE) ?? '', 'base64url').toString('latin1')
    for (const secret of [email, stored]) expect(open).not.toContain(secret)
  })

  test('a stolen cookie without the link opens nothing', async () => {
    const victim = browser(app)
    const signedUp = await signUp(victim)
    const thief = browser(app)
    thief.cookies.set(SIGN_UP_COOKIE, victim.cookies.get(SIGN_UP_COOKIE) ?? '')
    expect(await isSignedIn(thief)).toBe(false)
    for (const guess of ['', 'A'.repeat(43), victim.cookies.get(SIGN_UP_COOKIE) ?? '']) {
      expect((await follow(thief, guess)).statusCode).toBe(422)
    }
    await follow(victim, signedUp.link)
    expect([await isSignedIn(victim), await isSignedIn(thief)]).toEqual([true, false])
  })

  test('a stranger who signs up with a person’s address is not signed in when that person confirms', async () => {
    const stranger = browser(app)
    const signedUp = await signUp(stranger)
    const person = browser(app)
    await expectAsksPassword(person, signedUp)
    expect(await isSignedIn(stranger)).toBe(false)
    expect((await follow(stranger, signedUp.link)).statusCode).toBe(422)
  })

  test('a person who also signed up follows the stranger’s email: nobody is signed in by it', async () => {
    const [stranger, person] = [browser(app), browser(app)]
    const theirs = await signUp(stranger)
    await forgetLimits()
    await signUp(person, theirs.email)
    await expectAsksPassword(person, theirs)
    expect([await isSignedIn(person), await isSignedIn(stranger)]).toEqual([false, false])
  })

  test('an attacker’s own link does not sign another person in to the attacker’s account', async () => {
    const attacker = await signUp(browser(app))
    const person = browser(app)
    const own = await signUp(person)
    await expectAsksPassword(person, attacker)
    expect(await isConfirmed(own.email)).toBe(false)
  })

  test('another site can neither start a sign-up in this browser nor press its button', async () => {
    const person = browser(app)
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', 'content-type': 'application/x-www-form-urlencoded' }
    const send = (url: string, fields: Record<string, string>) =>
      person.send({ method: 'POST', url, headers: foreign, payload: new URLSearchParams(fields).toString() })
    const fields = { form: 'sign-up', firstName: 'Eve', lastName: 'E', email: someEmail(), password: PASSWORD, confirmPassword: PASSWORD }
    expect((await send('/login?mode=sign-up', fields)).statusCode).toBe(403)
    expect([...person.cookies.keys()]).toEqual([])
    const { email, link } = await signUp(person)
    expect((await send('/login/confirm', { token_hash: link })).statusCode).toBe(403)
    expect([person.cookies.has(ACCESS_COOKIE), await isConfirmed(email)]).toEqual([false, false])
  })

  test('an altered cookie, and one older than a day, only confirm', async () => {
    const altered = browser(app)
    const first = await signUp(altered)
    const value = altered.cookies.get(SIGN_UP_COOKIE) ?? ''
    altered.cookies.set(SIGN_UP_COOKIE, value.slice(0, -2) + (value.endsWith('AA') ? 'BB' : 'AA'))
    await expectAsksPassword(altered, first)

    const old = browser(app)
    const second = await signUp(old)
    vi.useFakeTimers({ now: Date.now() + 25 * 3_600_000, toFake: ['Date'] })
    await db.updateTable('oneTimeTokens').set({ issuedAt: new Date() }).where('sentTo', '=', second.email).execute()
    await expectAsksPassword(old, second)
    expect([await isSignedIn(altered), await isSignedIn(old)]).toEqual([false, false])
  })

  test('who is signed in stays signed in: the link of another account confirms it, and the page says whose session this is', async () => {
    const from = browser(app)
    const someone = await signUpAndConfirm(app)
    const signedUp = await signUp(from)
    const cookie = from.cookies.get(SIGN_UP_COOKIE) ?? ''
    await from.post('/login', { form: 'sign-in', email: someone.email, password: PASSWORD })
    expect(from.cookies.has(SIGN_UP_COOKIE)).toBe(false)
    from.cookies.set(SIGN_UP_COOKIE, cookie)
    const access = from.cookies.get(ACCESS_COOKIE)

    const { statusCode, body } = await follow(from, signedUp.link)
    expect(statusCode).toBe(200)
    expect(body).toContain(CONFIRMED)
    expect(body).toContain(`This browser is signed in as <!-- -->${someone.email}`)
    expect(from.cookies.get(ACCESS_COOKIE)).toBe(access)
    expect(await isConfirmed(signedUp.email)).toBe(true)
    expect((await from.send({ url: '/dashboard' })).body).toContain(someone.email)
  })

  test('a pending second factor is still asked for', async () => {
    const from = browser(app)
    const { email, link } = await signUp(from)
    const proven = { phone: '15555550142', phoneConfirmedAt: new Date() }
    const { id } = await db.updateTable('users').set(proven).where('email', '=', email).returning('id').executeTakeFirstOrThrow()
    await insert(db, 'mfaFactors', { userId: id, factorType: 'phone', phone: proven.phone, status: 'verified' })
    await follow(from, link)
    expect((await from.send({ url: '/dashboard' })).headers.location).toBe('/login/second-step?next=%2Fdashboard')
  })

  test('a ban holds', async () => {
    const from = browser(app)
    const { email, link } = await signUp(from)
    const tomorrow = new Date(Date.now() + 86_400_000)
    await db.updateTable('users').set({ bannedUntil: tomorrow }).where('email', '=', email).execute()
    expect((await follow(from, link)).statusCode).toBe(422)
    expect(from.cookies.has(ACCESS_COOKIE)).toBe(false)
  })
})

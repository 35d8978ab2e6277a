import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { db } from '#app/platform/database/db.server.ts'
import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { ACCESS_COOKIE, REFRESH_COOKIE } from '#app/platform/http/session-cookie.server.ts'
import { startApp } from '#test/app.ts'
import { forgetLimits, PASSWORD, signUpAndConfirm, someEmail } from '#test/auth.ts'
import { browser } from '#test/browser.ts'
import { emailsTo, secretsOf } from '#test/emails.ts'
import { makeOwner } from '#test/factories.ts'
import { eventually } from '#test/eventually.ts'

const app = await startApp()
startJobs()
beforeEach(forgetLimits)
afterAll(() => stopJobs())

const signUpFields = (email: string) => ({
  form: 'sign-up',
  firstName: 'Ada',
  lastName: 'Lovelace',
  email,
  password: PASSWORD,
  confirmPassword: PASSWORD,
})
const signInFields = (email: string, password = PASSWORD) => ({ form: 'sign-in', email, password })

async function signedIn() {
  const { email } = await signUpAndConfirm(app)
  const from = browser(app)
  await from.post('/login', signInFields(email))
  return { email, from }
}

async function resetLink(email: string) {
  const from = browser(app)
  expect((await from.post('/login/forgot-password', { email })).body).toContain('on its way')
  await eventually(async () => expect((await emailsTo(email)).at(-1)?.kind).toBe('reset-password'))
  const { link } = await secretsOf(email, 'reset-password')
  return { from, link, url: `/login/new-password?token_hash=${link}&type=recovery` }
}

describe('happy', () => {
  test('on a development machine, the page that sends people to their mailbox links to the local inbox', async () => {
    const from = browser(app)
    const pages = [
      await from.send({ url: '/login?notice=check-email' }),
      await from.post('/login/forgot-password', { email: someEmail() }),
      await from.post('/login/confirm', { email: someEmail() }),
    ]
    for (const { body } of pages) expect(body).toContain('href="/dev/mail"')
    expect((await from.send({ url: '/login' })).body).not.toContain('/dev/mail')
    // Requests from other machines may not read the emails.
    const afar = await app.inject({
      url: '/login?notice=check-email',
      headers: { host: 'localhost:3000', 'x-forwarded-for': '203.0.113.9' },
    })
    expect(afar.body).not.toContain('/dev/mail')
  })

  test('the first account’s form says that it will own the installation, and shows its password requirements', async () => {
    const ask = async () => (await browser(app).send({ url: '/login?mode=sign-up' })).body
    await db.updateTable('installation').set({ ownerId: null }).execute()
    expect(await ask()).toMatch(/Create the owner account.*At least 6 characters\. We recommend 12\+ for the owner\./s)
    await signUpAndConfirm(app)
    expect(await ask()).not.toContain('Create the owner account')
    expect(await ask()).toContain('At least 6 characters; longer is better.')
  })

  test('a common password is refused at its field, in a sign-up, after a reset and on the security page', async () => {
    const common = 'This is one of the most common passwords. Please choose another one.'
    const chosen = { password: '123qweasdzxc', confirmPassword: '123qweasdzxc' }
    const signUp = await browser(app).post('/login?mode=sign-up', { ...signUpFields(someEmail()), ...chosen })
    const { email } = await signUpAndConfirm(app)
    const { from, link, url } = await resetLink(email)
    const reset = await from.post(url, { token_hash: link, ...chosen })
    for (const { statusCode, body } of [signUp, reset]) {
      expect([statusCode, body.match(/data-error="(\w+)"/)?.[1], body.includes(common)]).toEqual([422, 'password', true])
    }
  })

  test('the page to sign in describes itself to those who share its address', async () => {
    expect((await browser(app).send({ url: '/login' })).body).toMatch(/<meta name="description" content="Sign in to [^"]{20,}"/)
  })

  test('without script: sign up, confirm by the mailed link, see the dashboard; sign in on another device', async () => {
    const email = someEmail()
    const from = browser(app)
    const signedUp = await from.post('/login?mode=sign-up', signUpFields(email))
    expect([signedUp.statusCode, signedUp.headers.location]).toEqual([302, '/login?notice=check-email'])
    expect((await from.send({ url: '/login?notice=check-email' })).body).toContain('Please check your email to confirm your account.')

    const { link } = await secretsOf(email, 'confirm-address')
    const url = `/login/confirm?token_hash=${link}&type=signup`
    const page = await from.send({ url })
    expect(page.body).toContain('Confirm this address')
    expect(page.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'same-origin' })
    const confirmed = await from.post(url, { token_hash: link })
    expect([confirmed.statusCode, confirmed.headers.location]).toEqual([302, '/dashboard'])
    expect([...from.cookies.keys()]).toEqual([ACCESS_COOKIE, REFRESH_COOKIE])
    expect((await from.send({ url: '/dashboard' })).statusCode).toBe(200)

    const elsewhere = browser(app)
    const done = await elsewhere.post('/login', signInFields(email))
    expect([done.statusCode, done.headers.location]).toEqual([302, '/dashboard'])
  })

  test('the card is Welcome Back or Create Account', async () => {
    const from = browser(app)
    expect((await from.send({ url: '/login?mode=sign-in' })).body).toMatch(/<h1[^>]*>Welcome Back<\/h1>/)
    expect((await from.send({ url: '/login?mode=sign-up' })).body).toMatch(/<h1[^>]*>Create Account<\/h1>/)
  })

  test('while there is no owner, /login opens the sign-up form, and a refused sign-in stays a sign-in', async () => {
    await db.updateTable('installation').set({ ownerId: null }).execute()
    const title = async (url: string) => /<h1[^>]*>([^<]+)/.exec((await browser(app).send({ url })).body)?.[1]
    expect([await title('/login'), await title('/login?next=/dashboard')]).toEqual(['Create Account', 'Create Account'])
    expect([await title('/login?notice=check-email'), await title('/login?mode=sign-in')]).toEqual(['Welcome Back', 'Welcome Back'])
    const refused = await browser(app).post('/login', signInFields(someEmail()))
    expect([refused.statusCode, /<h1[^>]*>([^<]+)/.exec(refused.body)?.[1]]).toEqual([422, 'Welcome Back'])
    const here = browser(app)
    await here.post('/login', signUpFields(someEmail()))
    expect((await here.send({ url: '/login' })).body).toContain('Welcome Back')
    await makeOwner()
    expect(await title('/login')).toBe('Welcome Back')
  })

  test('each of the three password fields can be shown', async () => {
    const from = browser(app)
    const bodies = [(await from.send({ url: '/login?mode=sign-in' })).body, (await from.send({ url: '/login?mode=sign-up' })).body]
    const toggles = bodies.map((body) => [...body.matchAll(/aria-label="(Show [^"]+)"/g)].map(([, label]) => label))
    expect(toggles).toEqual([['Show password'], ['Show password', 'Show confirm password']])
  })

  test('after signing in, the target page opens, and the sign-in page is skipped', async () => {
    const { email } = await signUpAndConfirm(app)
    const from = browser(app)
    const guard = await from.send({ url: '/dashboard?tab=consultations' })
    expect(guard.headers.location).toBe(`/login?next=${encodeURIComponent('/dashboard?tab=consultations')}`)
    const done = await from.post(guard.headers.location?.toString() ?? '', signInFields(email))
    expect(done.headers.location).toBe('/dashboard?tab=consultations')
    expect((await from.send({ url: '/login' })).headers.location).toBe('/dashboard')
  })

  test('a forgotten password is replaced by the emailed link, without JavaScript', async () => {
    const { email } = await signUpAndConfirm(app)
    const { from, link, url } = await resetLink(email)
    expect((await from.send({ url })).body).toContain('Choose a new password')
    const fields = { token_hash: link, password: 'another horse', confirmPassword: 'another horse' }
    const saved = await from.post(url, fields)
    expect([saved.statusCode, saved.headers.location]).toEqual([302, '/login?notice=new-password'])
    expect((await from.post('/login', signInFields(email, 'another horse'))).headers.location).toBe('/dashboard')
    expect((await emailsTo(email)).map(({ kind }) => kind)).toContain('password-changed')
    expect((await from.post(url, fields)).statusCode).toBe(422)
  })

  test('the confirmation email can be requested again', async () => {
    const email = someEmail()
    const from = browser(app)
    await from.post('/login?mode=sign-up', signUpFields(email))
    await forgetLimits()
    expect((await from.post('/login/confirm', { email })).body).toContain('on its way')
    await eventually(async () => expect(await emailsTo(email)).toHaveLength(2))
  })

  test('/api/login leads to the sign-in page, and on to a path of this site', async () => {
    const from = browser(app)
    const cases = [
      ['/api/login', '/login'],
      ['/api/login?next=/admin/blog', '/login?next=%2Fadmin%2Fblog'],
      ['/api/login?notice=ended&next=/admin/blog', '/login?next=%2Fadmin%2Fblog&notice=ended'],
      ['/api/login?notice=mine', '/login'],
      ['/api/login?next=//evil.example', '/login'],
      ['/api/login?next=https://evil.example', '/login'],
    ] as const
    for (const [url, location] of cases) {
      const { statusCode, headers } = await from.send({ url })
      expect([statusCode, headers.location]).toEqual([302, location])
    }
  })

  test('/api/logout signs out immediately and leads home, as a link of our pages and as a form', async () => {
    for (const method of ['GET', 'POST'] as const) {
      const { from } = await signedIn()
      const before = Object.fromEntries(from.cookies)
      const reply = await from.send({ method, url: '/api/logout' })
      // After a form the browser must load the next page with GET.
      expect([reply.statusCode, reply.headers.location]).toEqual([method === 'GET' ? 302 : 303, '/'])
      expect([...from.cookies.keys()]).toEqual([])
      expect((await app.inject({ url: '/api/contacts', cookies: before })).statusCode).toBe(401)
    }
  })
})

describe('error', () => {
  test('errors are shown at their fields, typed values stay, and passwords are not sent back', async () => {
    const from = browser(app)
    const reply = await from.post('/login?mode=sign-up', {
      ...signUpFields('ada'),
      firstName: '',
      confirmPassword: 'another horse',
    })
    expect(reply.statusCode).toBe(422)
    for (const sentence of ['First name is required', 'Please enter a valid email address', 'Passwords don&#x27;t match']) {
      expect(reply.body).toContain(sentence)
    }
    expect(reply.body).toContain('value="Lovelace"')
    expect(reply.body).not.toContain(PASSWORD)
  })

  test('a refused sign-in carries the words of the service', async () => {
    const from = browser(app)
    const signIn = await from.post('/login', signInFields(someEmail()))
    expect(signIn.statusCode).toBe(422)
    expect(signIn.body).toContain('Sign In Failed')
    expect(signIn.body).toContain('Invalid login credentials')
    const signUp = await from.post('/login?mode=sign-up', {
      ...signUpFields(someEmail()),
      password: 'password',
      confirmPassword: 'password',
    })
    expect(signUp.body).toContain('Sign Up Failed')
    expect(signUp.body).toContain('most common')
  })

  test('every failed sign-in offers the confirmation email again, in the same words for everybody', async () => {
    const signedUp = someEmail()
    await browser(app).post('/login?mode=sign-up', signUpFields(signedUp))
    const { email: confirmed } = await signUpAndConfirm(app)
    const pageFor = async (email: string, password: string) => {
      await forgetLimits()
      const { statusCode, body } = await browser(app).post('/login', signInFields(email, password))
      const said = body.slice(body.indexOf('<main'), body.indexOf('</main>')).replaceAll(email, '<address>')
      return { statusCode, said }
    }
    const page = await pageFor(signedUp, 'a wrong horse')
    expect(page.statusCode).toBe(422)
    expect(page.said).toMatch(/Just signed up\? Confirm your email address before you sign in\..*href="\/login\/confirm"/s)
    expect(page.said).toContain('Resend the confirmation email')
    expect(await pageFor(confirmed, 'a wrong horse')).toEqual(page)
    expect(await pageFor(someEmail(), 'a wrong horse')).toEqual(page)
    expect((await browser(app).send({ url: '/login?mode=sign-in' })).body).not.toContain('Just signed up?')
  })

  test('with the password of an open sign-up, the page says to confirm first, whether or not the address already has an account', async () => {
    const { email: confirmed } = await signUpAndConfirm(app)
    const pages = []
    for (const email of [someEmail(), confirmed]) {
      await forgetLimits()
      const fields = { ...signUpFields(email), password: 'an open horse', confirmPassword: 'an open horse' }
      await browser(app).post('/login?mode=sign-up', fields)
      const { statusCode, body } = await browser(app).post('/login', signInFields(email, 'an open horse'))
      pages.push({ statusCode, said: body.slice(body.indexOf('<main'), body.indexOf('</main>')).replaceAll(email, '<address>') })
    }
    expect(pages[0]?.said).toContain('Confirm your email address first')
    expect(pages[1]).toEqual(pages[0])
    expect((await browser(app).post('/login', signInFields(confirmed))).statusCode).toBe(302)
  })

  test('a link that no longer works says so and offers another', async () => {
    const from = browser(app)
    for (const page of ['confirm', 'new-password']) {
      const reply = await from.send({ url: `/login/${page}?token_hash=${'A'.repeat(43)}` })
      expect(reply.statusCode).toBe(200)
      expect(reply.body).toContain('This link no longer works')
    }
  })

  test('a new password that is refused does not use the link up', async () => {
    const { email } = await signUpAndConfirm(app)
    const { from, link, url } = await resetLink(email)
    const weak = await from.post(url, { token_hash: link, password: 'password', confirmPassword: 'password' })
    expect(weak.statusCode).toBe(422)
    expect(weak.body).toContain('most common')
    const good = { token_hash: link, password: 'another horse', confirmPassword: 'another horse' }
    expect((await from.post(url, good)).statusCode).toBe(302)
  })
})

describe('security', () => {
  test('a link from another site, a prefetch or a HEAD request does not sign out', async () => {
    const { from } = await signedIn()
    const harmless: { method?: 'HEAD'; headers: Record<string, string> }[] = [
      { headers: { 'sec-fetch-site': 'cross-site' } },
      { headers: { 'sec-fetch-site': 'same-site' } },
      { headers: { 'sec-fetch-site': '' } },
      { headers: { 'sec-purpose': 'prefetch' } },
      { headers: { 'sec-purpose': 'prefetch;prerender' } },
      { method: 'HEAD', headers: {} },
    ]
    for (const request of harmless) {
      const reply = await from.send({ url: '/api/logout', ...request })
      expect(reply.headers.location).toBe('/login/sign-out')
    }
    expect((await from.send({ url: '/dashboard' })).statusCode).toBe(200)
    expect((await from.send({ url: '/login/sign-out' })).body).toMatch(/<form[^>]*action="\/api\/logout"/)
  })

  test('an image, a frame or a script with the sign-out link does not sign out', async () => {
    const { from } = await signedIn()
    const loads: [dest: string, mode: string][] = [
      ['image', 'no-cors'],
      ['iframe', 'navigate'],
      ['script', 'no-cors'],
      ['style', 'no-cors'],
      ['empty', 'cors'],
      ['', ''],
    ]
    for (const [dest, mode] of loads) {
      const reply = await from.send({ url: '/api/logout', headers: { 'sec-fetch-dest': dest, 'sec-fetch-mode': mode } })
      expect([dest, reply.statusCode, reply.headers.location]).toEqual([dest, 302, '/login/sign-out'])
    }
    expect((await from.send({ url: '/dashboard' })).statusCode).toBe(200)
  })

  test('a foreign page can neither sign someone in nor out', async () => {
    const { email, from } = await signedIn()
    const cookies = Object.fromEntries(from.cookies)
    const headers = { origin: 'https://evil.example', 'content-type': 'application/x-www-form-urlencoded' }
    const login = await app.inject({ method: 'POST', url: '/login', headers, payload: String(new URLSearchParams(signInFields(email))) })
    expect(login.statusCode).toBe(403)
    expect(login.headers['set-cookie']).toBeUndefined()
    expect((await app.inject({ method: 'POST', url: '/api/logout', headers, cookies, payload: '' })).statusCode).toBe(403)
    expect((await from.send({ url: '/dashboard' })).statusCode).toBe(200)
  })

  test('the pages do not reveal whether an account exists', async () => {
    const { email } = await signUpAndConfirm(app)
    await forgetLimits()
    const pages = ['/login/forgot-password', '/login/confirm']
    for (const url of pages) {
      const [known, unknown] = [await browser(app).post(url, { email }), await browser(app).post(url, { email: someEmail() })]
      expect([known.statusCode, known.body]).toEqual([unknown.statusCode, unknown.body])
    }
    await forgetLimits()
    const signedUp = await browser(app).post('/login?mode=sign-up', signUpFields(email))
    expect(signedUp.headers.location).toBe('/login?notice=check-email')
  })

  test('the sign-in page shows only our own texts, whatever its URL contains', async () => {
    const reply = await browser(app).send({ url: '/login?notice=%3Cb%3EYou+won&next=//evil.example' })
    expect(reply.body).not.toContain('You won')
    expect(reply.body).not.toContain('<p role="status"')
    expect(reply.body).not.toContain('href="//evil')
  })

  test('a banned person loses the dashboard with the next click', async () => {
    const { email, from } = await signedIn()
    await db
      .updateTable('users')
      .set({ bannedUntil: new Date(Date.now() + 60_000) })
      .where('email', '=', email)
      .execute()
    expect((await from.send({ url: '/dashboard' })).headers.location).toBe('/login?next=%2Fdashboard')
  })
})

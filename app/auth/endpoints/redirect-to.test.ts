import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'

vi.hoisted(() => {
  process.env.URI_ALLOW_LIST =
    'https://app.example, https://*.shop.example/welcome/**, https://{www,m}.mall.example/{in,out/*}, https://v?.versions.example, winnow://signed-in, http://127.0.0.1:8080, http://[::1]:8080'
})

import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { readEmail } from '#app/mail/emails.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { ACCESS_COOKIE, REFRESH_COOKIE } from '#app/platform/http/session-cookie.server.ts'
import { startApp } from '#test/app.ts'
import { authClient, forgetLimits, PASSWORD, signUpAndConfirm, someEmail } from '#test/auth.ts'
import { browser } from '#test/browser.ts'
import { emailsTo } from '#test/emails.ts'
import { eventually } from '#test/eventually.ts'

const app = await startApp()
startJobs()
const call = authClient(app)
beforeEach(forgetLimits)
afterAll(() => stopJobs())

/** The link in the newest email. */
async function newestLink(): Promise<URL> {
  const { id } = await db.selectFrom('jobs').select('id').where('kind', '=', 'letter').orderBy('id', 'desc').executeTakeFirstOrThrow()
  const [, link = ''] = /(http:\/\/localhost:3000\/(?:login|auth\/v1)\/[^\s>]+)/.exec((await readEmail(id))?.text ?? '') ?? []
  return new URL(link)
}

async function linkOfSignUp(wish: string, headers: Record<string, string> = {}): Promise<URL> {
  expect((await call('POST', `/signup${wish}`, { email: someEmail(), password: PASSWORD }, headers)).statusCode).toBe(200)
  return newestLink()
}

const asking = (target: string) => `?redirect_to=${encodeURIComponent(target)}`

describe('happy', () => {
  test.each([
    ['https://app.example/any/page?a=b', 'https://app.example/any/page?a=b'],
    ['https://app.example', 'https://app.example/'],
    ['https://north.shop.example/welcome/de/home', 'https://north.shop.example/welcome/de/home'],
    ['https://m.mall.example/out/now', 'https://m.mall.example/out/now'],
    ['https://www.mall.example/in', 'https://www.mall.example/in'],
    ['https://v1.versions.example/x', 'https://v1.versions.example/x'],
    ['winnow://signed-in', 'winnow://signed-in'],
    ['http://127.0.0.1:8080/x', 'http://127.0.0.1:8080/x'],
    ['http://[::1]:8080/x', 'http://[::1]:8080/x'],
    ['http://localhost:3000/dashboard', 'http://localhost:3000/dashboard'],
    ['https://app.example/page#access_token=x', 'https://app.example/page'],
  ])('%s is an allowed target of an email', async (wish, target) => {
    const link = await linkOfSignUp(asking(wish))
    expect([link.origin, link.pathname, link.searchParams.get('redirect_to')]).toEqual(['http://localhost:3000', '/auth/v1/verify', target])
  })

  test('it may be named by a header, for a new email and for a forgotten password as well', async () => {
    expect((await linkOfSignUp('', { redirect_to: 'https://app.example/h' })).searchParams.get('redirect_to')).toBe('https://app.example/h')
    const { email } = await signUpAndConfirm(app)
    await call('POST', `/recover${asking('https://app.example/new')}`, { email })
    await eventually(async () => expect((await emailsTo(email)).at(-1)?.kind).toBe('reset-password'))
    const link = await newestLink()
    expect([link.pathname, link.searchParams.get('redirect_to')]).toEqual(['/auth/v1/verify', 'https://app.example/new'])
  })

  test('without `redirect_to`, emails lead to the program’s page that asked; our own pages have their own targets', async () => {
    const link = await linkOfSignUp('', { referer: 'https://app.example/join?step=2' })
    expect(link.searchParams.get('redirect_to')).toBe('https://app.example/join?step=2')
    for (const referer of ['http://localhost:3000/login', 'https://evil.example/']) {
      expect((await linkOfSignUp('', { referer })).pathname).toBe('/login/confirm')
    }
  })

  test('a confirmation continues by a click, because our form may lead nowhere else', async () => {
    const link = await linkOfSignUp('')
    const from = browser(app)
    const fields = { token_hash: link.searchParams.get('token_hash') ?? '' }
    const wish = `&redirect_to=${encodeURIComponent('https://app.example/started')}`
    // The sign-up of a program asks for a password on our own page.
    const { location = '' } = (await from.post(`${link.pathname}${link.search}${wish}`, fields)).headers
    const done = await from.post(location, { ...fields, password: PASSWORD, confirmPassword: PASSWORD })
    expect(done.statusCode).toBe(200)
    expect(done.body).toContain('Your password has been saved.')
    expect(done.body).toMatch(/<a href="https:\/\/app\.example\/started"[^>]*>Continue to <!-- -->app\.example<\/a>/)
    expect(done.body).not.toContain('access_token')
  })
})

describe('security', () => {
  test.each([
    'https://evil.example/',
    'http://app.example/',
    'https://app.example:8443/',
    'https://app.example.evil.example/',
    'https://app.example@evil.example/',
    'https://user:secret@app.example/',
    'https://evil.example/?https://app.example',
    'https://a.b.shop.example/welcome/x',
    'https://evil.example/.shop.example/welcome/x',
    'https://north.shop.example/other',
    'https://north.shop.example/welcome/../other',
    'https://wwwm.mall.example/in',
    'https://m.mall.example/in/out',
    'https://m.mall.example/in,out',
    'https://mall.example/in',
    'https://v12.versions.example/',
    'winnow://other',
    'http://127.0.0.1:9090/',
    'http://[::2]:8080/',
    'http://2130706433:9090/',
    'http://2130706433:8080/',
    'http://0x7f000001:8080/',
    'http://localhost:4000/',
    'javascript:alert(1)//app.example',
    'data:text/html,https://app.example',
    '//evil.example',
    '/dashboard',
    'https:\\\\evil.example',
    'https://app.example\\@evil.example',
    'https://app.example/\r\nset-cookie: a=b',
    `https://app.example/${'a'.repeat(3000)}`,
  ])('%s is ignored as a target, without an error', async (wish) => {
    const link = await linkOfSignUp(asking(wish))
    expect(link.searchParams.get('redirect_to')).toBeNull()
  })

  test('a changed email link of a program’s sign-up leads to our page that asks for a password, and opens no session', async () => {
    const own = await linkOfSignUp('')
    const changed = `${own.pathname}${own.search}&redirect_to=https://evil.example/`
    const ownToken = own.searchParams.get('token_hash') ?? ''
    const done = await browser(app).post(changed, { token_hash: ownToken })
    expect([done.statusCode, done.headers.location]).toEqual([302, `/login/new-password?token_hash=${ownToken}&type=signup`])

    const link = await linkOfSignUp(asking('https://app.example/'))
    const fields = { token: link.searchParams.get('token') ?? '', type: 'signup', redirect_to: 'https://evil.example/' }
    const pressed = await browser(app).post('/auth/v1/verify', fields)
    const asked = `http://localhost:3000/login/new-password?token_hash=${fields.token}&type=signup`
    expect([pressed.statusCode, pressed.headers.location]).toEqual([303, asked])
  })

  test('the link of a program’s PKCE flow that leads to our own pages asks for a password too, and a stranger’s does not work', async () => {
    const [email, password] = [someEmail(), 'a horse of a stranger']
    const flow = { code_challenge: 'c'.repeat(43), code_challenge_method: 's256' }
    await call('POST', '/signup', { email, password, ...flow })
    const token = (await newestLink()).searchParams.get('token') ?? ''
    const pressed = await browser(app).post('/auth/v1/verify', { token, type: 'signup' })
    const asked = `http://localhost:3000/login/new-password?token_hash=${token}&type=signup`
    expect([pressed.statusCode, pressed.headers.location]).toEqual([303, asked])
    await browser(app).post(asked.slice('http://localhost:3000'.length), {
      token_hash: token,
      password: 'my own horse',
      confirmPassword: 'my own horse',
    })
    const statuses = []
    for (const typed of [password, 'my own horse'])
      statuses.push((await call('POST', '/token?grant_type=password', { email, password: typed })).statusCode)
    expect(statuses).toEqual([400, 200])
  })

  test('a link that leads to our own pages signs in by cookies, and no URL has a token', async () => {
    const from = browser(app)
    const payload = { email: someEmail(), password: PASSWORD }
    await from.send({ method: 'POST', url: `/auth/v1/signup${asking('http://localhost:3000/about?a=b')}`, payload })
    const link = await newestLink()
    const fields = { token: link.searchParams.get('token') ?? '', type: 'signup', redirect_to: 'http://localhost:3000/about?a=b' }
    const foreign = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const lured = await app.inject({
      method: 'POST',
      url: '/auth/v1/verify',
      headers: foreign,
      payload: new URLSearchParams(fields).toString(),
    })
    expect([lured.cookies, String(lured.headers.location)]).toEqual([[], expect.stringContaining('error_code=foreign_origin')])
    const pressed = await from.post('/auth/v1/verify', fields)
    expect([pressed.statusCode, pressed.headers.location]).toEqual([303, 'http://localhost:3000/about?a=b'])
    expect([...from.cookies.keys()]).toEqual([ACCESS_COOKIE, REFRESH_COOKIE])
    expect((await from.send({ url: '/dashboard' })).statusCode).toBe(200)
  })

  test('the address of the service keeps nothing foreign', async () => {
    const reply = await call('GET', '/verify?token=abc&type=signup&redirect_to=https://evil.example/')
    expect(reply.headers.location).toMatch(/^http:\/\/localhost:3000\/#error=access_denied&error_code=otp_expired&/)
  })
})

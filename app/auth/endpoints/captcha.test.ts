import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'

type Service = { url: string; asked: URLSearchParams[]; answer: (solution: string | null, response: ServerResponse) => void }

/** A fake captcha service. */
const service = await vi.hoisted(async () => {
  const { listen } = await import('#test/http-server.ts')
  const { text } = await import('node:stream/consumers')
  process.env.SECURITY_CAPTCHA_ENABLED = 'true'
  process.env.SECURITY_CAPTCHA_PROVIDER = 'turnstile'
  process.env.SECURITY_CAPTCHA_SECRET = 'only we two know'
  process.env.EXTERNAL_ANONYMOUS_USERS_ENABLED = 'true'
  const service: Service & { close: () => Promise<void> } = { url: '', asked: [], answer: () => undefined, close: async () => undefined }
  const hear = async (request: IncomingMessage, response: ServerResponse) => {
    const asked = new URLSearchParams(await text(request))
    service.asked.push(asked)
    service.answer(asked.get('response'), response)
  }
  const { url, close } = await listen(hear)
  service.url = `${url}/`
  service.close = close
  return service
})

import { makeServiceKey } from '#app/auth/sessions/jwt.server.ts'
import { signInLimit } from '#app/auth/http/limits.server.ts'
import { startApp } from '#test/app.ts'
import { consume, visitorKey } from '#app/platform/guard/limits.server.ts'
import { browser } from '#test/browser.ts'
import { authClient, forgetLimits, PASSWORD, someEmail } from '#test/auth.ts'
import { makeUser } from '#test/factories.ts'
import { hashPassword } from '#app/auth/sessions/hashing.server.ts'

const app = await startApp()
const call = authClient(app)
afterAll(() => service.close())

beforeEach(async () => {
  await forgetLimits()
  service.asked = []
  service.answer = (solution, response) => void response.end(JSON.stringify({ success: solution === 'solved' }))
  const { fetch } = globalThis
  vi.stubGlobal('fetch', (input: string | URL | Request, init?: RequestInit) => {
    const isOurs = new Request(input).url === 'https://challenges.cloudflare.com/turnstile/v0/siteverify'
    return fetch(isOurs ? service.url : input, init)
  })
  return () => vi.unstubAllGlobals()
})

const { email } = await makeUser({ passwordHash: await hashPassword(PASSWORD) })
const guarded: [path: string, body: () => object][] = [
  ['/signup', () => ({ email: someEmail(), password: PASSWORD })],
  ['/signup', () => ({})],
  ['/otp', () => ({ email: someEmail() })],
  ['/magiclink', () => ({ email: someEmail() })],
  ['/recover', () => ({ email: someEmail() })],
  ['/resend', () => ({ type: 'signup', email: someEmail() })],
  ['/token?grant_type=password', () => ({ email, password: PASSWORD })],
]
const solved = { gotrue_meta_security: { captcha_token: 'solved' } }

describe('happy', () => {
  test.each(guarded)('%s accepts a request with a solved captcha', async (path, body) => {
    expect((await call('POST', path, { ...body(), ...solved })).statusCode).toBe(200)
    expect(service.asked.map((asked) => Object.fromEntries(asked))).toEqual([
      { secret: 'only we two know', response: 'solved', remoteip: '127.0.0.1' },
    ])
  })

  test('renewing a session asks for none, and neither does a program of the operator', async () => {
    const session = (await call('POST', '/token?grant_type=password', { email, password: PASSWORD, ...solved })).json()
    expect((await call('POST', '/token?grant_type=refresh_token', { refresh_token: session.refresh_token })).statusCode).toBe(200)
    const authorization = `Bearer ${await makeServiceKey(1)}`
    expect((await call('POST', '/recover', { email: someEmail() }, { authorization })).statusCode).toBe(200)
    const own = { authorization: `Bearer ${session.access_token}` }
    expect((await call('POST', '/recover', { email: someEmail() }, own)).json().code).toBe('captcha_failed')
  })
})

describe('the forms of our own pages', () => {
  test('sign in, sign up, request emails and accept their codes without one', async () => {
    const next = '?next=%2Faccount'
    const here = browser(app)
    const signedIn = await here.post(`/login${next}`, { form: 'sign-in', email: email ?? '', password: PASSWORD })
    expect([signedIn.statusCode, signedIn.headers['location']]).toEqual([302, '/account'])
    expect((await here.send({ url: '/api/account' })).json().email).toBe(email)

    const fresh = { form: 'sign-up', firstName: 'Ada', lastName: 'King', email: someEmail(), password: PASSWORD, confirmPassword: PASSWORD }
    expect((await browser(app).post('/login?mode=sign-up', fresh)).headers['location']).toContain('notice=check-email')
    expect((await browser(app).post('/login/forgot-password', { email: email ?? '' })).body).toContain('it’s on its way')
    expect((await browser(app).post('/login/code', { email: someEmail() })).body).toContain('Enter your code')
    expect(service.asked).toEqual([])
  })

  test('share the limits of the endpoints, so they allow no extra guesses', async () => {
    const guess = () => browser(app).post('/login', { form: 'sign-in', email: someEmail(), password: 'wrong horse' })
    for (let tries = 1; tries <= 150; tries += 1) await consume(signInLimit, visitorKey('127.0.0.1'))
    expect((await guess()).body).toContain('That was too often.')
    expect((await call('POST', '/token?grant_type=password', { email, password: PASSWORD, ...solved })).statusCode).toBe(429)
  })
})

describe('error', () => {
  test.each(guarded)('%s refuses a request without one', async (path, body) => {
    for (const security of [{}, { gotrue_meta_security: {} }, { gotrue_meta_security: { captcha_token: 'guessed' } }]) {
      const reply = await call('POST', path, { ...body(), ...security })
      expect([reply.statusCode, reply.json().code]).toEqual([400, 'captcha_failed'])
    }
  })

  test.each([
    ['fails', (_solution: string | null, response: ServerResponse) => void response.writeHead(500).end('oh')],
    ['says something else', (_solution: string | null, response: ServerResponse) => void response.end('{"success":"yes"}')],
    ['talks without end', (_solution: string | null, response: ServerResponse) => void response.end('x'.repeat(30_000))],
    ['hangs up', (_solution: string | null, response: ServerResponse) => void response.destroy()],
  ])('a request is refused when the service %s', async (_what, answer) => {
    service.answer = answer
    expect((await call('POST', '/recover', { email: someEmail(), ...solved })).json().code).toBe('captcha_failed')
  })
})

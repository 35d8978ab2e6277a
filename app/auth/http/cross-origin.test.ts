import { describe, expect, test, vi } from 'vitest'

vi.hoisted(() => {
  process.env.URI_ALLOW_LIST = 'https://app.example,https://*.apps.example/callback'
})

import { startEndpoints } from '#test/app.ts'
import { bearer, PASSWORD, signUpAndConfirm } from '#test/auth.ts'

const app = await startEndpoints()

const ORIGIN = 'https://app.example'
const ask = (method: 'GET' | 'POST' | 'PUT' | 'OPTIONS' | 'DELETE', path: string, headers: Record<string, string>, payload?: object) =>
  app.inject({ method, url: `/auth/v1${path}`, headers, ...(payload && { payload }) })

describe('happy', () => {
  test.each([ORIGIN, 'https://shop.apps.example'])(
    'a page at %s that the operator has listed may send a preflight request',
    async (origin) => {
      const reply = await ask('OPTIONS', '/token', {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'apikey,authorization,content-type,x-client-info,x-supabase-api-version',
      })
      expect([reply.statusCode, reply.body]).toEqual([204, ''])
      expect(reply.headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
        'access-control-allow-headers': expect.stringMatching(/Apikey, Authorization, Content-Type/),
        vary: expect.stringContaining('Origin'),
      })
    },
  )

  test('a listed page signs in and reads its user, as the client library in a browser does', async () => {
    const { email } = await signUpAndConfirm(app)
    const headers = { origin: ORIGIN, 'sec-fetch-site': 'cross-site' }
    const signedIn = await ask('POST', '/token?grant_type=password', headers, { email, password: PASSWORD })
    expect(signedIn.statusCode).toBe(200)
    expect(signedIn.headers).toMatchObject({ 'access-control-allow-origin': ORIGIN })
    const user = await ask('GET', '/user', { ...headers, ...bearer(signedIn.json()) })
    expect(user.json()).toMatchObject({ email })
    expect(user.headers['access-control-expose-headers']).toBe('X-Total-Count, Link, X-Supabase-Api-Version')
  })
})

describe('error', () => {
  test('a listed page can read why a call was refused', async () => {
    const reply = await ask(
      'POST',
      '/token?grant_type=password',
      { origin: ORIGIN },
      { email: 'nobody@example.com', password: 'wrong one' },
    )
    expect([reply.statusCode, reply.headers['access-control-allow-origin']]).toEqual([400, ORIGIN])
  })
})

describe('security', () => {
  const strangers = [
    'https://evil.example',
    'http://app.example',
    'https://app.example.evil.example',
    'https://app.example:8443',
    'https://apps.example',
    'null',
    'file://app.example',
  ]

  test.each(strangers)('a page at %s gets no permission, and its writes are refused', async (origin) => {
    const preflight = await ask('OPTIONS', '/token', { origin, 'access-control-request-method': 'POST' })
    expect(preflight.statusCode).toBe(204)
    expect(preflight.headers).not.toHaveProperty('access-control-allow-origin')
    const write = await ask('POST', '/signup', { origin }, { email: 'someone@example.com', password: PASSWORD })
    expect([write.statusCode, write.headers['x-sb-error-code']]).toEqual([403, 'foreign_origin'])
    expect((await ask('GET', '/settings', { origin })).headers).not.toHaveProperty('access-control-allow-origin')
  })

  test('a listed page never gets credentials: cookies are ignored and none is set', async () => {
    const { email } = await signUpAndConfirm(app)
    const own = { origin: 'http://localhost:3000', 'x-session-front': '1' }
    const home = await ask('POST', '/token?grant_type=password', own, { email, password: PASSWORD })
    const cookie = home.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    expect(cookie).toContain('refresh')
    const headers = { origin: ORIGIN, cookie, 'x-session-front': '1' }
    const renewed = await ask('POST', '/token?grant_type=refresh_token', headers, { refresh_token: 'held-by-server' })
    expect(renewed.statusCode).toBe(403)
    const plain = await ask('POST', '/token?grant_type=refresh_token', { origin: ORIGIN, cookie }, { refresh_token: 'held-by-server' })
    expect(plain.statusCode).toBe(400)
    for (const reply of [renewed, plain, await ask('GET', '/user', headers)]) {
      expect(reply.headers).not.toHaveProperty('set-cookie')
      expect(reply.headers).not.toHaveProperty('access-control-allow-credentials')
    }
  })
})

import { AuthClient } from '@supabase/auth-js'
import { SignJWT } from 'jose'
import { beforeEach, describe, expect, test } from 'vitest'
import { db } from '#app/platform/database/db.server.ts'
import { ACCESS_COOKIE, REFRESH_COOKIE } from '#app/platform/http/session-cookie.server.ts'
import { signingKey } from '#app/auth/sessions/jwt.server.ts'
import { startApp } from '#test/app.ts'
import { authClient, bearer, forgetLimits, PASSWORD, signUpAndConfirm, someEmail, VERSION } from '#test/auth.ts'
import { browser } from '#test/browser.ts'
import { secretsOf } from '#test/emails.ts'
import { OWN_PAGES_HEADER } from '#app/auth/protocol/session-header.ts'
import { HELD_BY_SERVER } from './session-front.ts'

const app = await startApp()
beforeEach(forgetLimits)

type Browser = ReturnType<typeof browser>

const ask = (from: Browser, method: 'GET' | 'POST', path: string, payload?: object, headers: Record<string, string> = {}) =>
  from.send({ method, url: `/auth/v1${path}`, headers: { [OWN_PAGES_HEADER]: '1', ...headers }, ...(payload && { payload }) })
const refresh = (from: Browser) => ask(from, 'POST', '/token?grant_type=refresh_token', { refresh_token: HELD_BY_SERVER })

async function signedIn() {
  const { email } = await signUpAndConfirm(app)
  const from = browser(app)
  const reply = await ask(from, 'POST', '/token?grant_type=password', { email, password: PASSWORD })
  expect(reply.statusCode).toBe(200)
  return { email, from, session: reply.json() }
}

/** Simulates a quarter of an hour. */
async function expireAccess(from: Browser) {
  const { sub, session_id } = JSON.parse(Buffer.from(from.cookies.get(ACCESS_COOKIE)?.split('.')[1] ?? '', 'base64url').toString())
  const { kid, alg, key } = await signingKey()
  const expired = await new SignJWT({ session_id })
    .setProtectedHeader({ kid, alg })
    .setSubject(sub)
    .setIssuer('http://localhost:3000/auth/v1')
    .setAudience('authenticated')
    .setExpirationTime('-1 minute')
    .sign(key)
  from.cookies.set(ACCESS_COOKIE, expired)
}

describe('happy', () => {
  test('our pages start no PKCE flow, although their client sends a challenge: our emails open in any browser', async () => {
    const email = someEmail()
    const key = { code_challenge: 'x'.repeat(43), code_challenge_method: 's256' }
    expect((await ask(browser(app), 'POST', '/signup', { email, password: PASSWORD, ...key })).statusCode).toBe(200)
    expect((await secretsOf(email, 'confirm-address')).link).not.toMatch(/^pkce_/)
  })

  test('our pages get a stand-in, the browser keeps the token where no script can read it', async () => {
    const { from, session } = await signedIn()
    const held = from.cookies.get(REFRESH_COOKIE)
    expect(session.refresh_token).toMatch(new RegExp(`^${HELD_BY_SERVER}-`))
    expect(held).toMatch(/^[\w-]{43}$/)
    expect(from.setCookies.find((cookie) => cookie.startsWith(REFRESH_COOKIE))).toMatch(/HttpOnly; SameSite=Strict/)
    expect(from.setCookies.find((cookie) => cookie.startsWith(ACCESS_COOKIE))).toMatch(/Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax/)
    expect(JSON.stringify(session)).not.toContain(held)
  })

  test('renewing takes the token from the cookie, and the stand-in changes each time', async () => {
    const { from, session } = await signedIn()
    const before = from.cookies.get(REFRESH_COOKIE)
    const renewed = await refresh(from)
    expect(renewed.statusCode).toBe(200)
    expect(from.cookies.get(REFRESH_COOKIE)).not.toBe(before)
    expect(renewed.json().refresh_token).not.toBe(session.refresh_token)
    expect(from.cookies.get(ACCESS_COOKIE)).toBe(renewed.json().access_token)
  })

  test('the cookie opens our API, and pages know who is there', async () => {
    const { from } = await signedIn()
    expect((await from.send({ url: '/api/contacts' })).statusCode).not.toBe(401)
    const page = await from.send({ url: '/dashboard' })
    expect(page.statusCode).toBe(200)
    expect(page.headers['cache-control']).toBe('no-store')
    expect((await from.send({ url: '/' })).body).toContain('Ada')
  })

  test('unmodified auth-js behind the front renews twice and signs out, and never sees a token that lasts', async () => {
    const { email } = await signUpAndConfirm(app)
    const from = browser(app)
    const seen: string[] = []
    const client = new AuthClient({
      url: 'http://localhost:3000/auth/v1',
      headers: { [OWN_PAGES_HEADER]: '1' },
      autoRefreshToken: false,
      fetch: async (input, init) => {
        const request = new Request(input, init)
        const reply = await from.send({
          method: request.method === 'GET' ? 'GET' : 'POST',
          url: request.url.replace('http://localhost:3000', ''),
          headers: Object.fromEntries(request.headers),
          payload: await request.text(),
        })
        seen.push(reply.body)
        const headers = Object.entries(reply.headers).flatMap(([name, value]): [string, string][] =>
          name === 'set-cookie' ? [] : [[name, String(value)]],
        )
        return new Response(reply.statusCode === 204 ? null : reply.body, { status: reply.statusCode, headers })
      },
    })
    expect((await client.signInWithPassword({ email, password: PASSWORD })).error).toBeNull()
    expect((await client.refreshSession()).error).toBeNull()
    expect((await client.refreshSession({ refresh_token: HELD_BY_SERVER })).error).toBeNull()
    const held = from.cookies.get(REFRESH_COOKIE) ?? ''
    expect(seen.join('')).not.toContain(held)
    expect((await client.signOut({ scope: 'local' })).error).toBeNull()
    expect([...from.cookies.keys()]).toEqual([])
    expect((await client.getSession()).data.session).toBeNull()
  })

  test('an expired access cookie is renewed on return, and the page is never cached for others', async () => {
    const { from } = await signedIn()
    await expireAccess(from)
    const door = await from.send({ url: '/dashboard?tab=consultations' })
    expect([door.statusCode, door.headers.location]).toEqual([
      302,
      `/login/resume?next=${encodeURIComponent('/dashboard?tab=consultations')}`,
    ])
    const resumed = await from.send({ url: door.headers.location?.toString() ?? '' })
    expect(resumed.statusCode).toBe(200)
    expect(resumed.body).toContain('Signing you in again')
    const home = await from.send({ url: '/' })
    expect(home.headers['cache-control']).toBe('no-store')
    expect(home.body).toContain('nonce=')

    expect((await refresh(from)).statusCode).toBe(200)
    expect((await from.send({ url: '/dashboard' })).statusCode).toBe(200)
  })
})

describe('error', () => {
  test('without a cookie there is nothing to renew', async () => {
    const reply = await refresh(browser(app))
    expect([reply.statusCode, reply.headers['x-sb-error-code']]).toEqual([400, 'refresh_token_not_found'])
  })

  test('a definite refusal makes the browser forget the session', async () => {
    const { from, session } = await signedIn()
    await authClient(app)('POST', '/logout', undefined, bearer(session))
    expect((await refresh(from)).statusCode).toBe(400)
    expect([...from.cookies.keys()]).toEqual([])
  })

  test('so does any answer that says that the session is over', async () => {
    const { from, session } = await signedIn()
    await authClient(app)('POST', '/logout', undefined, bearer(session))
    expect((await ask(from, 'GET', '/user', undefined, bearer(session))).statusCode).toBe(403)
    expect([...from.cookies.keys()]).toEqual([])
  })

  test('signing out the others leaves this browser as it is, and a wrong password leaves another session alone', async () => {
    const { email, from, session } = await signedIn()
    expect((await ask(from, 'POST', '/logout?scope=others', undefined, bearer(session))).statusCode).toBe(204)
    expect((await ask(from, 'POST', '/token?grant_type=password', { email, password: 'wrong horse' })).statusCode).toBe(400)
    expect([...from.cookies.keys()]).toEqual([ACCESS_COOKIE, REFRESH_COOKIE])
  })

  test('an invalid cookie is deleted with the next page', async () => {
    const { from } = await signedIn()
    await db.deleteFrom('sessions').execute()
    expect((await from.send({ url: '/' })).statusCode).toBe(200)
    expect(from.cookies.has(ACCESS_COOKIE)).toBe(false)
  })
})

describe('security', () => {
  test('our pages set a new password only with the current one, however the session began; programs follow the setting', async () => {
    const { email, from, session } = await signedIn()
    const change = (body: object) =>
      from.send({
        method: 'PUT',
        url: '/auth/v1/user',
        headers: { [OWN_PAGES_HEADER]: '1', ...VERSION, ...bearer(session) },
        payload: body,
      })
    const password = 'another horse'
    expect((await change({ password })).json()).toMatchObject({ code: 'current_password_required' })
    expect((await change({ password, current_password: 'wrong horse' })).json()).toMatchObject({ code: 'current_password_invalid' })
    expect((await change({ password, current_password: PASSWORD })).statusCode).toBe(200)

    const program = (await authClient(app)('POST', '/token?grant_type=password', { email, password })).json()
    expect((await authClient(app)('PUT', '/user', { password: PASSWORD }, bearer(program))).statusCode).toBe(200)
  })

  test('our pages ask for no current password where there is none', async () => {
    const { email, from, session } = await signedIn()
    await db.updateTable('users').set({ passwordHash: null }).where('email', '=', email).execute()
    const reply = await from.send({
      method: 'PUT',
      url: '/auth/v1/user',
      headers: { [OWN_PAGES_HEADER]: '1', ...bearer(session) },
      payload: { password: 'a first horse' },
    })
    expect(reply.statusCode).toBe(200)
    expect((await from.send({ url: '/api/account' })).json()).toMatchObject({ asksCurrentPassword: true })
  })

  test('a foreign page, or a request without an origin, cannot use the cookie', async () => {
    const { from } = await signedIn()
    const cookies = Object.fromEntries(from.cookies)
    const send = (headers: Record<string, string>) =>
      app.inject({
        method: 'POST',
        url: '/auth/v1/token?grant_type=refresh_token',
        cookies,
        headers: { [OWN_PAGES_HEADER]: '1', ...headers },
        payload: { refresh_token: HELD_BY_SERVER },
      })
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'null' },
      {},
    ]
    for (const headers of foreign) {
      expect((await send(headers)).statusCode).toBe(403)
    }
    expect((await app.inject({ method: 'POST', url: '/api/logout', cookies })).statusCode).toBe(403)
    expect((await from.send({ url: '/dashboard' })).statusCode).toBe(200)
  })

  test('clients that are not our pages get and send real tokens, and no cookies', async () => {
    const { email } = await signUpAndConfirm(app)
    const call = authClient(app)
    const reply = await call('POST', '/token?grant_type=password', { email, password: PASSWORD })
    expect(reply.headers['set-cookie']).toBeUndefined()
    expect(reply.json().refresh_token).toMatch(/^[\w-]{43}$/)
    expect((await call('POST', '/token?grant_type=refresh_token', { refresh_token: reply.json().refresh_token })).statusCode).toBe(200)
  })

  test('without the mark the cookie renews nothing', async () => {
    const { from } = await signedIn()
    const reply = await from.send({
      method: 'POST',
      url: '/auth/v1/token?grant_type=refresh_token',
      payload: { refresh_token: HELD_BY_SERVER },
    })
    expect(reply.statusCode).toBe(400)
  })
})

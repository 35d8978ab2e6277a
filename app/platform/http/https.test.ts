import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'

vi.hoisted(() => {
  process.env.SITE_URL = 'https://winnow.example'
})

import { OWN_PAGES_HEADER } from '#app/auth/protocol/session-header.ts'
import { createApp } from '#app/server.ts'
import { startApp } from '#test/app.ts'
import { forgetLimits, PASSWORD, signUpAndConfirm } from '#test/auth.ts'
import { browser } from '#test/browser.ts'
import { ClientFiles } from '#app/platform/page-cache/client-files.server.ts'
import { CacheServer } from '#app/platform/page-cache/cache-server.server.ts'
import type { Http } from './http.server.ts'
import { inertPolicy, securityHeaders } from './security-headers.server.ts'

const HSTS = 'max-age=63072000'
const folder = mkdtempSync(path.join(tmpdir(), 'winnow-files-'))
mkdirSync(path.join(folder, 'assets'))
writeFileSync(path.join(folder, 'assets/app-1a2b3c.js'), 'console.info(1)')

const cacheServer = new CacheServer(new ClientFiles(folder))

const app = await startApp(cacheServer)
const url = await app.listen({ port: 0, host: '127.0.0.1' })
afterAll(async () => {
  rmSync(folder, { recursive: true })
})

const ask = (address: string, init: RequestInit = {}) => fetch(`${url}${address}`, { redirect: 'manual', ...init })

test.each([
  ['a page as it is written', '/about', 200],
  ['the same page from where it is kept', '/about', 200],
  ['a live page', '/login', 200],
  ['a file', '/assets/app-1a2b3c.js', 200],
  ['the API', '/healthz', 200],
  ['the auth service', '/auth/v1/settings', 200],
  ['a way to another page', '/dashboard', 302],
  ['an address without a page', '/nowhere', 404],
  ['an error of the API', '/api/nowhere', 404],
  ['a refusal of the auth service', '/auth/v1/user', 401],
  ['an address that cannot be read', '/%E0%A4%A', 404],
  ['one that a program uses', '/api/%', 400],
])('on https %s says that the site is never to be asked for without', async (_what, address, status) => {
  const reply = await ask(address)
  expect([reply.status, reply.headers.get('strict-transport-security')]).toEqual([status, HSTS])
})

test('so does a page that has not changed', async () => {
  const etag = (await ask('/about')).headers.get('etag') ?? ''
  const unchanged = await ask('/about', { headers: { 'if-none-match': etag } })
  expect([unchanged.status, unchanged.headers.get('strict-transport-security')]).toEqual([304, HSTS])
})

test('a starting site says so with the headers of every other response, and is alive', async () => {
  const early = new CacheServer()
  const server = await createApp(early)
  await early.listen(0, '127.0.0.1')
  const answerAt = async (address: string) => {
    const reply = await fetch(`http://127.0.0.1:${portOf(server)}${address}`)
    return { status: reply.status, headers: Object.fromEntries(reply.headers) }
  }
  const always = {
    ...securityHeaders,
    'strict-transport-security': HSTS,
    'content-security-policy': inertPolicy,
    'cache-control': 'no-store',
    'x-request-id': expect.any(String),
  }
  expect(await answerAt('/')).toMatchObject({ status: 503, headers: always })
  expect(await answerAt('/readyz')).toMatchObject({ status: 503, headers: always })
  expect(await answerAt('/healthz')).toMatchObject({ status: 200, headers: always })
  await early.close(0)
})

test('session cookies are kept by browsers for this host alone, and only over https, whichever way one signs in or out', async () => {
  const { email } = await signUpAndConfirm(app)
  await forgetLimits()
  const from = browser(app, 'https://winnow.example')
  const host = { host: 'winnow.example' }
  const form = new URLSearchParams({ form: 'sign-in', email, password: PASSWORD }).toString()
  const headers = { ...host, 'content-type': 'application/x-www-form-urlencoded' }
  expect((await from.send({ method: 'POST', url: '/login', headers, payload: form })).statusCode).toBe(302)
  await from.send({
    method: 'POST',
    url: '/auth/v1/token?grant_type=password',
    headers: { ...host, [OWN_PAGES_HEADER]: '1' },
    payload: { email, password: PASSWORD },
  })
  expect((await from.send({ url: '/dashboard', headers: host })).statusCode).toBe(200)
  await from.send({ url: '/api/logout', headers: host })

  const names = from.setCookies.map((cookie) => cookie.split('=', 1)[0])
  expect(new Set(names)).toEqual(new Set(['__Host-winnow-access', '__Host-winnow-refresh', '__Host-winnow-sign-up']))
  expect(names.length).toBeGreaterThanOrEqual(6)
  for (const cookie of from.setCookies) {
    expect(cookie).toMatch(/; Path=\/(;|$)/)
    expect(cookie).toMatch(/; Secure(;|$)/)
    expect(cookie).toMatch(/; HttpOnly(;|$)/)
    expect(cookie).not.toMatch(/domain=/i)
  }
})

function portOf(server: Http): number {
  const address = server.server.address()
  return typeof address === 'object' && address ? address.port : 0
}

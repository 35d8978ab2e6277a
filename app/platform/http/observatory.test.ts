import { expect, test, vi } from 'vitest'

vi.hoisted(() => {
  process.env.SITE_URL = 'https://winnow.example'
})

import { startApp } from '#test/app.ts'
import { signIn } from '#test/factories.ts'

const app = await startApp()
const url = await app.listen({ port: 0, host: '127.0.0.1' })

const owner = await signIn('owner')

/** Points of a response above or below 100, in the header tests of the HTTP Observatory. Versions up to 1.6.3 ignore opener and embedder policies. */
const modifiers: Record<string, (headers: Headers) => number> = {
  'content-security-policy': (headers) => {
    const policy = headers.get('content-security-policy') ?? ''
    const sources = /(?:script|style)-src [^;]*/g
    if (!policy) return -25
    if ((policy.match(sources) ?? []).some((list) => /'unsafe-|data:|https?:(?:\s|$)/.test(list))) return 0
    return policy.includes(`default-src 'none'`) && /form-action '(self|none)'/.test(policy) ? 10 : 5
  },
  cookies: (headers) =>
    headers.getSetCookie().every((cookie) => /; Secure/i.test(cookie) && /; SameSite=(Lax|Strict)/i.test(cookie)) ? 0 : -20,
  cors: (headers) => (headers.has('access-control-allow-credentials') ? -50 : 0),
  'cross-origin-embedder-policy': (headers) =>
    /^(require-corp|credentialless)$/.test(headers.get('cross-origin-embedder-policy') ?? '') ? 10 : 0,
  'cross-origin-opener-policy': (headers) => (headers.get('cross-origin-opener-policy') === 'same-origin' ? 10 : 0),
  'cross-origin-resource-policy': (headers) => (headers.get('cross-origin-resource-policy') === 'same-origin' ? 10 : 0),
  'referrer-policy': (headers) => (headers.get('referrer-policy')?.startsWith('strict-origin') ? 5 : 0),
  'strict-transport-security': (headers) => (/max-age=\d{8}/.test(headers.get('strict-transport-security') ?? '') ? 0 : -20),
  'x-content-type-options': (headers) => (headers.get('x-content-type-options') === 'nosniff' ? 0 : -5),
  'x-frame-options': (headers) => (/frame-ancestors 'none'/.test(headers.get('content-security-policy') ?? '') ? 5 : -20),
}

test.each([
  ['/', false],
  ['/about', false],
  ['/blog', false],
  ['/contact', false],
  ['/?turn=1', false],
  ['/login', false],
  ['/nowhere', false],
  ['/dashboard', true],
  ['/admin/blog', true],
  ['/', true],
])('every header of %s earns its full score at the HTTP Observatory (signed in: %s)', async (path, isSignedIn) => {
  const { headers } = await fetch(url + path, { headers: isSignedIn ? owner.headers : {}, redirect: 'manual' })
  const earned = Object.entries(modifiers).map(([name, modifier]): [string, number] => [name, modifier(headers)])
  expect(Object.fromEntries(earned)).toEqual({
    'content-security-policy': 10,
    cookies: 0,
    cors: 0,
    'cross-origin-embedder-policy': 10,
    'cross-origin-opener-policy': 10,
    'cross-origin-resource-policy': 10,
    'referrer-policy': 5,
    'strict-transport-security': 0,
    'x-content-type-options': 0,
    'x-frame-options': 5,
  })
  const score = earned.reduce((sum, [, modifier]) => sum + modifier, 100)
  expect(score).toBeGreaterThanOrEqual(135)
})

test.each([
  '/login',
  '/dashboard',
  '/dashboard/letters',
  '/account',
  '/admin/users',
  '/admin/redirects',
  '/admin/products',
  '/data-marketplace',
])('the HTML of %s carries no style attribute, which its policy would refuse', async (path) => {
  const reply = await fetch(url + path, { headers: path === '/login' ? {} : owner.headers })
  expect(reply.status).toBe(200)
  expect(await reply.text()).not.toMatch(/<[^>]* style="/)
})

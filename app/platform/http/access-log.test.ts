import type { InjectOptions } from 'fastify'
import { symbols } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'

vi.hoisted(() => {
  process.env['LOG_LEVEL'] = 'info'
})

const { closeDatabase, openDatabase } = await import('#app/platform/database/open.server.ts')
const { createApp } = await import('#app/server.ts')
const { CacheServer } = await import('#app/platform/page-cache/cache-server.server.ts')
const { logCachedResponse } = await import('./access-log.server.ts')
const { log } = await import('#app/platform/process/log.server.ts')
const { ACCESS_COOKIE } = await import('./session-cookie.server.ts')

let lines: Record<string, unknown>[] = []
const output = Reflect.get(log, symbols.streamSym)
Reflect.set(log, symbols.streamSym, { write: (line: string) => lines.push(JSON.parse(line)) })

await openDatabase()
const app = await createApp(new CacheServer())
beforeAll(() => app.listen({ port: 0, host: '127.0.0.1' }))
beforeEach(() => {
  lines = []
})
afterAll(async () => {
  await app.close()
  await closeDatabase()
  Reflect.set(log, symbols.streamSym, output)
})

// Runs first: nothing has been counted yet.
test('a flood of cached responses is logged a hundred times a second, then counted by route and status', () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  for (let count = 0; count < 130; count++) logCachedResponse(`id-${count}`, 'GET', '/about', count < 125 ? 200 : 429)
  expect(lines.length).toBe(100)
  vi.runAllTimers()
  const counted = { level: 'info', time: expect.any(String), route: '/about', cached: true, msg: 'requests completed' }
  expect(lines.slice(100)).toEqual([
    { ...counted, status: 200, count: 25 },
    { ...counted, status: 429, count: 5 },
  ])
  logCachedResponse('next', 'GET', '/about', 200)
  expect(lines.at(-1)).toMatchObject({ request: 'next', msg: 'request completed' })
  vi.useRealTimers()
})

const ADDRESS = '203.0.113.77'
/** The personal data sent with each request below. None of it may appear in a log line, and none can be part of an ID by chance. */
const personal = /grace|lovelace|203\.0\.113|hunter2|secret|needle|Mozilla|127\.0\.0\.1/i
const person = {
  'user-agent': 'Mozilla/5.0 (needle)',
  referer: 'https://search.example/?q=needle',
  'x-forwarded-for': ADDRESS,
}

/** The log line of a response, and the ID that the response carried. */
async function lineOf(request: InjectOptions) {
  const reply = await app.inject({ remoteAddress: ADDRESS, ...request, headers: { ...person, ...request.headers } })
  const [line, ...more] = lines.filter(({ msg }) => msg === 'request completed')
  expect(more).toEqual([])
  return { line, text: JSON.stringify(lines), id: reply.headers['x-request-id'], status: reply.statusCode }
}

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const requests: [string, InjectOptions, { method: string; route: string; status: number }][] = [
  ['a page', { url: '/contact?email=grace@example.com' }, { method: 'GET', route: '/contact', status: 200 }],
  ['a page of someone', { url: '/about', headers: { cookie: `${ACCESS_COOKIE}=secret` } }, { method: 'GET', route: '/about', status: 200 }],
  ['a link of a letter', { url: '/login/confirm?token=secret' }, { method: 'GET', route: '/login/confirm', status: 200 }],
  [
    'a form',
    { method: 'POST', url: '/login', headers: form, payload: 'form=sign-in&email=grace@example.com&password=hunter2' },
    { method: 'POST', route: '/login', status: 422 },
  ],
  [
    'an endpoint',
    { url: '/api/contacts?search=Lovelace', headers: { authorization: 'Bearer secret' } },
    { method: 'GET', route: '/api/contacts', status: 401 },
  ],
  [
    'an endpoint of one thing',
    { method: 'POST', url: '/api/contacts/grace@example.com/release', payload: { name: 'Grace' } },
    { method: 'POST', route: '/api/contacts/:id/release', status: 422 },
  ],
  [
    'a sign-in',
    { method: 'POST', url: '/auth/v1/token?grant_type=password', payload: { email: 'grace@example.com', password: 'hunter2' } },
    { method: 'POST', route: '/auth/v1/token', status: 400 },
  ],
  ['an address without a page', { url: '/people/grace@example.com?token=secret' }, { method: 'GET', route: '/*', status: 404 }],
]

test.each(requests)('%s writes one log line: its ID, method, route and status, and nothing personal', async (_what, request, expected) => {
  const { line, text, id, status } = await lineOf(request)
  expect(status).toBe(expected.status)
  expect(line).toEqual({
    level: 'info',
    time: expect.any(String),
    request: id,
    ...expected,
    ms: expect.any(Number),
    msg: 'request completed',
  })
  expect(id).toBeTruthy()
  expect(text).not.toMatch(personal)
})

test('a cached response writes the same line, marked as cached', async () => {
  const ask = (headers = {}) => fetch(`${app.listeningOrigin}/services`, { headers: { ...person, ...headers } })
  await (await ask()).text()
  lines = []
  const cached = await ask({ cookie: 'theme=system; other=secret' })
  const { headers } = cached
  const unchanged = await ask({ 'if-none-match': headers.get('etag') ?? '' })
  const line = { level: 'info', time: expect.any(String), method: 'GET', route: '/services', cached: true, msg: 'request completed' }
  expect(lines).toEqual([
    { ...line, request: headers.get('x-request-id'), status: 200 },
    { ...line, request: unchanged.headers.get('x-request-id'), status: 304 },
  ])
  expect(JSON.stringify(lines)).not.toMatch(personal)
})

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { startApp } from '#test/app.ts'
import { authClient, bearer, PASSWORD, signUpAndConfirm, someEmail, tally } from '#test/auth.ts'
import { ada, sendEnquiry, sendForm } from '#test/enquiries.ts'
import { eventually } from '#test/eventually.ts'
import { signIn } from '#test/factories.ts'
import { db } from '#app/platform/database/db.server.ts'
import { CacheServer } from '#app/platform/page-cache/cache-server.server.ts'
import { createHttp } from './http.server.ts'
import { NOT_SENT, render, waits } from './load.server.ts'

const app = await startApp(new CacheServer(), { isPatient: false })
/** Its requests share the queues of the product, and do not end before `release`. */
const slow = createHttp()
let release = () => {}
let held = Promise.resolve()
let waiting: Promise<unknown>[] = []
/** Signed in two hours ago, so the access token has expired. */
let earlier: Awaited<ReturnType<typeof signUpAndConfirm>>['session']

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 7_200_000 })
  earlier = (await signUpAndConfirm(app)).session
  vi.useRealTimers()
  const wait = async () => {
    await held
    return {}
  }
  slow.get('/api/slow', wait)
  slow.post('/api/slow', wait)
  slow.post('/api/last', { config: { isRefusedLast: true } }, wait)
  await slow.ready()
  // A page is cached from its first request on.
  await app.inject('/about')
})
afterAll(() => slow.close())

beforeEach(async () => {
  held = new Promise((resolve) => (release = resolve))
  const fill = (count: number, ask: () => Promise<unknown>) => {
    const asked = Array.from({ length: count }, ask)
    waiting.push(...asked)
    // The first response is the one that found no room.
    return Promise.race(asked)
  }
  waiting = []
  await Promise.all([
    fill(210, async () => await slow.inject('/api/slow')),
    fill(220, async () => await slow.inject({ method: 'POST', url: '/api/slow' })),
    fill(420, async () => await slow.inject({ method: 'POST', url: '/api/last' })),
    fill(110, () => render.run(waits.cachedPage, () => held).catch(() => undefined)),
  ])
})
afterEach(async () => {
  release()
  await Promise.all(waiting)
})

const countContacts = async () => (await db.selectFrom('contacts').select('id').execute()).length

/** Decodes an attribute value as a browser does. */
const unescaped = (value: string) => value.replaceAll(/&(amp|quot|lt|gt);/g, (entity) => entities[entity] ?? entity)
const entities: Record<string, string> = { '&amp;': '&', '&quot;': '"', '&lt;': '<', '&gt;': '>' }

describe('while every queue is full', () => {
  test('cached pages and health checks are served', async () => {
    for (const url of ['/about', '/healthz', '/readyz']) expect([url, (await app.inject(url)).statusCode]).toEqual([url, 200])
  })

  test('staff see their pages and lists, and their writes are accepted', async () => {
    const { headers } = await signIn('staff')
    for (const url of ['/dashboard', '/api/contacts', '/api/leads/summary']) {
      expect([url, (await app.inject({ url, headers })).statusCode]).toEqual([url, 200])
    }
    const payload = { name: 'Ada', email: 'ada@analytical.example', projectDescription: 'Prices of 40 shops.' }
    expect((await app.inject({ method: 'POST', url: '/api/consultations', headers, payload })).statusCode).toBe(201)
  })

  test('writes of people with an account are bounded too', async () => {
    const { headers } = await signIn('staff')
    const refused: number[] = []
    const written = Array.from({ length: 250 }, async () => {
      const reply = await slow.inject({ method: 'POST', url: '/api/slow', headers })
      if (reply.statusCode === 503) refused.push(reply.statusCode)
      return reply
    })
    await eventually(() => expect(refused).toHaveLength(34))
    release()
    expect(tally(await Promise.all(written))).toEqual({ 200: 216, 503: 34 })
  })

  test('an expired token does not bypass the public queue, except to renew the session', async () => {
    const call = authClient(app)
    const signUp = await call('POST', '/signup', { email: someEmail(), password: PASSWORD }, bearer(earlier))
    expect(signUp.statusCode).toBe(503)
    const renewal = { refresh_token: earlier.refresh_token }
    expect((await call('POST', '/token?grant_type=refresh_token', renewal, bearer(earlier))).statusCode).toBe(200)
  })

  test('a page rendered for one visitor says in HTML that the site is busy', async () => {
    const reply = await app.inject('/?turn=1')
    expect([reply.statusCode, reply.headers['retry-after'], reply.headers['cache-control']]).toEqual([503, '2', 'no-store'])
    expect(reply.headers['content-type']).toContain('text/html')
    expect(reply.body).toContain('Please try again in a few seconds.')
  })

  test('a sign-in gets the busy error of its protocol', async () => {
    const payload = { email: someEmail(), password: PASSWORD }
    const reply = await app.inject({ method: 'POST', url: '/auth/v1/token?grant_type=password', payload })
    expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '2'])
    expect(reply.json()).toMatchObject({ error_code: 'unexpected_failure', msg: expect.stringContaining('try again') })
  })

  test('an enquiry by script is refused as not sent, and is accepted once when it is sent again under its key', async () => {
    const before = await countContacts()
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const refused = await sendEnquiry(app, ada, headers)
    expect([refused.statusCode, refused.headers['retry-after'], refused.headers['content-type']]).toEqual([
      503,
      '2',
      'application/problem+json',
    ])
    expect(refused.json().detail).toBe(NOT_SENT)
    release()
    await Promise.all(waiting)
    for (const _again of [1, 2]) expect((await sendEnquiry(app, ada, headers)).statusCode).toBe(201)
    expect(await countContacts()).toBe(before + 1)
  })

  test('an enquiry without script comes back with all typed fields and a button that sends it', async () => {
    const before = await countContacts()
    const typed = { ...ada, message: 'Line one of "prices" & <b>more</b>.\nLine two.' }
    const refused = await sendForm(app, '/contact', typed)
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '2'])
    expect(refused.headers['content-security-policy']).toContain(`form-action 'self'`)
    expect(refused.body).toMatch(/<form method="post" action="\/contact">.*<button>Send again<\/button>/s)
    const kept = [...refused.body.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)]
    const fields = Object.fromEntries(kept.map(([, name = '', value = '']) => [name, unescaped(value)]))
    expect(fields).toEqual(typed)
    release()
    await Promise.all(waiting)
    const taken = await sendForm(app, '/contact', fields)
    expect([taken.statusCode, taken.headers.location]).toEqual([303, expect.stringMatching(/^\/contact\?sent=W-/)])
    expect(await countContacts()).toBe(before + 1)
  })

  test('an enquiry in an unknown encoding is not promised back: its sender reads that it was not sent', async () => {
    const boundary = 'b'
    const part = `--${boundary}\r\ncontent-disposition: form-data; name="email"\r\n\r\nada@example.com\r\n--${boundary}--\r\n`
    const type = `multipart/form-data; boundary=${boundary}`
    const refused = await app.inject({
      method: 'POST',
      url: '/contact',
      headers: { 'content-type': type, host: 'localhost:3000', origin: 'http://localhost:3000' },
      payload: part,
    })
    expect(refused.statusCode).toBe(503)
    expect(refused.body).toContain(NOT_SENT)
    expect(refused.body).not.toMatch(/<form|kept on this page/)
  })

  test('a password is never written into the busy page', async () => {
    const refused = await sendForm(app, '/login', { email: someEmail(), password: PASSWORD })
    expect(refused.statusCode).toBe(503)
    expect(refused.body).not.toContain(PASSWORD)
    expect(refused.body).not.toContain('<form')
  })
})

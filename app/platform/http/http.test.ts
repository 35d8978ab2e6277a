import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Api, createHttp, perVisitor } from './http.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { inertPolicy, securityHeaders } from './security-headers.server.ts'

const things: Api = async (api) => {
  api.get('/api/things/:id', { schema: { response: { 200: z.object({ id: z.string() }) } } }, async ({ params }) => ({
    ...z.object({ id: z.string() }).parse(params),
    secret: 'no column of the schema',
  }))
  api.put('/api/things/:id', { schema: { body: z.object({ name: z.string('Say its name.') }) } }, async () => ({}))
  api.get('/api/wrong', { schema: { response: { 200: z.object({ id: z.string() }) } } }, async () => {
    throw Object.assign(new Error('password is hunter2'), { statusCode: 500 })
  })
  api.get('/api/careless', async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=60').header('vary', 'accept, cookie').send({}),
  )
  api.get('/api/own', async (_request, reply) => reply.header('cache-control', 'private, max-age=60').send({}))
  api.get('/api/common', { config: { isPublic: true } }, async ({ headers }, reply) => {
    if (headers['x-cookie']) reply.setCookie('a', 'b')
    return headers['x-wrong'] ? stop('notFound', 'Nothing.') : reply.header('cache-control', 'public, max-age=60').send({})
  })
  api.post('/api/hook', { config: { allowForeignOrigin: true } }, async () => ({}))
  api.get('/api/limited', { config: { limit: perVisitor('http-test', 2, '1 minutes') } }, async () => ({}))
}

const http = createHttp()

beforeAll(async () => {
  http.register(things)
  await http.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => http.close())

const put = (body: string, headers = {}) =>
  http.inject({ method: 'PUT', url: '/api/things/1', body, headers: { 'content-type': 'application/json', ...headers } })

describe('happy', () => {
  test('fields outside the schema of a response are not sent', async () => {
    const reply = await http.inject('/api/things/7')
    expect([reply.statusCode, reply.json()]).toEqual([200, { id: '7' }])
  })

  test('every response has the security headers and its ID', async () => {
    for (const url of ['/api/things/7', '/api/nothing', '/api/wrong']) {
      const { headers } = await http.inject(url)
      expect(headers).toMatchObject({ ...securityHeaders, 'content-security-policy': inertPolicy })
      expect(headers['x-request-id']).toMatch(/^[\w-]{16,}$/)
    }
  })

  test('a response is private, whatever its endpoint says, unless the endpoint declares that it is public', async () => {
    const cacheOf = async (url: string, headers = {}) => {
      const reply = await http.inject({ url, headers })
      return [reply.headers['cache-control'], reply.headers['vary']]
    }
    expect(await cacheOf('/api/things/7')).toEqual(['no-store', 'Cookie, Authorization'])
    expect(await cacheOf('/api/nothing')).toEqual(['no-store', 'Cookie, Authorization'])
    expect(await cacheOf('/api/careless')).toEqual(['no-store', 'accept, Cookie, Authorization'])
    expect(await cacheOf('/api/own')).toEqual(['private, max-age=60', 'Cookie, Authorization'])
    expect(await cacheOf('/api/common')).toEqual(['public, max-age=60', undefined])
    expect(await cacheOf('/api/common', { 'x-cookie': 'yes' })).toEqual(['no-store', 'Cookie, Authorization'])
    expect(await cacheOf('/api/common', { 'x-wrong': 'yes' })).toEqual(['no-store', 'Cookie, Authorization'])
  })

  test('HEAD works wherever GET does', async () => {
    const reply = await http.inject({ method: 'HEAD', url: '/api/things/7' })
    expect([reply.statusCode, reply.body]).toEqual([200, ''])
  })
})

describe('error', () => {
  const problemOf = (reply: Awaited<ReturnType<typeof put>>) => {
    expect(reply.headers).toMatchObject({ 'content-type': 'application/problem+json', 'cache-control': 'no-store' })
    const problem = reply.json()
    expect(problem).toMatchObject({ type: 'about:blank', status: reply.statusCode, message: problem.detail })
    return problem
  }

  test('an unknown address is a problem with status 404', async () => {
    for (const url of ['/api/nothing', '/api/', '/auth/v1/nothing', '/assets/old-release.js']) {
      expect(problemOf(await http.inject(url))).toMatchObject({ status: 404, title: 'Not found' })
    }
  })

  test('a method that an address does not take is 405, with the allowed ones', async () => {
    const reply = await http.inject({ method: 'DELETE', url: '/api/things/7?force=1' })
    expect(problemOf(reply)).toMatchObject({ status: 405, detail: 'This address does not take DELETE.' })
    expect(reply.headers.allow).toBe('GET, HEAD, PUT')
  })

  test('a refused field is named', async () => {
    expect(problemOf(await put('{}'))).toMatchObject({ status: 422, code: 'validation_failed', errors: { name: 'Say its name.' } })
  })

  test.each([
    ['{', 400, 'The body is not valid JSON.'],
    ['', 400, 'The body is empty, JSON is needed.'],
    [JSON.stringify({ name: 'x'.repeat(1024 * 1024) }), 413, 'This request is too large. Send less data.'],
    ['{"__proto__": {"admin": true}, "name": "x"}', 400, 'The body is not valid JSON.'],
    [`{"name": ${'['.repeat(300_000)}${']'.repeat(300_000)}}`, 400, 'The body is not valid JSON.'],
  ])('the body %.12s is %i', async (body, status, detail) => {
    expect(problemOf(await put(body))).toMatchObject({ status, detail })
  })

  test('a body may have a sensible depth, and no more', async () => {
    const deep = (levels: number) => `{"name": "x", "more": ${'{"a":'.repeat(levels)}0${'}'.repeat(levels)}}`
    expect([(await put(deep(99))).statusCode, (await put(deep(100))).statusCode]).toEqual([200, 400])
  })

  test('another media type is 415', async () => {
    expect(problemOf(await put('<name/>', { 'content-type': 'text/xml' }))).toMatchObject({ status: 415 })
  })

  test('a bug is 500 and reveals nothing', async () => {
    const reply = await http.inject('/api/wrong')
    expect(problemOf(reply)).toMatchObject({ status: 500, detail: 'Something went wrong on our side. We have been told.' })
    expect(reply.body).not.toMatch(/hunter2|at .+:\d+/)
  })

  test('a malformed address is 400', async () => {
    const reply = await new Promise<IncomingMessage>((resolve) => get(http.listeningOrigin, { path: '/api/%E0%A4%A' }, resolve))
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([400, 'application/problem+json'])
    expect(reply.headers).toMatchObject(securityHeaders)
    expect(await text(reply)).toContain('This address is not written correctly.')
  })
})

describe('security', () => {
  test('a write from a foreign page is refused before it is read, unless the endpoint is open to all', async () => {
    for (const headers of [{ origin: 'https://evil.example' }, { origin: 'null' }, { 'sec-fetch-site': 'cross-site' }]) {
      expect((await put('{"name":"x"}', headers)).json()).toMatchObject({ status: 403, code: 'foreign_origin' })
    }
    const open = { method: 'POST', url: '/api/hook', headers: { origin: 'https://evil.example' } } as const
    expect((await http.inject(open)).statusCode).toBe(200)
  })

  test('a write from our own page, or from no page at all, is read', async () => {
    for (const headers of [{ origin: 'http://localhost:3000' }, { 'sec-fetch-site': 'same-origin' }, {}]) {
      expect((await put('{"name":"x"}', headers)).statusCode).toBe(200)
    }
  })

  test('a limit counts each visitor separately, whatever they say about proxies', async () => {
    const ask = async (remoteAddress: string, forwarded: string) =>
      (await http.inject({ url: '/api/limited', remoteAddress, headers: { 'x-forwarded-for': forwarded } })).statusCode
    const statuses = [
      await ask('10.1.1.1', '1.1.1.1'),
      await ask('10.1.1.1', '2.2.2.2'),
      await ask('10.1.1.1', '3.3.3.3'),
      await ask('10.1.1.2', ''),
    ]
    expect(statuses).toEqual([200, 200, 429, 200])
  })

  test('invalid HTTP gets 400 and nothing else', async () => {
    const { port } = new URL(http.listeningOrigin)
    const socket = connect(Number(port), '127.0.0.1').end('NONSENSE\r\n\r\n')
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
  })
})

import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

vi.hoisted(() => {
  process.env['SITE_URL'] = 'https://example.com'
  process.env['TRUST_PROXY'] = '127.0.0.1'
})

const { CacheServer } = await import('#app/platform/page-cache/cache-server.server.ts')
const { createHttp } = await import('./http.server.ts')

const cacheServer = new CacheServer()
const http = createHttp(cacheServer.serverFactory)
http.addHook('onReady', async () => cacheServer.open())
http.all('/*', async () => 'here')
beforeAll(() => http.listen({ port: 0, host: '127.0.0.1' }))
afterAll(() => http.close())

async function ask(path: string, headers: OutgoingHttpHeaders, method = 'GET') {
  const sent = request(http.listeningOrigin, { path, method, headers }).end()
  const reply = await new Promise<IncomingMessage>((resolve) => sent.once('response', resolve))
  return { status: reply.statusCode, location: reply.headers.location, headers: reply.headers, body: await text(reply) }
}

describe('a page asked for under another public name', () => {
  test.each(['www.example.com', 'example.org', 'www.example.org:80', 'EXAMPLE.ORG'])('%s leads to the one of the site', async (host) => {
    const reply = await ask('/services?from=letter', { host })

    expect(reply).toMatchObject({ status: 301, location: 'https://example.com/services?from=letter', body: '' })
    expect(reply.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("'none'"),
    })
    expect(await ask('/', { host }, 'HEAD')).toMatchObject({ status: 301, location: 'https://example.com/' })
  })

  test('redirects reads only, never a form', async () => {
    expect((await ask('/contact', { host: 'www.example.com' }, 'POST')).status).toBe(200)
  })
})

describe('stays where it was asked for', () => {
  test.each([
    ['the name of the site', 'example.com'],
    ['the same name at another port', 'example.com:8443'],
    ['this machine', 'localhost:3000'],
    ['this machine by its number', '127.0.0.1'],
    ['a number of the network', '10.0.0.7'],
    ['a number of the new kind', '[fd00::7]'],
    ['a container', 'winnow'],
    ['a balancer within', 'web.default.svc.cluster.local'],
    ['a door that is not the public one', 'inner.example.org:3000'],
  ])('%s', async (_what, host) => {
    expect(await ask('/services', { host })).toMatchObject({ status: 200, body: 'here' })
  })

  test('requests of machines, under any name', async () => {
    for (const path of [
      '/healthz',
      '/readyz',
      '/metrics',
      '/api/contacts',
      '/auth/v1/user',
      '/assets/app.js',
      '/.well-known/acme-challenge/x',
    ]) {
      expect([path, (await ask(path, { host: 'www.example.com' })).location]).toEqual([path, undefined])
    }
  })

  test('requests of a proxy under its own name, when it says that the visitor used ours', async () => {
    expect((await ask('/', { host: 'app.hosting.example', 'x-forwarded-host': 'example.com' })).status).toBe(200)
  })
})

describe('security', () => {
  test('the sent name is never repeated, however it is written', async () => {
    for (const host of [
      'evil.example',
      'evil.example@example.com',
      'example.com.evil.example',
      'evil.example#.example.com',
      'evil.example/..',
    ]) {
      const { location = '', body, headers } = await ask('//evil.test/%0d%0aset-cookie:x', { host, 'x-forwarded-host': 'evil.example' })
      expect(location === '' || location === 'https://example.com//evil.test/%0d%0aset-cookie:x').toBe(true)
      expect(body + JSON.stringify(headers)).not.toContain('evil.example')
    }
  })

  test('a header that anyone can add causes no redirect: requested under our name, the page is here', async () => {
    expect((await ask('/', { host: 'example.com', 'x-forwarded-host': 'evil.example' })).status).toBe(200)
  })

  test('an address that no header may hold is refused before any lookup', async () => {
    const { port } = new URL(http.listeningOrigin)
    const socket = connect(Number(port), '127.0.0.1')
    socket.end('GET /caf\u00e9 HTTP/1.1\r\nHost: www.example.com\r\nConnection: close\r\n\r\n', 'latin1')
    const answer = await text(socket)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer.toLowerCase()).not.toContain('location:')
  })
})

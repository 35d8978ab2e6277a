import * as build from 'virtual:react-router/server-build'
import { get, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { createElement } from 'react'
import type { ServerBuild } from 'react-router'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { readPageAccess } from '#app/page-access.server.ts'
import { createHttp, perVisitor } from '#app/platform/http/http.server.ts'
import { log } from '#app/platform/process/log.server.ts'
import { PageCache } from './page-cache.server.ts'
import { pages } from './pages.server.ts'
import { stop } from '#app/platform/errors/stop.ts'

/** The product's own root, error page and entries, with pages that go wrong on purpose. */
const troubled = withPages({
  stopped: { loader: () => stop('gone', 'This offer has ended.') },
  'broken-loader': { loader: () => fail() },
  'broken-view': { default: () => fail() },
  acts: { action: () => stop('conflict', 'Someone was faster.') },
  busy: { loader: () => stop('tooMany', 'That was too often.', { retryAfter: 90 }) },
  echo: { default: undefined, action: async ({ request }) => Response.json([...(await request.formData())]) },
})

function fail(): never {
  throw new Error('a secret of the code')
}

type Page = Partial<NonNullable<ServerBuild['routes'][string]>['module']>

function withPages(modules: Record<string, Page>): ServerBuild {
  const routes = { ...build.routes }
  const assets = { ...build.assets, routes: { ...build.assets.routes } }
  const root = build.assets.routes['root']
  for (const [id, module] of Object.entries(modules)) {
    routes[id] = {
      id,
      path: id,
      parentId: 'root',
      module: { default: () => createElement('h1', {}, id), handle: { access: 'public' }, ...module },
    }
    if (root) assets.routes[id] = { ...root, id, path: id, parentId: 'root', hasLoader: 'loader' in module }
  }
  return { ...build, routes, assets }
}

const http = createHttp()
const bug = vi.spyOn(log, 'error')

beforeAll(async () => {
  http.get('/api/limited', { config: { limit: perVisitor('test', 1, '1 hours') } }, async () => ({ ok: true }))
  readPageAccess(troubled)
  http.register(pages(troubled, new PageCache()))
  await http.listen({ port: 0, host: '127.0.0.1' })
})
afterEach(() => void bug.mockClear())
afterAll(() => http.close())

/** Sends the address exactly as it is written, which no client with manners does. */
async function askRudely(path: string) {
  const response = await new Promise<IncomingMessage>((resolve) => get(http.listeningOrigin, { path }, resolve))
  return { status: response.statusCode ?? 0, body: await text(response) }
}

const post = (url: string, payload: string, headers = {}) =>
  http.inject({ method: 'POST', url, payload, headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers } })

describe('a page that is refused', () => {
  test('keeps the status of its stop, with the sentence on the error page', async () => {
    const reply = await http.inject('/stopped')
    expect(reply.statusCode).toBe(410)
    expect(reply.body).toContain('This offer has ended.')
    expect(bug).not.toHaveBeenCalled()
  })

  test('says so after an action, too', async () => {
    const reply = await post('/acts', 'name=Ada')
    expect([reply.statusCode, reply.body.includes('Someone was faster.')]).toEqual([409, true])
  })

  test('is an HTML page also when the door refused it: a foreign sender', async () => {
    const reply = await post('/acts', 'name=Ada', { origin: 'https://elsewhere.example' })
    expect(reply.statusCode).toBe(403)
    expect(reply.headers['content-type']).toContain('text/html')
    expect(reply.body).toContain('This request came from another site.')
  })

  test('is an HTML page also when it is more than can be sent', async () => {
    const reply = await post('/echo', `name=${'x'.repeat(1024 * 1024)}`)
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([413, 'text/html; charset=utf-8'])
  })

  test('is 404 for an unknown path, whatever the method, and no bug', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE'] as const) {
      const reply = await http.inject({ method, url: '/nowhere/at/all' })
      expect([reply.statusCode, reply.body.includes('404 Page Not Found')]).toEqual([404, true])
    }
    expect(bug).not.toHaveBeenCalled()
  })

  test('is 405 where nothing can be sent to', async () => {
    expect((await post('/stopped', 'name=Ada')).statusCode).toBe(405)
  })

  test('says when to come back', async () => {
    const reply = await http.inject('/busy')
    expect([reply.statusCode, reply.headers['retry-after']]).toEqual([429, '90'])
  })

  test.each(['/%', '/%E0%A4%A', '/\\', '//', '/%00', '/a/../..//b', '/?%', '/%.data', '/_root.data', '/.data', `/${'x'.repeat(4000)}`])(
    'is no server error for the address %.20s',
    async (path) => {
      const { status, body } = await askRudely(path)
      expect(status).toBeLessThan(500)
      expect(body).not.toMatch(/\bat \S+.*\.[jt]sx?:\d+:\d+/)
      expect(bug).not.toHaveBeenCalled()
    },
  )
})

describe('a page with a bug', () => {
  test.each(['/broken-loader', '/broken-view'])(
    '%s is 500 with a kind page, logged once with the request, without a stack',
    async (url) => {
      const reply = await http.inject({ url })
      expect(reply.statusCode).toBe(500)
      expect(reply.headers['content-type']).toContain('text/html')
      expect(reply.body).not.toMatch(/a secret of the code|pages\.test|node_modules/)
      expect(bug).toHaveBeenCalledTimes(1)
      expect(bug.mock.calls[0]?.[0]).toMatchObject({ request: reply.headers['x-request-id'], err: { message: 'a secret of the code' } })
    },
  )

  test('keeps its stack from the data of a live page, too', async () => {
    const reply = await http.inject({ url: '/broken-loader.data' })
    expect(reply.statusCode).toBe(500)
    expect(reply.body).not.toMatch(/a secret of the code|pages\.test|node_modules/)
  })
})

test('a limit stops the API with a problem and says when to come back', async () => {
  await http.inject('/api/limited')
  const reply = await http.inject('/api/limited')
  expect(reply.statusCode).toBe(429)
  expect(reply.headers).toMatchObject({ 'content-type': 'application/problem+json', 'retry-after': '3600' })
  expect(reply.json()).toMatchObject({ code: 'too_many_requests', detail: 'That was too often. Please try again in an hour.' })
})

test('forms arrive whole', async () => {
  const reply = await post('/echo', 'name=Ada+Lovelace', { origin: 'http://localhost:3000' })
  expect(reply.body).toBe('[["name","Ada Lovelace"]]')
})

test('a form that is sent to an address with a slash too many arrives', async () => {
  expect((await post('/echo/', 'name=Ada')).body).toBe('[["name","Ada"]]')
})

test('a whole address means its path on this site, a star the site itself, and TRACE nothing', async () => {
  const ask = (method: string, path: string) =>
    new Promise<IncomingMessage>((resolve) => request(http.listeningOrigin, { method, path }, resolve).end())
  const statusOf = async (method: string, path: string) => (await ask(method, path)).statusCode
  expect(await statusOf('GET', 'http://evil.example/contact')).toBe(200)
  expect(await statusOf('GET', 'http://evil.example//no/such/page')).toBe(404)
  expect(await statusOf('OPTIONS', '*')).toBe(405)
  expect([await statusOf('TRACE', '/'), await statusOf('TRACE', '/contact.data')]).toEqual([404, 404])
  expect(bug).not.toHaveBeenCalled()
})

test('HEAD is GET without its body', async () => {
  const get = await http.inject('/contact')
  const head = await http.inject({ method: 'HEAD', url: '/contact' })
  expect(head.statusCode).toBe(200)
  expect(head.body).toBe('')
  expect(head.headers['content-type']).toBe(get.headers['content-type'])
})

import * as build from 'virtual:react-router/server-build'
import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { createElement } from 'react'
import { data, type LoaderFunctionArgs, type ServerBuild, useLoaderData } from 'react-router'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { CacheServer } from './cache-server.server.ts'
import { readPageAccess } from '#app/page-access.server.ts'
import { createHttp } from '#app/platform/http/http.server.ts'
import { clearPages, PageCache, pageKey } from './page-cache.server.ts'
import { pages } from './pages.server.ts'
import { securityHeaders } from '#app/platform/http/security-headers.server.ts'
import { ACCESS_COOKIE } from '#app/platform/http/session-cookie.server.ts'
import { signal } from '#app/platform/database/signals.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { requestContextOf } from '#app/platform/http/request-context.server.ts'

let rendered = 0
let meanwhile: (() => Promise<void>) | undefined

/** The product's own root around a page that says how often it was rendered. */
async function load({ context, request }: LoaderFunctionArgs) {
  rendered += 1
  await meanwhile?.()
  const page = new URL(request.url).searchParams.get('page')
  if (page === 'none') stop('notFound', 'There is no such page.')
  const { theme, cookies } = requestContextOf(context)
  return data({ theme, cookies: Object.keys(cookies) }, page === 'cookie' ? { headers: { 'set-cookie': 'for=one' } } : {})
}

function News() {
  return createElement('p', {}, JSON.stringify(useLoaderData()))
}

const cacheServer = new CacheServer()
const http = createHttp(cacheServer.serverFactory)
http.addHook('onReady', async () => cacheServer.open())

beforeAll(async () => {
  const news = {
    id: 'news',
    path: 'news/:issue',
    parentId: 'root',
    module: {
      default: News,
      handle: { access: 'public', cache: { tags: ['news'], query: ['page'], unlessCookie: 'own-news', seconds: 60 } },
      loader: load,
    },
  }
  const routes = { ...build.routes, news }
  const assets = { ...build.assets, routes: { ...build.assets.routes, news: { ...build.assets.routes['root'], id: 'news' } } }
  const withNews: Pick<ServerBuild, 'routes'> = { routes }
  const withOne = Object.assign({}, build, withNews, { assets })
  readPageAccess(withOne)
  http.register(pages(withOne, cacheServer.cache))
  await http.listen({ port: 0, host: '127.0.0.1' })
})
beforeEach(async () => {
  await signal('reconnected')
  rendered = 0
  meanwhile = undefined
})
afterAll(() => http.close())

const agent = new Agent({ keepAlive: true, maxSockets: 4 })
afterAll(() => agent.destroy())

async function ask(path: string, headers: OutgoingHttpHeaders = {}, method = 'GET') {
  const sent = request(http.listeningOrigin, { path, method, headers, agent }).end()
  const reply = await new Promise<IncomingMessage>((resolve, reject) => sent.once('response', resolve).once('error', reject))
  return { status: reply.statusCode, headers: reply.headers, raw: reply.rawHeaders, body: await buffer(reply) }
}

const rest = ({ headers }: Awaited<ReturnType<typeof ask>>) => ({ ...headers, date: '', 'x-request-id': '' })

describe('a page for anonymous visitors', () => {
  test('is rendered once for concurrent requests', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => ask('/news/1')))
    expect(rendered).toBe(1)
    expect(new Set(replies.map(({ status, body }) => `${status} ${body.toString()}`)).size).toBe(1)
    await ask('/news/1')
    expect(rendered).toBe(1)
  })

  test('comes in the requested encoding, each with the same content', async () => {
    const { body } = await ask('/news/1')
    const br = await ask('/news/1', { 'accept-encoding': 'gzip, deflate, br, zstd' })
    const gzip = await ask('/news/1', { 'accept-encoding': 'gzip;q=1.0, br;q=0' })
    expect([br.headers['content-encoding'], gzip.headers['content-encoding']]).toEqual(['br', 'gzip'])
    expect([brotliDecompressSync(br.body), gunzipSync(gzip.body)]).toEqual([body, body])
    expect((await ask('/news/1', { 'accept-encoding': 'identity' })).headers['content-encoding']).toBeUndefined()
  })

  test('is the same response at the first, the second and the hundredth time, but for its ID and the time', async () => {
    const first = await ask('/news/1')
    for (let time = 0; time < 100; time++) {
      const next = await ask('/news/1')
      expect([next.status, rest(next), next.body]).toEqual([first.status, rest(first), first.body])
      expect(next.raw.filter((_, index) => index % 2 === 0).length).toBe(new Set(Object.keys(next.headers)).size)
    }
    expect(rendered).toBe(1)
    expect(first.headers).toMatchObject({ ...securityHeaders, 'cache-control': 'no-cache', vary: 'Accept-Encoding, Cookie, Authorization' })
    expect(first.headers['content-security-policy']).toContain("script-src 'self';")
  })

  test('is not sent again to a browser that has it', async () => {
    const { headers } = await ask('/news/1')
    const again = await ask('/news/1', { 'if-none-match': ['"other"', headers.etag].join(', ') })
    expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, headers.etag])
    expect(again.headers).toMatchObject(securityHeaders)
    expect((await ask('/news/1', { 'if-none-match': '"other"' })).status).toBe(200)
  })

  test('has a head without a body', async () => {
    await ask('/news/1')
    const head = await ask('/news/1', {}, 'HEAD')
    expect([head.status, head.body.length, Number(head.headers['content-length']) > 100]).toEqual([200, 0, true])
  })

  test('is cached separately by theme, and reads no other cookie of the first visitor', async () => {
    const dark = await ask('/news/1', { cookie: 'tracker=1; theme=dark' })
    const odd = await ask('/news/1', { cookie: 'theme=pink; xtheme=dark' })
    const system = await ask('/news/1')
    expect(dark.body.toString()).toContain('{&quot;theme&quot;:&quot;dark&quot;,&quot;cookies&quot;:[]}')
    expect(odd.body).toEqual(system.body)
    expect(rendered).toBe(2)
  })

  test('is cached with the queries that it names, and with no other', async () => {
    for (const path of ['/news/1?page=2', '/news/1?page=2', '/news/1?other=1', '/news/1?other=1']) await ask(path)
    expect(rendered).toBe(3)
  })
})

describe('a page that is not public', () => {
  test('a visitor with an access cookie or token gets a page of their own', async () => {
    for (const headers of [{ cookie: `theme=dark; ${ACCESS_COOKIE}=x` }, { authorization: 'Bearer x' }]) {
      await ask('/news/1', headers)
      await ask('/news/1', headers)
    }
    expect(rendered).toBe(4)
  })

  test('a visitor with the cookie that the page names gets a page of their own, and leaves none behind', async () => {
    await ask('/news/1', { cookie: 'own-news=1' })
    const common = await ask('/news/1')
    const own = await ask('/news/1', { cookie: 'theme=dark; __Host-own-news=1' })
    await ask('/news/1', { cookie: 'not-own=news' })
    expect(rendered).toBe(3)
    expect([common.body.toString().includes('own-news'), own.body.toString().includes('own-news')]).toEqual([false, true])
  })

  test.each(['/news/1?page=none', '/news/1?page=cookie', '/NEWS/1', '/%6Eews/1', '/nowhere', '/news/1?', '/news/1?&&'])(
    '%s is not kept',
    async (path) => {
      const before = await ask(path)
      const after = await ask(path)
      expect(after.status).toBe(before.status)
      expect(before.headers.etag ?? after.headers.etag).toBeUndefined()
    },
  )

  test('a page whose rendering fails for one is tried again for the next', async () => {
    meanwhile = () => Promise.reject(new Error('once'))
    expect((await ask('/news/1')).status).toBe(500)
    meanwhile = undefined
    expect((await ask('/news/1')).status).toBe(200)
  })
})

describe('a change', () => {
  test('clears the page at its path and the pages with its tag, in all their forms', async () => {
    const paths = ['/news/1', '/news/1?page=2', '/news/2']
    const askAll = async () => {
      rendered = 0
      for (const path of paths) for (const cookie of ['theme=dark', '']) await ask(path, { cookie })
      return rendered
    }
    expect(await askAll()).toBe(6)
    await clearPages('/news/1')
    expect(await askAll()).toBe(4)
    await clearPages('news')
    expect(await askAll()).toBe(6)
    await clearPages('something else', '/news')
    expect(await askAll()).toBe(0)
  })

  test('that only time makes is seen after the seconds that the page names', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    await ask('/news/1')
    vi.setSystemTime(Date.now() + 59_000)
    await ask('/news/1')
    expect(rendered).toBe(1)
    vi.setSystemTime(Date.now() + 2000)
    await ask('/news/1')
    vi.useRealTimers()
    expect(rendered).toBe(2)
  })

  test('of a page that may come late is rendered beside the copy before it, at most twice in that time, and seen after it', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const cache = new PageCache()
    let renderings = 0
    const read = async () => {
      const render = async () => new Response(`${(renderings += 1)}`)
      const page = await cache.obtain('/times', { tags: ['times'], seconds: 30, lateSeconds: 1 }, render)
      return 'content' in page ? page.content.text : ''
    }
    /** Time passes, the page is requested, and a rendering that begins with the request ends. */
    const readAfter = async (ms: number) => {
      vi.setSystemTime(Date.now() + ms)
      const seen = await read()
      // Vitest's own waits would move the fake clock on.
      while (cache.find('/times')?.content.text !== `${renderings}`) await sleep(5)
      return seen
    }
    const change = () => clearPages('times')
    const seen = [await readAfter(0)]
    await change()
    seen.push(await readAfter(100))
    // A second change does not prolong the life of the copy.
    await change()
    seen.push(await readAfter(500), await readAfter(100))
    expect([seen, renderings]).toEqual([['1', '1', '1', '2'], 2])
    await change()
    // Nobody has asked in the time: the page is rendered for the first who does.
    expect([await readAfter(1000), await readAfter(29_900), renderings]).toEqual(['3', '3', 3])
    // Its life is over.
    expect([await readAfter(200), await readAfter(0), renderings]).toEqual(['3', '4', 4])
    vi.useRealTimers()
    cache.close()
  })

  test('during the rendering of a page that may come late leaves a copy that is rendered anew', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const cache = new PageCache()
    let renderings = 0
    const render = async () => {
      renderings += 1
      if (renderings === 1) await clearPages('times')
      return new Response('page')
    }
    const read = () => cache.obtain('/times', { tags: ['times'], lateSeconds: 1 }, render)
    for (const ms of [0, 900, 200]) {
      vi.setSystemTime(Date.now() + ms)
      await read()
      await sleep(50)
    }
    vi.useRealTimers()
    cache.close()
    expect(renderings).toBe(2)
  })

  test('of a page that may come late keeps its copy while the next rendering fails, and no longer', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const cache = new PageCache()
    let isBroken = false
    const render = async () => (isBroken ? Promise.reject(new Error('broken')) : new Response('page'))
    const read = () => cache.obtain('/times', { tags: ['times'], lateSeconds: 1 }, render)
    await read()
    isBroken = true
    await clearPages('times')
    vi.setSystemTime(Date.now() + 900)
    await read()
    await sleep(50)
    vi.setSystemTime(Date.now() + 200)
    await expect(read()).rejects.toThrow('broken')
    vi.useRealTimers()
    cache.close()
  })

  test('during a rendering prevents the page from being cached', async () => {
    meanwhile = () => clearPages('news')
    await ask('/news/1')
    meanwhile = undefined
    await ask('/news/1')
    await ask('/news/1')
    expect(rendered).toBe(2)
  })
})

test('connections that close, and those that stay open, get whole responses', async () => {
  await ask('/news/1')
  for (const connection of ['close', 'keep-alive', 'close']) {
    const { status, headers, body } = await ask('/news/1', { connection })
    expect([status, headers.connection, Number(headers['content-length'])]).toEqual([200, connection, body.length])
  }
})

test('rarely requested pages are evicted, popular ones stay', async () => {
  const small = new PageCache()
  const keep = (key: string) => small.obtain(key, { tags: [] }, async () => new Response('page'))
  for (let page = 0; page < 2500; page++) {
    await keep(`/${page}`)
    small.find('/0')
  }
  const kept = Array.from({ length: 2500 }, (_, page) => small.find(`/${page}`)).filter(Boolean)
  expect([kept.length, small.find('/0')?.path, small.find('/1')]).toEqual([2000, '/0', undefined])
  small.close()
})

test('a visitor far over the limit is refused cheaply, with a time to retry', async () => {
  // All within one moment, however long this machine takes.
  vi.useFakeTimers({ toFake: ['Date'] })
  const replies = await Promise.all(Array.from({ length: 600 }, () => ask('/news/1')))
  vi.useRealTimers()
  const refused = replies.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThan(50)
  expect(refused[0]?.headers).toMatchObject({ ...securityHeaders, 'retry-after': '10', 'content-type': 'text/html; charset=utf-8' })
})

test('each server counts separately: a visitor over the limit of one is served by the next', async () => {
  const next = new CacheServer()
  const other = createHttp(next.serverFactory)
  other.addHook('onReady', async () => next.open())
  await other.listen({ port: 0, host: '127.0.0.1' })
  await next.cache.obtain(pageKey('/kept', 'system'), { tags: [] }, async () => new Response('page'))
  vi.useFakeTimers({ toFake: ['Date'] })
  const replies = await Promise.all(Array.from({ length: 600 }, () => ask('/news/1')))
  const fetched = await fetch(`${other.listeningOrigin}/kept`)
  vi.useRealTimers()
  await other.close()
  expect([replies.some(({ status }) => status === 429), fetched.status]).toEqual([true, 200])
})

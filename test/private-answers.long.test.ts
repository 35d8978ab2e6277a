import { beforeEach, expect, test } from 'vitest'
import { closeLimits } from '#app/platform/guard/limits.server.ts'
import { CacheServer } from '#app/platform/page-cache/cache-server.server.ts'
import { newId } from '#app/platform/database/db.server.ts'
import { startApp } from './app.ts'
import { dataOf, fill, listOperations, listPages } from './every-route.ts'
import { makeOwner, makePost, makeProduct, signIn } from './factories.ts'

// A cache in front of the product stores everything that it may store, and serves it to the next person.

/** Pages that are the same for every stranger. A new one gets its line here, or the first test fails. */
const publicPages = new Set(
  [
    '/ /services /case-studies /developers /developers/endpoints /developers/guide /developers/errors /developers/changelog /hire-web-scraping-developer /about /contact /get-started /booking-success',
    '/datasets /data-marketplace/:slug /privacy-policy /terms-of-service /cookie-policy /blog /blog/:slug /newsletter /book',
    '/blog/feed.xml /blog/atom.xml /blog/feed.json /sitemap.xml /robots.txt /llms.txt /site.webmanifest',
  ].flatMap((line) => line.split(' ')),
)

const publicEndpoints = new Set([
  'GET /og/*',
  'GET /images/:id/:file',
  'GET /brand/:file',
  'GET /site-files/:file',
  'GET /avatars/:file',
  'GET /api/openapi.json',
  'GET /auth/v1/.well-known/jwks.json',
  'GET /auth/v1/.well-known/openid-configuration',
  'GET /auth/v1/.well-known/oauth-authorization-server',
])

const app = await startApp(new CacheServer())
await app.listen({ port: 0, host: '127.0.0.1' })
await makeOwner()
beforeEach(closeLimits)
const slugs = { blog: (await makePost({ publishedAt: new Date(0) })).slug, product: (await makeProduct()).slug }

const addressOf = (pattern: string) =>
  fill(pattern, (name) => (name === 'slug' ? (pattern.startsWith('/blog') ? slugs.blog : slugs.product) : newId()))

/** Sends requests over the network, because some responses never end. */
async function ask(url: string, headers: Record<string, string> = {}, method = 'GET') {
  const reply = await fetch(app.listeningOrigin + url, { method, headers, redirect: 'manual' })
  const body = /event-stream/.test(reply.headers.get('content-type') ?? '') ? (await reply.body?.cancel(), '') : await reply.text()
  return { status: reply.status, headers: reply.headers, body }
}

type Reply = Awaited<ReturnType<typeof ask>>

function mayBeShared({ headers }: Reply): boolean {
  return !/\b(no-store|private)\b/.test(headers.get('cache-control') ?? '')
}

/**
 * The fault of a response. A private one must be `no-store` and name its `Vary` headers; a public one may be cached and sets no cookie. An error
 * is never public.
 */
function leak(what: string, reply: Reply, { isPublic = false } = {}): string[] {
  const vary = reply.headers.get('vary')?.toLowerCase() ?? ''
  const isPrivate = !mayBeShared(reply) && vary.includes('cookie') && vary.includes('authorization')
  const isShared = mayBeShared(reply) && !reply.headers.has('set-cookie')
  const isRight = isPublic && reply.status < 400 ? isShared : isPrivate
  return isRight ? [] : [`${what} ${reply.status}: ${reply.headers.get('cache-control')}, vary ${vary}`]
}

/** The callers, with their headers. */
type People = Record<string, Record<string, string>>
const token = { authorization: 'Bearer x' }

test('a cache may store only pages that are the same for every visitor, and only for visitors', async () => {
  const { headers } = await signIn('owner')
  const leaks: string[] = []
  for (const page of listPages()) {
    const address = addressOf(page)
    for (const query of ['', '?page=2']) {
      leaks.push(...leak(`${page}${query}`, await ask(address + query), { isPublic: publicPages.has(page) }))
      leaks.push(...leak(`${page}${query}, signed in`, await ask(address + query, headers)))
      leaks.push(...leak(`${page}${query} with a token`, await ask(address + query, token)))
    }
    leaks.push(...leak(`POST ${page}`, await ask(address, {}, 'POST')))
  }
  expect(leaks).toEqual([])
})

test('the data of a page is private to the requesting browser, signed in or not', async () => {
  const people: People = { 'a stranger': {}, 'the owner': (await signIn('owner')).headers, 'a token': token }
  const leaks: string[] = []
  for (const page of listPages()) {
    const address = dataOf(addressOf(page))
    for (const [who, sent] of Object.entries(people))
      for (const query of ['', '?_routes=root']) leaks.push(...leak(`${dataOf(page)}${query} for ${who}`, await ask(address + query, sent)))
  }
  expect(leaks).toEqual([])
})

test('a cache may store only the few endpoints that are the same for everyone', async () => {
  const operations = await listOperations()
  expect(
    operations
      .filter(({ config }) => config?.isPublic)
      .map(({ method, url }) => `${method} ${url}`)
      .toSorted(),
  ).toEqual([...publicEndpoints].toSorted())
  const leaks: string[] = []
  const people: Record<string, string>[] = [{}, (await signIn('customer')).headers, (await signIn('owner')).headers, token]
  for (const { method, url, config } of operations) {
    const address = addressOf(url)
    // Some writes end the session.
    for (const sent of method === 'GET' ? people : [{}, (await signIn('customer')).headers]) {
      const reply = await ask(address, sent, method)
      leaks.push(...leak(`${method} ${url}`, reply, { isPublic: config?.isPublic === true }))
    }
  }
  expect(leaks).toEqual([])
})

test('a cacheable response is the same for everyone with access to it', async () => {
  const shown = /property="og:image" content="[^"]*(\/og\/[^"]+)"/.exec((await ask('/about')).body)?.[1] ?? ''
  for (const address of [shown, '/api/openapi.json', '/auth/v1/.well-known/jwks.json']) {
    const [stranger, owner] = [await ask(address), await ask(address, (await signIn('owner')).headers)]
    expect([address, stranger.status, mayBeShared(stranger), mayBeShared(owner)]).toEqual([address, 200, true, true])
    expect(owner.body === stranger.body).toBe(true)
  }
  for (const page of publicPages) {
    const [one, other] = [await ask(addressOf(page)), await ask(addressOf(page), { cookie: 'visited=yes', 'user-agent': 'another' })]
    expect([page, one.status, one.body === other.body]).toEqual([page, 200, true])
  }
})

test('errors, redirects and unknown addresses are never cached', async () => {
  for (const address of [
    '/nothing',
    '/api/nothing',
    '/auth/v1/nothing',
    '/api/contacts',
    '/dashboard',
    '/About',
    '/api/blog/%00',
    '/og/x',
    '/api/%',
  ])
    expect(leak(address, await ask(address))).toEqual([])
})

import type { RouteOptions } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { closeLimits } from '#app/platform/guard/limits.server.ts'
import { ACCESS_COOKIE, REFRESH_COOKIE } from '#app/platform/http/session-cookie.server.ts'
import { makeServiceKey } from '#app/auth/sessions/jwt.server.ts'
import { startApp } from './app.ts'
import { dataOf, fill, listOperations, listPages } from './every-route.ts'
import { inTurn } from './length.ts'
import { makeOwner, makePost, makeProduct, signIn } from './factories.ts'

// Every text input of every route gets hostile text for databases, file systems and parsers: each a few of the values, or all at full length.

/** Encoded for an address: control characters, invalid UTF-8, half a character, text that is too long. */
const inAddress = [
  '%00',
  'a%00b',
  '%01',
  '%7f',
  '%1B%5B31m',
  '%ff',
  '%C0%80',
  '%E0%A4%A',
  '%',
  '%ED%A0%80',
  'x'.repeat(101),
  'x'.repeat(3000),
  '%F0%9F%98%80'.repeat(60),
]
/** Encoded in JSON. */
const inBody: unknown[] = [
  '\u0000',
  'a\u0000b',
  '\u0001',
  '\uD800',
  'a\uDC00b',
  'x'.repeat(70_000),
  { '\u0000': '\uD800' },
  ['\u0000'],
  1e308,
  null,
  '9'.repeat(400),
]

const someInAddress = inTurn(inAddress, 1)
const someInBody = inTurn(inBody, 1)
/** A parameter that no route knows: by its value, or by its name. */
const someUnknown = inTurn([(value: string) => `unknown=${value}`, (value: string) => `${value}=1`], 1)
/** A field alone, or among all others of the body. */
const someBodies = inTurn(
  [
    (field: object) => field,
    (field: object, names: string[]) => ({ ...Object.fromEntries(names.map((name) => [name, 'a@b.example'])), ...field }),
  ],
  1,
)

const app = await startApp()
await makeOwner()
beforeEach(closeLimits)

const known: Record<string, string> = {}
let serviceKey = ''
beforeAll(async () => {
  const [post, product] = [await makePost({ publishedAt: new Date(0) }), await makeProduct()]
  Object.assign(known, { blog: post.id, slug: product.slug, product: product.id })
  serviceKey = await makeServiceKey(1)
})
afterAll(() => closeLimits())

/** A path segment that reaches as deep into the product as one value can. */
function partOf(pattern: string, name: string): string {
  if (pattern.startsWith('/api/blog')) return known['blog'] ?? ''
  if (name === 'slug' || name === 'idOrSlug') return known['slug'] ?? ''
  return name === '*' ? 'x' : (known['product'] ?? '')
}

const namesIn = (pattern: string) => [...pattern.matchAll(/:(\w+)|\*/g)].map(([, name = '*']) => name)

/** The fields of a schema, however deep its alternatives are. */
function fieldsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  if ('shape' in schema && typeof schema.shape === 'object' && schema.shape) return Object.keys(schema.shape)
  if ('options' in schema && Array.isArray(schema.options)) return schema.options.flatMap(fieldsOf)
  return []
}

function partOfSchema({ schema }: RouteOptions, part: 'querystring' | 'body'): string[] {
  return [...new Set(fieldsOf(schema?.[part]))]
}

async function headersFor(url: string): Promise<Record<string, string>> {
  return url.startsWith('/auth/v1') ? { authorization: `Bearer ${serviceKey}` } : (await signIn('owner')).headers
}

/** The query parameters that pages read. */
function queriesOf(page: string): string[] {
  if (page.startsWith('/login')) return ['next', 'token_hash']
  return (
    { '/blog': ['q', 'page', 'tag'], '/developers': ['dataset'], '/datasets': ['q', 'category', 'sort', 'page'], '/dev/mail': ['letter'] }[
      page
    ] ?? ['q']
  )
}

type Asked = { method: string; url: string; headers: Record<string, string>; payload?: object | string }

/** The fault in one line; undefined for a correct response. */
async function askFor(asked: Asked): Promise<string[]> {
  const what = `${asked.method} ${asked.url.slice(0, 120)} ${JSON.stringify(asked.payload ?? '').slice(0, 80)}`
  const ended = AbortSignal.timeout(20_000)
  const { method, ...rest } = asked
  const reply = await app.inject({ ...rest, method: methodOf(method), signal: ended }).catch(() => undefined)
  if (!reply) return [`${what}: no answer`]
  const isProblem = reply.statusCode < 400 || !asked.url.startsWith('/api/') || reply.headers['content-type'] === 'application/problem+json'
  return reply.statusCode < 500 && isProblem
    ? []
    : [`${what}: ${reply.statusCode} ${reply.headers['content-type']} ${reply.body.slice(0, 80)}`]
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

function methodOf(text: string): (typeof methods)[number] {
  return methods.find((method) => method === text) ?? 'GET'
}

const operations = (await listOperations()).filter(({ url }) => url !== '/api/events')

describe('text that nothing can store is refused, and never our mistake', () => {
  test('in any part of a path', async () => {
    const wrong: string[] = []
    for (const { method, url } of operations) {
      const headers = await headersFor(url)
      for (const name of namesIn(url))
        for (const value of someInAddress()) {
          const address = fill(url, (each) => (each === name ? value : partOf(url, each)))
          wrong.push(...(await askFor({ method, url: address, headers })))
        }
    }
    expect(wrong).toEqual([])
  })

  test('in any value and any name of a query', async () => {
    const wrong: string[] = []
    for (const route of operations) {
      const { method, url } = route
      const headers = await headersFor(url)
      const address = fill(url, (name) => partOf(url, name))
      for (const name of partOfSchema(route, 'querystring'))
        for (const value of someInAddress()) wrong.push(...(await askFor({ method, url: `${address}?${name}=${value}`, headers })))
      for (const value of someInAddress())
        for (const query of someUnknown()) wrong.push(...(await askFor({ method, url: `${address}?${query(value)}`, headers })))
    }
    expect(wrong).toEqual([])
  })

  test('in any field of a body', async () => {
    const wrong: string[] = []
    for (const route of operations) {
      const { method, url } = route
      const address = fill(url, (name) => partOf(url, name))
      const fields = partOfSchema(route, 'body')
      if (fields.length === 0) continue
      const headers = await headersFor(url)
      const bodies = fields.flatMap((name) => someInBody().flatMap((value) => someBodies().map((body) => body({ [name]: value }, fields))))
      for (const payload of bodies) wrong.push(...(await askFor({ method, url: address, headers, payload })))
    }
    expect(wrong).toEqual([])
  }, 600_000)

  test('in a body that is right but for one character', async () => {
    const url = '/api/missing-paths/ignore'
    const headers = await headersFor(url)
    for (const path of ['/\u0000', '/old\u0000page']) {
      const reply = await app.inject({ method: 'POST', url, headers, payload: { path, ignored: true } })
      expect([reply.statusCode, reply.headers['content-type']]).toEqual([400, 'application/problem+json'])
    }
    expect((await app.inject({ method: 'POST', url, headers, payload: { path: '/old', ignored: true } })).statusCode).not.toBe(400)
  })

  test('in any page, its data and its forms', async () => {
    const wrong: string[] = []
    const someInForms = inTurn(['%00', '%01', '%ff', 'x'.repeat(3000)], 1)
    const { headers } = await signIn('owner')
    for (const page of listPages()) {
      const address = fill(page, (name) => partOf(page, name))
      const addresses = someInAddress().flatMap((value) => [
        ...namesIn(page).map((name) => fill(page, (each) => (each === name ? value : partOf(page, each)))),
        ...queriesOf(page).map((name) => `${address}?${name}=${value}`),
      ])
      for (const url of addresses) wrong.push(...(await askFor({ method: 'GET', url, headers })))
      for (const url of addresses.filter((each) => !each.includes('?')))
        wrong.push(...(await askFor({ method: 'GET', url: dataOf(url), headers: {} })))
      for (const value of someInForms()) {
        const payload = ['name', 'email', 'message', 'password', 'code', 'token_hash', 'theme'].map((name) => `${name}=${value}`).join('&')
        const form = { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' }
        wrong.push(...(await askFor({ method: 'POST', url: address, headers: form, payload })))
      }
    }
    expect(wrong).toEqual([])
  }, 600_000)

  test('in headers and cookies that are read', async () => {
    const wrong: string[] = []
    for (const value of ['%00', '%ff', '\u00ff\u0080', 'x'.repeat(6000), '%ED%A0%80']) {
      const sent: Record<string, string>[] = [
        { cookie: `theme=${value}; ${ACCESS_COOKIE}=${value}; ${REFRESH_COOKIE}=${value}` },
        { authorization: `Bearer ${value}` },
        { 'user-agent': value, referer: value, 'accept-language': value, 'x-forwarded-for': value },
        { 'if-none-match': value, range: value, 'idempotency-key': value },
      ]
      for (const url of ['/', '/api/account', '/api/contact/token', '/auth/v1/user', '/api/v1/datasets', '/login'])
        for (const headers of sent) wrong.push(...(await askFor({ method: 'GET', url, headers })))
    }
    expect(wrong).toEqual([])
  })
})

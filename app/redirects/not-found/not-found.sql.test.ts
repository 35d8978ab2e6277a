import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { db } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { startApp } from '#test/app.ts'
import { signIn, type SignedIn } from '#test/factories.ts'
import { saveNotFound, logNotFound } from './not-found-log.server.ts'
import type { NotFoundEntry } from './not-found.ts'

const app = await startApp()
let staff: SignedIn
beforeAll(async () => {
  staff = await signIn('staff')
})
beforeEach(async () => {
  await saveNotFound()
  await db.deleteFrom('missingPaths').execute()
})

const browser = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const miss = async (url: string, userAgent = browser, referer?: string) =>
  app.inject({ url, headers: { 'user-agent': userAgent, ...(referer && { referer }) } })
type Asked = { method?: 'GET' | 'POST' | 'DELETE'; payload?: object; headers?: Record<string, string> }
const call = async (path = '', { headers = staff.headers, ...asked }: Asked = {}) =>
  app.inject({ url: `/api/missing-paths${path}`, headers, ...asked })
async function list(query = ''): Promise<NotFoundEntry[]> {
  await saveNotFound()
  return (await call(query)).json().items
}
const paths = async (query?: string) => (await list(query)).map(({ path }) => path)

describe('happy', () => {
  test('missing pages are counted by path, with bots apart, the referrer and a suggestion', async () => {
    await miss('/servces?name=Ada', browser, `${env.SITE_URL}/about?x=1`)
    await miss('/servces/../servces#x', browser)
    await miss('/servces', 'Googlebot/2.1', 'https://example.com/a?secret=1')
    await miss('/zzz')
    expect(await list()).toEqual([
      {
        path: '/servces',
        hits: 3,
        botHits: 1,
        referrer: 'example.com',
        firstSeenAt: expect.any(String),
        lastSeenAt: expect.any(String),
        ignoredAt: null,
        suggestion: '/services',
      },
      expect.objectContaining({ path: '/zzz', hits: 1, referrer: null, suggestion: null }),
    ])
    await miss('/servces')
    expect((await list())[0]).toMatchObject({ hits: 4, botHits: 1, referrer: 'example.com' })
  })

  test('a list is sorted, of people or of programs, page by page', async () => {
    for (const [url, agent, times] of [
      ['/b', browser, 2],
      ['/a', 'curl/8', 5],
      ['/c', browser, 1],
    ] as const) {
      for (let time = 0; time < times; time += 1) await miss(url, agent)
    }
    expect(await paths()).toEqual(['/a', '/b', '/c'])
    expect(await paths('?visitors=people')).toEqual(['/b', '/c'])
    expect(await paths('?visitors=bots')).toEqual(['/a'])
    expect(await paths('?sort=path&offset=1&limit=1')).toEqual(['/b'])
    expect((await call('?limit=1')).json().total).toBe(3)
  })

  test('a path can be ignored, restored, deleted or redirected; all can be deleted', async () => {
    for (const url of ['/1', '/2', '/old/3', '/4']) await miss(url)
    await saveNotFound()
    expect((await call('/ignore', { method: 'POST', payload: { path: '/1', ignored: true } })).statusCode).toBe(204)
    await miss('/1')
    expect(await paths('?ignored=true')).toEqual(['/1'])
    await call('/ignore', { method: 'POST', payload: { path: '/1', ignored: false } })
    expect((await call('?path=%2F2', { method: 'DELETE' })).statusCode).toBe(204)
    const rule = { fromPath: '/old/*', toPath: '/about', kind: 'wildcard' }
    expect((await app.inject({ method: 'POST', url: '/api/redirects', headers: staff.headers, payload: rule })).statusCode).toBe(201)
    expect(await paths('?sort=path')).toEqual(['/1', '/4'])
    expect((await paths('?sort=lastSeenAt')).toSorted()).toEqual(['/1', '/4'])
    expect((await call('?all=true', { method: 'DELETE' })).statusCode).toBe(204)
    expect(await paths()).toEqual([])
    await db.deleteFrom('redirects').execute()
  })
})

test('all paths that match are ignored, restored or deleted at once, unless others match by now', async () => {
  for (const url of ['/1', '/2', '/3']) await miss(url)
  await miss('/bot', 'Googlebot/2.1')
  await saveNotFound()
  const change = async (payload: object) => call('/bulk', { method: 'POST', payload })
  const people = { filter: { visitors: 'people' }, count: 3 }
  expect((await change({ choice: { ...people, count: 4 }, change: 'ignore' })).json()).toMatchObject({
    status: 409,
    code: 'matches_changed',
  })
  expect(await paths('?ignored=true')).toEqual([])
  expect((await change({ choice: people, change: 'ignore' })).json().paths.toSorted()).toEqual(['/1', '/2', '/3'])
  expect(await paths()).toEqual(['/bot'])
  await change({ choice: { ids: ['/1', '/2'] }, change: 'restore' })
  expect(await paths('?ignored=true')).toEqual(['/3'])
  expect((await change({ choice: { filter: {}, count: 3 }, change: 'delete' })).json().paths).toHaveLength(3)
  expect([await paths(), await paths('?ignored=true')]).toEqual([[], ['/3']])
  expect((await change({ choice: { filter: {} }, change: 'delete' })).statusCode).toBe(422)
})

describe('error', () => {
  test('invalid queries are refused with a message', async () => {
    expect((await call('?sort=who')).statusCode).toBe(422)
    expect((await call('?limit=1000')).statusCode).toBe(422)
    expect((await call('', { method: 'DELETE' })).statusCode).toBe(422)
    expect((await call('?all=yes', { method: 'DELETE' })).statusCode).toBe(422)
    expect((await call('/ignore', { method: 'POST', payload: { path: '/unknown', ignored: true } })).statusCode).toBe(404)
  })

  test('existing pages, non-GET requests and protected paths are not logged', async () => {
    await miss('/about')
    await miss('/admin/nothing')
    await miss('/api/nothing')
    await app.inject({ method: 'POST', url: '/nothing', headers: { 'user-agent': browser } })
    expect(await paths()).toEqual([])
  })
})

describe('security', () => {
  test('only staff see and change the list', async () => {
    await miss('/1')
    await saveNotFound()
    const customer = await signIn()
    for (const [headers, status] of [
      [{}, 401],
      [customer.headers, 403],
    ] as const) {
      expect((await call('', { headers })).statusCode).toBe(status)
      expect((await call('?all=true', { method: 'DELETE', headers })).statusCode).toBe(status)
      expect((await call('/ignore', { method: 'POST', payload: { path: '/1', ignored: true }, headers })).statusCode).toBe(status)
      const payload = { choice: { ids: ['/1'] }, change: 'delete' }
      expect((await call('/bulk', { method: 'POST', payload, headers })).statusCode).toBe(status)
    }
    const foreign = { ...staff.headers, 'sec-fetch-site': 'cross-site' }
    expect((await call('?all=true', { method: 'DELETE', headers: foreign })).statusCode).toBe(403)
    expect(await paths()).toEqual(['/1'])
  })

  test('nothing about a person is kept: no address, no token, no telephone number, no long text', async () => {
    await miss('/u/ada@example.com/x')
    await miss('/reset/0f8fad5b-d9cb-469f-a165-70867728950e')
    await miss('/t/abcdefghijklmnopqrstuvwxyz0123')
    await miss('/call/+44-20-7946-0958')
    await miss(`/${'long-'.repeat(100)}`)
    expect(await paths('?sort=path')).toEqual(['/call/…', '/reset/…', '/t/…', '/u/…/x'])
  })

  test('a flood fills neither memory nor disk, and what many miss stays', async () => {
    await sql`INSERT INTO missing_paths (path, hits, last_seen_at) SELECT '/known/' || n, 1, now() - interval '1 day' FROM generate_series(1, 5000) AS n`.execute(
      db,
    )
    await db.updateTable('missingPaths').set({ hits: 9 }).where('path', '=', '/known/7').execute()
    for (let number = 0; number < 600; number += 1) logNotFound({ path: `/flood/${number}`, headers: {} })
    await saveNotFound()
    const count = async (part: string) => (await db.selectFrom('missingPaths').select('path').where('path', 'like', part).execute()).length
    expect(await count('%')).toBe(5000)
    expect(await count('/flood/%')).toBe(500)
    expect(await count('/known/7')).toBe(1)
  })

  test('an address is plain text and nothing else', async () => {
    await miss(`/%27;DROP%20TABLE%20missing_paths;--/<script>`)
    expect(await paths()).toEqual([`/';DROP TABLE missing_paths;--/<script>`])
    expect((await app.inject('/a%00b')).statusCode).toBe(404)
  })
})

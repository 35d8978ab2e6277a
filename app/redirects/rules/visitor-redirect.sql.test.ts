import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { db, insert } from '#app/platform/database/db.server.ts'
import { CacheServer } from '#app/platform/page-cache/cache-server.server.ts'
import { closeSignals, openSignals, signal } from '#app/platform/database/signals.server.ts'
import { startApp } from '#test/app.ts'
import { signIn, type SignedIn } from '#test/factories.ts'
import { saveHits } from './visitor-redirect.server.ts'
import type { RedirectBody } from './redirect.ts'
import { REDIRECTS_CHANGED } from './redirect-lock.server.ts'
import { readRules } from './rules.server.ts'

const cacheServer = new CacheServer()
const app = await startApp(cacheServer)
let staff: SignedIn
beforeAll(async () => {
  await openSignals()
  await app.listen({ port: 0, host: '127.0.0.1' })
  staff = await signIn('staff')
})
afterAll(closeSignals)
beforeEach(async () => {
  await saveHits()
  await db.deleteFrom('redirects').execute()
  await readRules()
})

let position = 0
/** Inserts rules in this order. */
async function rules(...list: (Partial<RedirectBody> & { fromPath: string; toPath: string })[]) {
  for (const rule of list) await insert(db, 'redirects', { ...rule, description: null, position: (position += 1) })
  await readRules()
}

const ask = async (path: string, init: RequestInit = {}) => fetch(app.listeningOrigin + path, { redirect: 'manual', ...init })
const led = async (path: string, init?: RequestInit) => {
  const { status, headers } = await ask(path, init)
  return headers.has('location') ? `${status} ${headers.get('location')}` : `${status}`
}

describe('happy', () => {
  test('visitors of an old address with a query arrive with the tracking parameters of their link', async () => {
    await rules(
      { fromPath: '/path/?p=1', toPath: '/about', query: 'exact' },
      { fromPath: '/case?x=1', toPath: '/contact#form', query: 'contains' },
    )
    const paths = ['/path/?p=1', '/path/?p=1&fbclid=x', '/path/?p=1&lang=de', '/case?utm_source=a&x=1', '/case?x=2']
    expect(await Promise.all(paths.map(async (path) => led(path)))).toEqual([
      '301 /about',
      '301 /about?fbclid=x',
      '404',
      '301 /contact?utm_source=a#form',
      '404',
    ])
  })

  test('each status answers with its place; browsers remember what is for good for a while', async () => {
    await rules(
      { fromPath: '/a', toPath: '/about' },
      { fromPath: '/b', toPath: 'https://example.com/x?y=1#z', statusCode: 302 },
      { fromPath: '/c', toPath: '/contact', statusCode: 307 },
      { fromPath: '/d', toPath: '/contact', statusCode: 308 },
    )
    expect(await Promise.all(['/a', '/b?q=2', '/c', '/d'].map(async (path) => led(path)))).toEqual([
      '301 /about',
      '302 https://example.com/x?y=1&q=2#z',
      '307 /contact',
      '308 /contact',
    ])
    const { headers } = await ask('/a')
    expect(headers.get('cache-control')).toBe('public, max-age=300')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-request-id')).toBeTruthy()
    expect((await ask('/c')).headers.get('cache-control')).toBe('no-store')
    expect(await led('/a', { method: 'HEAD' })).toBe('301 /about')
  })

  test('307 and 308 keep the method, and 301 and 302 never turn a POST into a GET', async () => {
    await rules({ fromPath: '/gone', toPath: '/about', statusCode: 301 }, { fromPath: '/moved', toPath: '/contact', statusCode: 308 })
    const init = { method: 'POST', body: 'x'.repeat(300_000), headers: { 'content-type': 'text/strange' } }
    expect(await led('/moved', init)).toBe('308 /contact')
    expect(await led('/moved', { method: 'DELETE' })).toBe('308 /contact')
    expect(await led('/gone', { method: 'POST' })).toBe('404')
  })

  test('a visitor makes the whole way at once, to the page as it spells itself', async () => {
    await rules(
      { fromPath: '/1', toPath: '/2#part' },
      { fromPath: '/2', toPath: '/3', statusCode: 302 },
      { fromPath: '/3', toPath: '/About//' },
      { fromPath: '/services', toPath: '/contact' },
    )
    expect(await led('/1?a=1')).toBe('302 /about?a=1#part')
    expect(await led('/SERVICES/')).toBe('301 /contact')
  })

  test('a page that is kept for strangers gives way at once, and is back when the rule is gone', async () => {
    expect([await led('/about'), await led('/about')]).toEqual(['200', '200'])
    await rules({ fromPath: '/about', toPath: '/contact' })
    expect(await led('/about')).toBe('301 /contact')
    await db.deleteFrom('redirects').execute()
    await readRules()
    expect(await led('/about')).toBe('200')
  })

  test('changes of other processes apply here, including those made while disconnected', async () => {
    for (const topic of [REDIRECTS_CHANGED, 'reconnected']) {
      await db.deleteFrom('redirects').execute()
      await insert(db, 'redirects', { fromPath: `/${topic}`, toPath: '/about', position: (position += 1), description: null })
      await signal(topic, 'another')
      await expect.poll(async () => led(`/${topic}`)).toBe('301 /about')
    }
  })

  test('a live page gives way only to who says so: its name is told first, and a script that says nothing is stopped', async () => {
    const save = async (more: object) =>
      app.inject({
        method: 'POST',
        url: '/api/redirects',
        headers: staff.headers,
        payload: { fromPath: '/about', toPath: '/contact', ...more },
      })
    for (const more of [{}, { confirm: false }]) {
      const reply = await save(more)
      expect([reply.statusCode, reply.json().problems]).toMatchObject([409, [{ kind: 'shadows-page', path: ['/about'] }]])
    }
    expect(await led('/about')).toBe('200')
    expect((await save({ confirm: true })).statusCode).toBe(201)
    expect(await led('/about')).toBe('301 /contact')
  })

  test('a live page is sent on in its own words, to a place of ours and to another site', async () => {
    await rules(
      { fromPath: '/old', toPath: '/contact' },
      { fromPath: '/away', toPath: 'https://example.com/' },
      { fromPath: '/services', toPath: '/about' },
    )
    for (const [path, place] of [
      ['/old', '/contact'],
      ['/away', 'https://example.com/'],
      ['/services', '/about'],
    ] as const) {
      const reply = await ask(`${path}.data`, { headers: staff.headers })
      expect(reply.status).toBe(202)
      expect(await reply.text()).toContain(`"${place}"`)
    }
    expect((await ask('/none.data', { headers: staff.headers })).status).toBe(404)
  })

  test('answers are counted, each rule of a way, in one statement', async () => {
    await rules({ fromPath: '/1', toPath: '/2' }, { fromPath: '/2', toPath: '/about' })
    await Promise.all(Array.from({ length: 20 }, async () => ask('/1')))
    await ask('/2')
    await saveHits()
    await ask('/1')
    await saveHits()
    const rows = await db.selectFrom('redirects').select(['hits', 'lastHitAt']).orderBy('position').execute()
    expect(rows).toEqual([
      { hits: 21, lastHitAt: expect.any(Date) },
      { hits: 22, lastHitAt: expect.any(Date) },
    ])
  })
})

describe('error', () => {
  test('a circle that slipped in answers nothing: there is the page, or none', async () => {
    await rules(
      { fromPath: '/x', toPath: '/y' },
      { fromPath: '/y', toPath: '/x' },
      { fromPath: '/grow/*', toPath: '/grow/more/*', kind: 'wildcard' },
      { fromPath: '/about', toPath: '/ABOUT' },
    )
    expect(await Promise.all(['/x', '/y', '/grow/1', '/about'].map(async (path) => led(path)))).toEqual(['404', '404', '404', '200'])
  })

  test('nothing is sent on that no rule names', async () => {
    await rules({ fromPath: '/old', toPath: '/about', isActive: false })
    expect(await led('/old')).toBe('404')
    expect(await led('/About')).toBe('301 /about')
  })
})

describe('security', () => {
  test('no rule reaches what is needed to take it back', async () => {
    await rules({ fromPath: '/*', toPath: 'https://example.com/', kind: 'wildcard' })
    expect(await led('/anything')).toBe('301 https://example.com/')
    const paths = [
      '/login',
      '/LOGIN',
      '//login',
      '/%6cogin',
      '/x/../login',
      '/api/redirects',
      '/auth/v1/health',
      '/admin/redirects',
      '/Admin/redirects',
    ]
    for (const path of [
      ...paths,
      '/dashboard',
      '/account',
      '/assets/x.js',
      '/healthz',
      '/favicon.ico',
      '/robots.txt',
      '/sitemap.xml',
      '/__manifest?paths=/a',
      '/.well-known/x',
    ]) {
      expect.soft(await led(path), path).not.toContain('example.com')
    }
    expect((await ask('/admin/redirects.data', { headers: staff.headers })).status).toBe(200)
  })

  test('visitor input chooses neither the host nor a header', async () => {
    await rules(
      { fromPath: '/w/*', toPath: '/*', kind: 'wildcard' },
      { fromPath: '/p(.*)', toPath: '/$1', kind: 'pattern' },
      { fromPath: '/zz(.*)', toPath: 'https://example.com/$1', kind: 'pattern' },
      { fromPath: '/q/(.*)', toPath: '/about?x=$1', kind: 'pattern' },
    )
    const written = [
      '/evil.example',
      '%2Fevil.example',
      '%5Cevil.example',
      '\\evil.example',
      '%0D%0ASet-Cookie:%20a=b',
      '%0a%0d',
      'javascript:alert(1)',
      '@evil.example',
      '.evil.example',
      ':80',
      '%00',
      '%E2%80%AE',
      '%FF%FE',
      '%',
    ]
    for (const before of ['/w/', '/p', '/zz', '/w/x/../', '/p/'].flatMap((start) => written.map((text) => start + text))) {
      const { headers } = await ask(before)
      const place = headers.get('location')
      const url = new URL(place ?? '/', 'https://ours.example')
      expect.soft(['https://ours.example', 'https://example.com'], `${before} → ${place}`).toContain(url.origin)
      expect.soft(headers.get('set-cookie')).toBeNull()
      expect.soft(url.origin === 'https://example.com', before).toBe(before.startsWith('/zz') && place !== null)
    }
    expect(await led('/q/a&b=c')).toBe('301 /about?x=a%26b%3Dc')
    expect(await led('/q/%23%26%0D')).toBe('301 /about?x=%23%26%0D')
  })
})

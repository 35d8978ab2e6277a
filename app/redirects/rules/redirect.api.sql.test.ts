import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { db, newId } from '#app/platform/database/db.server.ts'
import { startEndpoints } from '#test/app.ts'
import { signIn, type SignedIn } from '#test/factories.ts'
import type { Redirect } from './redirect.ts'
import { openRules, readRules } from './rules.server.ts'

const app = await startEndpoints()
let staff: SignedIn
let closeRules = () => {}
beforeAll(async () => {
  staff = await signIn('staff')
  closeRules = await openRules()
})
afterAll(() => closeRules())
beforeEach(async () => {
  await db.deleteFrom('redirects').execute()
  await readRules()
})

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Headers = Record<string, string>
const call = async (method: Method, path: string, payload?: object, headers: Headers = staff.headers) =>
  app.inject({ method, url: `/api/redirects${path}`, headers, ...(payload && { payload }) })
const add = async (fromPath: string, toPath: string, more: object = {}) => call('POST', '', { fromPath, toPath, ...more })
const list = async (): Promise<Redirect[]> => (await call('GET', '')).json()
const froms = async () => (await list()).map(({ fromPath }) => fromPath)
const leads = async (path: string) => (await call('GET', `/resolve?path=${encodeURIComponent(path)}`, undefined, {})).json().redirect
/** Adds each `from → to` of a list, whatever problems they cause. */
async function addAll(...lines: string[]) {
  for (const line of lines) {
    const [from = '', to = ''] = line.split(' → ')
    await add(from, to, { confirm: true })
  }
}

describe('happy', () => {
  test('a redirect has its defaults, answers at once, is changed and deleted', async () => {
    const created = await add('/old', '/about')
    expect(created.statusCode).toBe(201)
    expect(created.json()).toEqual({
      id: expect.any(String),
      position: 1,
      fromPath: '/old',
      toPath: '/about',
      statusCode: 301,
      isActive: true,
      description: null,
      kind: 'exact',
      query: 'pass',
      ignoresSlash: true,
      ignoresCase: false,
      hits: 0,
      lastHitAt: null,
      createdAt: expect.any(String),
      problems: [],
    })
    expect(await leads('/old?a=1')).toEqual({ location: '/about?a=1', statusCode: 301 })

    const { id } = created.json()
    const changed = await call('PUT', `/${id}`, {
      fromPath: '/old',
      toPath: 'https://example.com/',
      statusCode: 308,
      description: ' Moved ',
    })
    expect(changed.json()).toMatchObject({ id, statusCode: 308, toPath: 'https://example.com/', description: 'Moved' })
    expect(await leads('/old')).toEqual({ location: 'https://example.com/', statusCode: 308 })

    expect((await call('PUT', `/${id}`, { fromPath: '/old', toPath: '/about', isActive: false })).statusCode).toBe(200)
    expect(await leads('/old')).toBeNull()
    expect((await call('DELETE', `/${id}`)).statusCode).toBe(204)
    expect(await list()).toEqual([])
  })

  test('an address with a query is redirected whatever a newsletter or an advertisement has added to it', async () => {
    const plain = await add('/?p=1', '/about')
    expect([plain.statusCode, plain.json().query]).toEqual([201, 'contains'])
    expect((await add('/case?x=1', '/contact', { query: 'exact' })).statusCode).toBe(201)
    expect(await leads('/?p=1')).toEqual({ location: '/about', statusCode: 301 })
    expect(await leads('/?fbclid=x&p=1&lang=de')).toEqual({ location: '/about?fbclid=x&lang=de', statusCode: 301 })
    expect(await leads('/?p=12')).toBeNull()
    expect(await leads('/case?utm_source=a&x=1')).toEqual({ location: '/contact?utm_source=a', statusCode: 301 })
    expect(await leads('/case?x=1&lang=de')).toBeNull()
  })

  test('the first of the list answers; the order is that of the list, whole or one moved', async () => {
    await addAll('/shop/* → /contact', '/shop/red → /about', '/c → /d')
    expect(await froms()).toEqual(['/shop/*', '/shop/red', '/c'])
    expect((await call('GET', '')).headers['x-total-count']).toBe('3')
    await call('PUT', `/${(await list())[0]?.id}`, { fromPath: '/shop/*', toPath: '/contact', kind: 'wildcard', confirm: true })
    expect(await leads('/shop/red')).toMatchObject({ location: '/contact' })

    const [first, second, third] = await list()
    expect((await call('PATCH', '/order', { id: second?.id, before: first?.id })).statusCode).toBe(204)
    expect(await froms()).toEqual(['/shop/red', '/shop/*', '/c'])
    expect(await leads('/shop/red')).toMatchObject({ location: '/about' })
    await call('PATCH', '/order', { ids: [third?.id, first?.id, second?.id] })
    expect(await froms()).toEqual(['/c', '/shop/*', '/shop/red'])
    await call('PATCH', '/order', { id: third?.id, before: null })
    expect(await froms()).toEqual(['/shop/*', '/shop/red', '/c'])
  })

  test('an address is followed step by step; the visitor makes the way at once', async () => {
    await addAll('/a → /b', '/b → /c?x=1', '/c → https://example.com/c')
    const { hops, ...way } = (await call('POST', '/test', { url: '/a?y=2' })).json()
    expect(way).toEqual({ location: 'https://example.com/c?x=1&y=2', statusCode: 301, end: 'outside' })
    expect(hops.map(({ from, to }: { from: string; to: string }) => `${from} → ${to}`)).toEqual([
      '/a?y=2 → /b?y=2',
      '/b?y=2 → /c?x=1&y=2',
      '/c?x=1&y=2 → https://example.com/c?x=1&y=2',
    ])
    expect((await call('POST', '/test', { url: '/nothing' })).json()).toEqual({
      location: null,
      statusCode: null,
      end: 'missing',
      hops: [],
    })
    expect((await call('POST', '/test', { url: '/admin/blog' })).json()).toMatchObject({ end: 'protected' })
  })

  test('a chain is found, kept when it is meant, and made one hop', async () => {
    await add('/b', '/c')
    const refused = await add('/a', '/b', { confirm: false })
    expect(refused.statusCode).toBe(409)
    const { code, problems } = refused.json()
    expect(code).toBe('redirect_problems')
    expect(problems).toEqual([
      { kind: 'chain', message: expect.any(String), path: ['/a', '/b', '/c'], ids: [expect.any(String), expect.any(String)] },
    ])
    expect(await froms()).toEqual(['/b'])

    const { id } = (await add('/a', '/b', { confirm: true })).json()
    expect((await call('GET', '/problems')).json().problems).toHaveLength(1)
    expect((await call('POST', `/${id}/collapse`)).json()).toMatchObject({ id, toPath: '/c' })
    expect((await call('GET', '/problems')).json().problems).toEqual([])
    expect((await call('POST', `/${id}/collapse`)).statusCode).toBe(409)
  })

  test('a script that asks for no confirmation is told what does nothing, and stopped by what does harm', async () => {
    await add('/old', '/first')
    const twin = await add('/old', '/second')
    expect([twin.statusCode, twin.json().problems]).toMatchObject([201, [{ kind: 'duplicate', path: ['/old'] }]])
    expect(await leads('/old')).toEqual({ location: '/first', statusCode: 301 })
    expect((await add('/first', '/old')).statusCode).toBe(409)
    await call('DELETE', `/${(await list())[0]?.id}`)
    expect(await leads('/old')).toEqual({ location: '/second', statusCode: 301 })
    expect(await froms()).toEqual(['/old'])
  })

  test('a path leaves the not found log once it redirects', async () => {
    await db
      .insertInto('missingPaths')
      .values(['/lost', '/moved', '/still', '/undone'].map((path) => ({ path })))
      .execute()
    const left = async () => (await db.selectFrom('missingPaths').select('path').orderBy('path').execute()).map(({ path }) => path)
    await add('/lost', '/about')
    const { id } = (await add('/elsewhere', '/about')).json<Redirect>()
    expect(await left()).toEqual(['/moved', '/still', '/undone'])
    await call('PUT', `/${id}`, { fromPath: '/moved', toPath: '/about', isActive: false })
    expect(await left()).toEqual(['/moved', '/still', '/undone'])
    await call('PUT', `/${id}`, { fromPath: '/moved', toPath: '/about' })
    expect(await left()).toEqual(['/still', '/undone'])

    const deleted = (await add('/undone', '/about')).json<Redirect>()
    await call('DELETE', `/${deleted.id}`)
    await db.insertInto('missingPaths').values({ path: '/undone' }).execute()
    await call('POST', '/restore', { ids: [deleted.id] })
    expect(await left()).toEqual(['/still'])
  })
})

describe('undo', () => {
  test('what was deleted comes back in its place with its id and its hits, also after others moved', async () => {
    await addAll('/a → /1', '/b → /2', '/c → /3', '/d → /4')
    const before = await list()
    const [, b, c] = before
    await db
      .updateTable('redirects')
      .set({ hits: 7 })
      .where('id', '=', b?.id ?? '')
      .execute()
    const deleted = await call('POST', '/bulk', { ids: [b?.id, c?.id, newId()], change: 'delete' })
    expect(deleted.json()).toEqual({ ids: [b?.id, c?.id] })
    expect([await froms(), await leads('/b')]).toEqual([['/a', '/d'], null])

    const restored = await call('POST', '/restore', { ids: [c?.id, b?.id] })
    expect(restored.statusCode).toBe(200)
    expect(await list()).toEqual(before.map((row) => (row.id === b?.id ? { ...row, hits: 7 } : row)))
    expect(await leads('/b')).toEqual({ location: '/2', statusCode: 301 })

    expect((await call('DELETE', `/${b?.id}`)).statusCode).toBe(204)
    const [one, two, three] = await list()
    await call('PATCH', '/order', { ids: [three?.id, two?.id, one?.id] })
    expect(await froms()).toEqual(['/d', '/c', '/a'])
    expect((await call('POST', '/restore', { ids: [b?.id] })).statusCode).toBe(200)
    expect(await froms()).toEqual(['/d', '/b', '/c', '/a'])
  })

  test('several come back in their places after the rest was reordered', async () => {
    await addAll('/a → /1', '/b → /2', '/c → /3', '/d → /4')
    const [a, b, c, d] = await list()
    await call('POST', '/bulk', { ids: [b?.id, c?.id], change: 'delete' })
    expect((await call('PATCH', '/order', { ids: [d?.id, a?.id] })).statusCode).toBe(204)
    expect((await call('POST', '/restore', { ids: [b?.id, c?.id] })).statusCode).toBe(200)
    expect(await froms()).toEqual(['/d', '/b', '/c', '/a'])
  })

  test('several are switched on and off at once; only those that changed are named', async () => {
    await addAll('/a → /1', '/b → /2')
    const [a, b] = await list()
    await call('POST', '/bulk', { ids: [a?.id], change: 'deactivate' })
    expect((await call('POST', '/bulk', { ids: [a?.id, b?.id], change: 'deactivate' })).json()).toEqual({ ids: [b?.id] })
    expect([await leads('/a'), await leads('/b')]).toEqual([null, null])
    await call('POST', '/bulk', { ids: [a?.id, b?.id], change: 'activate' })
    expect(await leads('/b')).toEqual({ location: '/2', statusCode: 301 })
  })

  test('an undo that comes too late, twice, or would make a loop changes nothing', async () => {
    await addAll('/a → /b', '/c → /d')
    const [a, c] = await list()
    await call('DELETE', `/${a?.id}`)
    await add('/b', '/a')
    const loop = await call('POST', '/restore', { ids: [a?.id] })
    expect([loop.statusCode, loop.json().problems[0].kind]).toEqual([409, 'loop'])
    expect(await froms()).toEqual(['/c', '/b'])

    await call('DELETE', `/${c?.id}`)
    await db
      .updateTable('deletedRedirects')
      .set({ deletedAt: new Date(Date.now() - 2 * 3_600_000) })
      .execute()
    const late = await call('POST', '/restore', { ids: [c?.id] })
    expect([late.statusCode, late.json().code]).toEqual([409, 'too_late'])
    expect(await froms()).toEqual(['/b'])
    expect((await call('POST', '/bulk', { ids: [], change: 'delete' })).statusCode).toBe(422)
    expect((await call('POST', '/bulk', { ids: ['x'], change: 'delete' })).statusCode).toBe(422)
    expect((await call('POST', '/bulk', { ids: [newId()], change: 'publish' })).statusCode).toBe(422)
  })
})

describe('error', () => {
  test.each([
    [{ fromPath: 'old' }, 'fromPath', 'From path must start with /'],
    [{ fromPath: '//old' }, 'fromPath', 'From path must start with /'],
    [{ toPath: '' }, 'toPath', 'To path is required'],
    [{ toPath: undefined }, 'toPath', 'To path is required'],
    [{ toPath: '//evil.example' }, 'toPath', 'To path must start with a single /, or be an http: or https: address'],
    [{ toPath: 'javascript:alert(1)' }, 'toPath', 'To path must start with a single /, or be an http: or https: address'],
    [{ statusCode: 303 }, 'statusCode', 'Status code must be 301, 302, 307 or 308'],
    [{ fromPath: '/admin/blog' }, 'fromPath', 'Paths below /admin cannot be redirected'],
    [{ fromPath: '/%61dmin//x/../blog' }, 'fromPath', 'Paths below /admin cannot be redirected'],
    [{ fromPath: '/LOGIN' }, 'fromPath', 'Paths below /LOGIN cannot be redirected'],
    [{ fromPath: '/a?b=1', query: 'ignore' }, 'fromPath', 'A from path with a ? requires the query option contains or exact'],
    [{ fromPath: '/a#b' }, 'fromPath', 'From path cannot contain a #: browsers never send it'],
    [{ fromPath: '/a/*/b', kind: 'wildcard' }, 'fromPath', 'A wildcard must have a single *, at the end of its path'],
    [{ fromPath: '/(a', kind: 'pattern' }, 'fromPath', 'Invalid pattern: missing closing ): `/(a`'],
    [{ fromPath: '/(a)', toPath: '/$2', kind: 'pattern' }, 'toPath', 'To path names $2, but the pattern has 1 group'],
    [
      { fromPath: '/(.*)', toPath: 'https://$1.example.com/', kind: 'pattern' },
      'toPath',
      'Visitor input cannot choose the host: move the placeholder after the first / behind the host',
    ],
  ])('%o is refused at its field', async (given, field, sentence) => {
    const reply = await call('POST', '', { fromPath: '/old', toPath: '/new', ...given })
    expect(reply.statusCode).toBe(422)
    expect(reply.json().errors).toEqual({ [field]: sentence })
    expect(await list()).toEqual([])
  })

  test.each([
    ['self', ['/x → /y'], '/a', '/a/', ['/a', '/a/']],
    ['loop', ['/b → /c', '/c → /a'], '/a', '/b', ['/a', '/b', '/c', '/a']],
    ['duplicate', ['/a → /b'], '/a/', '/c', ['/a/']],
  ])('a %s is never saved, and is shown', async (kind, lines, from, to, path) => {
    await addAll(...lines)
    const reply = await add(from, to, { confirm: true })
    expect(reply.statusCode).toBe(409)
    expect(reply.json().problems).toContainEqual(expect.objectContaining({ kind, path }))
    expect(await list()).toHaveLength(lines.length)
    const checked = await call('POST', '/check', { fromPath: from, toPath: to })
    expect(checked.json().problems).toEqual(reply.json().problems.map((problem: object) => ({ ...problem, ids: expect.any(Array) })))
  })

  test('inactive redirects cause no problems until they are active', async () => {
    await addAll('/b → /a')
    const { id } = (await add('/a', '/b', { isActive: false })).json()
    expect((await call('PUT', `/${id}`, { fromPath: '/a', toPath: '/b', confirm: true })).statusCode).toBe(409)
    expect((await call('PUT', `/${id}`, { fromPath: '/a', toPath: '/c', confirm: true })).statusCode).toBe(200)
  })

  test('a shadowed redirect is shown, from both sides', async () => {
    await add('/shop/*', '/about', { kind: 'wildcard' })
    expect((await add('/shop/red', '/contact', { confirm: false })).json().problems).toMatchObject([
      { kind: 'shadowed', path: ['/shop/red', '/shop/*'] },
    ])
  })

  test('an order of a list that has changed is a conflict, one that would make a circle is shown', async () => {
    await addAll('/a → /x', '/b → /a')
    const [a, b] = await list()
    expect((await call('PATCH', '/order', { ids: [a?.id] })).statusCode).toBe(409)
    expect((await call('PATCH', '/order', { ids: [a?.id, a?.id] })).statusCode).toBe(409)
    expect((await call('PATCH', '/order', { id: b?.id, before: newId() })).statusCode).toBe(409)
    expect((await call('PATCH', '/order', { id: b?.id })).statusCode).toBe(422)
    const { id } = (await add('/a*', '/b', { kind: 'wildcard', confirm: true })).json()
    const reply = await call('PATCH', '/order', { id, before: a?.id })
    expect(reply.statusCode).toBe(409)
    expect(reply.json().problems).toMatchObject([{ kind: 'loop' }])
    expect(await froms()).toEqual(['/a', '/b', '/a*'])
  })

  test('unknown redirects return 404', async () => {
    expect((await call('PUT', `/${newId()}`, { fromPath: '/a', toPath: '/b' })).statusCode).toBe(404)
    expect((await call('DELETE', `/${newId()}`)).statusCode).toBe(404)
    expect((await call('POST', `/${newId()}/collapse`)).statusCode).toBe(404)
    expect((await call('POST', '/test', { url: 'https://elsewhere.example/a' })).statusCode).toBe(422)
  })
})

describe('security', () => {
  test('only staff read and write; a stranger may ask where a path leads, and learns no more', async () => {
    const { id } = (await add('/old', '/about', { description: 'for us' })).json()
    const body = { fromPath: '/old2', toPath: '/about' }
    const customer = await signIn()
    const calls = [
      ['GET', ''],
      ['POST', '', body],
      ['PUT', `/${id}`, body],
      ['DELETE', `/${id}`],
      ['PATCH', '/order', { ids: [id] }],
      ['GET', '/problems'],
      ['POST', '/bulk', { ids: [id], change: 'delete' }],
      ['POST', '/restore', { ids: [id] }],
      ['POST', '/check', body],
      ['POST', '/test', { url: '/old' }],
      ['POST', `/${id}/collapse`],
    ] as const
    for (const [method, path, payload] of calls) {
      expect((await call(method, path, payload, {})).statusCode).toBe(401)
      expect((await call(method, path, payload, customer.headers)).statusCode).toBe(403)
      const foreign = await call(method, path, payload, { ...staff.headers, 'sec-fetch-site': 'cross-site' })
      expect(foreign.statusCode).toBe(method === 'GET' ? 200 : 403)
    }
    expect(await froms()).toEqual(['/old'])
    expect(await leads('/old')).toEqual({ location: '/about', statusCode: 301 })
    expect(await leads('/admin')).toBeNull()
  })

  test('many at once: each has its place, twins lose, and no circle comes of two halves', async () => {
    const replies = await Promise.all([
      ...Array.from({ length: 8 }, (_, index) => add(`/p${index}`, '/about')),
      add('/same', '/x', { confirm: false }),
      add('/same', '/y', { confirm: false }),
    ])
    expect(replies.filter(({ statusCode }) => statusCode === 201)).toHaveLength(9)
    expect(new Set((await list()).map(({ position }) => position)).size).toBe(9)
    const halves = await Promise.all([add('/one', '/two', { confirm: true }), add('/two', '/one', { confirm: true })])
    expect(new Set(halves.map(({ statusCode }) => statusCode))).toEqual(new Set([201, 409]))
  })
})

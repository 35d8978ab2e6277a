import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { DuckDBInstance } from '@duckdb/node-api'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { makeKey, revokeKey, rotateKey, setQuota } from '#app/data-api/keys/api-key.server.ts'
import { ownKeys } from '#app/data-api/keys/key-holding.server.ts'
import { keepUsage } from '#app/data-api/keys/usage.server.ts'
import { db, insert, newId } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { closeLimits } from '#app/platform/guard/limits.server.ts'
import { listEndpoints, startEndpoints } from '#test/app.ts'
import { makeDataset, makeProduct, signIn, type SignedIn } from '#test/factories.ts'
import type { Row } from '#db/tables.ts'

const app = await startEndpoints()

const HEAD = 'day,shop,price,stock,note'
const line = (at: number) =>
  `2026-10-${String((at % 28) + 1).padStart(2, '0')},${at % 3 === 0 ? 'North' : '"South, West"'},${at}.25,${at},${at % 4 === 0 ? '' : `n${at}`}`
const csv = (from: number, to: number) => [HEAD, ...Array.from({ length: to - from }, (_, at) => line(from + at)), ''].join('\n')

const page = z.object({ data: z.array(z.record(z.string(), z.unknown())), nextCursor: z.string().nullable(), version: z.number() })

let product: Row<'dataProducts'>
let person: SignedIn
let bearer: { authorization: string }

beforeEach(closeLimits)
beforeAll(async () => {
  product = await makeProduct({ slug: 'prices-of-40-shops' })
  await makeDataset(product, csv(0, 25))
  await makeDataset(product, csv(5, 27))
  person = await signIn()
  bearer = await keyOf(person)
})

async function keyOf({ user }: Pick<SignedIn, 'user'>, given: { productIds?: string[] } = {}) {
  const { key } = await makeKey(ownKeys(user.id), { name: 'Import', productIds: null, expiresInDays: null, ...given }, {})
  return { authorization: `Bearer ${key}` }
}

const ask = (url: string, headers: Record<string, string> = bearer, method: 'GET' | 'HEAD' = 'GET') =>
  app.inject({ method, url: `/api/v1/datasets${url}`, headers })
const rows = (query = '', headers: Record<string, string> = bearer) => ask(`/prices-of-40-shops/rows${query}`, headers)
const untilStored = (id: string) => expect.poll(() => existsSync(path.join(env.DATA_DIR, 'cache/rows', `${id}-rows-3`))).toBe(true)
const readPage = async (query = '') => page.parse((await rows(query)).json())
const codeOf = (reply: Awaited<ReturnType<typeof rows>>) => [reply.statusCode, reply.json().code]
const errorsOf = (reply: Awaited<ReturnType<typeof rows>>) => [reply.statusCode, Object.keys(reply.json().errors ?? {})]

describe('happy', () => {
  test('with a key a program lists datasets, reads what one is, and gets a schema that its rows keep to', async () => {
    const list = (await ask('')).json()
    expect(list.data).toMatchObject([{ slug: product.slug, access: 'granted', apiEndpoint: `/api/v1/datasets/${product.slug}/rows` }])
    const detail = (await ask(`/${product.slug}`)).json()
    expect(detail.versions.map(({ number, isCurrent }: { number: number; isCurrent: boolean }) => [number, isCurrent])).toEqual([
      [2, true],
      [1, false],
    ])
    const reply = await ask(`/${product.slug}/schema?version=1`)
    expect(reply.headers['content-type']).toBe('application/schema+json; charset=utf-8')
    const schema = reply.json()
    expect(schema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      $id: 'http://localhost:3000/api/v1/datasets/prices-of-40-shops/schema?version=1',
      required: HEAD.split(','),
      additionalProperties: false,
    })
    const { data } = await readPage('?version=1')
    for (const row of data) expect(z.fromJSONSchema(schema).safeParse(row).error).toBeUndefined()
    expect(z.fromJSONSchema(schema).safeParse({ ...data[0], stock: true }).success).toBe(false)
  })

  test('page follows page until all rows have been read once, and goes on in the version that it began with', async () => {
    const first = await rows('?limit=10&sort=-price&version=1')
    const read = page.parse(first.json()).data
    let { link } = first.headers
    while (typeof link === 'string') {
      const next = /^<http:\/\/localhost:3000\/api\/v1\/datasets(\S+)>; rel="next"$/.exec(link)?.[1] ?? ''
      const reply = await ask(next)
      read.push(...page.parse(reply.json()).data)
      link = reply.headers.link
    }
    expect(read.map(({ stock }) => stock)).toEqual(Array.from({ length: 25 }, (_, at) => 24 - at))
    // The cursor alone names the version: another one may be published meanwhile.
    const { nextCursor } = await readPage('?limit=10&version=1')
    const on = await readPage(`?limit=10&cursor=${nextCursor}`)
    expect([on.version, on.data[0]?.['stock']]).toEqual([1, 10])
    expect((await readPage('?limit=1')).version).toBe(2)
  })

  test('of very long rows a page has fewer than were asked for, and leads on', async () => {
    const wide = await makeProduct({ slug: 'long-rows' })
    const { id } = await makeDataset(wide, csv(0, 9))
    // As if each row had 5 MB.
    await db
      .updateTable('datasetVersions')
      .set({ originalBytes: 45 * 2 ** 20 })
      .where('id', '=', id)
      .execute()
    const sizes = []
    for (let query: string | null = '?limit=1000'; query;) {
      const { data, nextCursor } = page.parse((await ask(`/${wide.slug}/rows${query}`)).json())
      sizes.push(data.length)
      query = nextCursor && `?limit=1000&cursor=${nextCursor}`
    }
    expect(sizes).toEqual([3, 3, 3])
  })

  test('a page that is sent in parts is whole, has its length, and reads on; HEAD has no body', async () => {
    const long = await makeProduct({ slug: 'long-pages', isFree: true })
    await makeDataset(long, csv(0, 9000))
    const reply = await ask('/long-pages/rows?limit=8000')
    const { data, nextCursor } = page.parse(reply.json())
    expect([reply.rawPayload.length > 500_000, reply.headers['content-length']]).toEqual([true, String(reply.rawPayload.length)])
    expect([data.length, data[7999]?.['stock']]).toEqual([8000, 7999])
    const rest = page.parse((await ask(`/long-pages/rows?limit=8000&cursor=${nextCursor}`)).json())
    expect([rest.data.length, rest.data[0]?.['stock'], rest.nextCursor]).toEqual([1000, 8000, null])
    const head = await ask('/long-pages/rows?limit=8000', bearer, 'HEAD')
    const told = ({ headers }: typeof head) => [headers.etag, headers['content-length'], headers['ratelimit-limit']]
    expect([head.statusCode, head.body, told(head)]).toEqual([200, '', told(reply)])
  })

  test('a page of stored rows has the bytes and the ETag of the first one, and is not sent again to one who has it', async () => {
    const free = await makeProduct({ slug: 'stored-pages', isFree: true })
    const { id } = await makeDataset(free, csv(0, 700))
    const first = await ask('/stored-pages/rows?limit=150')
    await untilStored(id)
    const again = await ask('/stored-pages/rows?limit=150')
    expect([again.body, again.headers.etag, again.headers.link]).toEqual([first.body, first.headers.etag, first.headers.link])
    const known = await ask('/stored-pages/rows?limit=150', { ...bearer, 'if-none-match': String(first.headers.etag) })
    expect([known.statusCode, known.body]).toEqual([304, ''])
  })

  test('a page comes compressed to those who accept gzip: the same text, with a tag of its own', async () => {
    const free = await makeProduct({ slug: 'packed-pages', isFree: true })
    const { id } = await makeDataset(free, csv(0, 9000))
    const plain = await ask('/packed-pages/rows?limit=8000')
    await untilStored(id)
    const gzip = { ...bearer, 'accept-encoding': 'gzip, deflate' }
    const first = await ask('/packed-pages/rows?limit=8000', gzip)
    expect([first.headers['content-encoding'], first.headers['content-length']]).toEqual(['gzip', String(first.rawPayload.length)])
    expect([gunzipSync(first.rawPayload).toString() === plain.body, first.headers.link]).toEqual([true, plain.headers.link])
    expect([plain, first].map(({ headers }) => headers.vary)).toEqual(
      Array.from({ length: 2 }, () => expect.stringMatching(/accept-encoding/i)),
    )
    expect(first.headers.etag).not.toBe(plain.headers.etag)
    for (const { headers } of [plain, first]) {
      const known = await ask('/packed-pages/rows?limit=8000', { ...gzip, 'if-none-match': String(headers.etag) })
      expect([known.statusCode, known.body, known.headers.etag]).toEqual([304, '', headers.etag])
    }
    const head = await ask('/packed-pages/rows?limit=8000', gzip, 'HEAD')
    expect([head.statusCode, head.body, head.headers.etag]).toEqual([200, '', first.headers.etag])
    const refused = await ask('/packed-pages/rows?limit=8000', { ...bearer, 'accept-encoding': 'gzip;q=0, br' })
    expect([refused.headers['content-encoding'], refused.body === plain.body]).toEqual([undefined, true])
    // A short page is sent as it is, and so are other formats.
    for (const query of ['limit=50', 'limit=8000&format=csv'])
      expect((await ask(`/packed-pages/rows?${query}`, gzip)).headers['content-encoding']).toBeUndefined()
    expect([first, plain].map(({ headers }) => headers['ratelimit-limit'])).toEqual(['10000', '10000'])
  })

  test('what staff change about a dataset and its versions is in the next response', async () => {
    const described = await makeProduct({ slug: 'described-prices', isFree: true })
    const { id, columns } = await makeDataset(described, csv(0, 3))
    const read = async (query: string) => (await ask(`/described-prices/schema${query}`)).json()
    for (const [at, query] of ['', '?version=1'].entries()) {
      expect((await read(query)).properties.day).not.toHaveProperty('description', `Day ${at}`)
      const changed = columns.map((column) => ({ ...column, description: `Day ${at}` }))
      await db
        .updateTable('datasetVersions')
        .set({ columns: JSON.stringify(changed) })
        .where('id', '=', id)
        .execute()
      expect((await read(query)).properties.day).toHaveProperty('description', `Day ${at}`)
    }
    await db.updateTable('dataProducts').set({ name: 'Renamed' }).where('id', '=', described.id).execute()
    expect((await read('')).title).toBe('Renamed')
    await makeDataset(described, csv(0, 5))
    expect(page.parse((await ask('/described-prices/rows')).json())).toMatchObject({ version: 2 })
    expect(page.parse((await ask('/described-prices/rows?version=1')).json()).data).toHaveLength(3)
  })

  test('columns, conditions and order are chosen; values keep their types', async () => {
    const { data, nextCursor } = await readPage('?version=1&select=stock,shop,note&price[gte]=20&shop=North&sort=stock')
    expect([data, nextCursor]).toEqual([
      [
        { stock: 21, shop: 'North', note: 'n21' },
        { stock: 24, shop: 'North', note: null },
      ],
      null,
    ])
  })

  test('the same rows come as JSON, JSONL, CSV and Parquet, by Accept or by name', async () => {
    const query = '?version=1&limit=3&select=day,shop,stock,note'
    const { data } = await readPage(query)
    const lines = await rows(query, { ...bearer, accept: 'application/x-ndjson' })
    expect(lines.headers['content-type']).toBe('application/x-ndjson; charset=utf-8')
    expect(
      lines.body
        .trim()
        .split('\n')
        .map((text) => JSON.parse(text)),
    ).toEqual(data)
    const table = await rows(query, { ...bearer, accept: 'text/html, text/csv;q=0.9, application/json;q=0.1' })
    expect(table.headers['content-type']).toBe('text/csv; charset=utf-8; header=present')
    expect(table.body).toBe(
      'day,shop,stock,note\r\n2026-10-01,North,0,\r\n2026-10-02,"South, West",1,n1\r\n2026-10-03,"South, West",2,n2\r\n',
    )
    const binary = await rows(`${query}&format=parquet`)
    expect([binary.headers['content-type'], binary.headers.link]).toEqual([
      'application/vnd.apache.parquet',
      expect.stringContaining('cursor='),
    ])
    const file = path.join(env.DATA_DIR, 'page.parquet')
    await writeFile(file, binary.rawPayload)
    const connection = await (await DuckDBInstance.create()).connect()
    const read = await connection.runAndReadAll(`SELECT day::VARCHAR AS day, shop, stock::INTEGER AS stock, note FROM '${file}'`)
    expect(read.getRowObjectsJson()).toEqual(data)
    connection.disconnectSync()
    expect((await readFile(file)).subarray(0, 4).toString()).toBe('PAR1')
  })

  test('CSV of the API runs no formula in a spreadsheet either, unless raw=1 asks for the values as they are', async () => {
    const hostile = await makeProduct({ slug: 'hostile-rows', isFree: true })
    await makeDataset(hostile, '=name,count\n=1+1,-5\n+49 30 1,-6\n')
    const read = (query: string) => ask(`/hostile-rows/rows${query}`, bearer)
    const [safe, raw] = [await read('?format=csv'), await read('?format=csv&raw=1')]
    expect([safe.body, raw.body]).toEqual(["'=name,count\r\n'=1+1,-5\r\n+49 30 1,-6\r\n", '=name,count\r\n=1+1,-5\r\n+49 30 1,-6\r\n'])
    expect([safe.headers['csv-note'], raw.headers['csv-note']]).toEqual([
      expect.stringContaining('apostrophe'),
      expect.stringContaining('unchanged'),
    ])
    expect(safe.headers.etag).not.toBe(raw.headers.etag)
    expect((await read('')).json().data).toEqual([
      { '=name': '=1+1', count: -5 },
      { '=name': '+49 30 1', count: -6 },
    ])
    expect((await read('?raw=yes')).statusCode).toBe(422)
  })

  test('what has not changed is not sent again; HEAD says the same without a body', async () => {
    const first = await rows('?limit=2')
    const { etag = '' } = first.headers
    const again = await rows('?limit=2', { ...bearer, 'if-none-match': `W/${etag}, "other"` })
    expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag])
    const head = await ask('/prices-of-40-shops/rows?limit=2', bearer, 'HEAD')
    expect([head.statusCode, head.body, head.headers.etag, head.headers.link]).toEqual([200, '', etag, first.headers.link])
    for (const query of ['?limit=3', '?limit=2&version=1', '?limit=2&select=day', '?limit=2&format=csv'])
      expect([query, (await rows(query)).headers.etag]).not.toEqual([query, etag])
    expect(first.headers['cache-control']).toBe('private, no-cache')
  })

  test('whoever keeps a copy reads what was removed and added between two versions, page by page', async () => {
    const read: { op: string; row: { stock: number } }[] = []
    let url: string | undefined = `/${product.slug}/changes?since=1&limit=3`
    while (url) {
      const reply = await ask(url)
      expect(reply.json()).toMatchObject({ since: 1, version: 2 })
      read.push(...reply.json().data)
      url = /datasets(\S+)>/.exec(String(reply.headers.link))?.[1]
    }
    expect(read.map(({ op, row }) => [op, row.stock])).toEqual([
      ...[0, 1, 2, 3, 4].map((stock) => ['removed', stock]),
      ...[25, 26].map((stock) => ['added', stock]),
    ])
    const same = (await ask(`/${product.slug}/changes?since=2`)).json()
    expect(same).toEqual({ data: [], nextCursor: null, since: 2, version: 2 })
    const lines = await ask(`/${product.slug}/changes?since=1&limit=1`, { ...bearer, accept: 'application/x-ndjson' })
    expect(JSON.parse(lines.body)).toMatchObject({ op: 'removed', row: { stock: 0 } })
  })

  test('rows that stand twice count twice, and columns that came or went do not make every row another', async () => {
    const changing = await makeProduct()
    await makeDataset(changing, 'a,b\n1,x\n1,x\n2,y\n')
    await makeDataset(changing, 'a,c\n1,new\n2,new\n3,new\n')
    const { data } = (await ask(`/${changing.slug}/changes?since=1`)).json()
    expect(data).toEqual([
      { op: 'removed', row: { a: 1, b: 'x' } },
      { op: 'added', row: { a: 3, c: 'new' } },
    ])
  })

  test('each answer says what is left of the month; exactly the quota is answered, refusals cost nothing, and the next one says when to come back', async () => {
    const { user } = await signIn()
    const made = await makeKey(ownKeys(user.id), { name: 'Import', productIds: null, expiresInDays: null }, {})
    const headers = { authorization: `Bearer ${made.key}` }
    await setQuota(made.id, 5, {})
    const refused = await rows('?nothing=1', headers)
    expect([refused.statusCode, refused.headers['ratelimit-limit'], refused.headers['ratelimit-remaining']]).toEqual([422, '5', '5'])
    const { key: second } = (await rotateKey(ownKeys(user.id), made.id, 24, {})) ?? { key: '' }
    const both = [headers, { authorization: `Bearer ${second}` }]
    const replies = await Promise.all(Array.from({ length: 12 }, (_, at) => rows('?limit=1', both[at % 2])))
    const served = replies.filter(({ statusCode }) => statusCode === 200)
    expect(served.map((reply) => Number(reply.headers['ratelimit-remaining'])).toSorted((one, other) => one - other)).toEqual([
      0, 1, 2, 3, 4,
    ])
    const over = replies.filter(({ statusCode }) => statusCode === 429)
    expect([over.length, over[0]?.json().code, over[0]?.headers['ratelimit-remaining']]).toEqual([7, 'quota_used_up', '0'])
    const wait = Number(over[0]?.headers['retry-after'])
    expect([wait > 0, Math.abs(wait - Number(over[0]?.headers['ratelimit-reset'])) <= 1]).toEqual([true, true])
    expect(over[0]?.headers.ratelimit).toMatch(/^"month";r=0;t=\d+$/)
    await keepUsage()
    const used = await db.selectFrom('apiUsage').selectAll().where('keyId', '=', made.id).execute()
    expect(used).toMatchObject([{ requests: 5, refused: 8, rows: 5 }])
  })

  test('a page of the product reads rows with the session of its reader, also of a dataset that is offered as a file alone', async () => {
    const files = await makeProduct({ hasApi: false })
    await makeDataset(files, csv(0, 3))
    const reply = await ask(`/${files.slug}/rows`, person.headers)
    expect([reply.statusCode, reply.json().data.length, reply.headers['ratelimit-limit']]).toEqual([200, 3, undefined])
    expect(codeOf(await ask(`/${files.slug}/rows`))).toEqual([403, 'no_api'])
    expect((await ask(`/${files.slug}/rows`, await keyOf(await signIn('staff')))).statusCode).toBe(200)
  })

  test('the page of a dataset shows its first rows without a trace; more rows, and changes, are noted as read', async () => {
    const paid = await makeProduct({ priceCents: 4900 })
    await makeDataset(paid, csv(0, 5))
    await makeDataset(paid, csv(0, 6))
    const readBy = async (path: string) => {
      const { user, headers } = await signIn()
      const grant = await insert(db, 'entitlements', { productId: paid.id, userId: user.id, organizationId: user.id, grantedBy: newId() })
      expect((await ask(`/${paid.slug}/${path}`, headers)).statusCode).toBe(200)
      const { readAt } = await db.selectFrom('entitlements').select('readAt').where('id', '=', grant.id).executeTakeFirstOrThrow()
      return readAt !== null
    }
    expect(await readBy('rows?limit=100')).toBe(false)
    expect(await readBy('rows?limit=101')).toBe(true)
    expect(await readBy('changes?since=1')).toBe(true)
  })

  test('HEAD reads no rows', async () => {
    const { user } = await signIn()
    const made = await makeKey(ownKeys(user.id), { name: 'Fresh?', productIds: null, expiresInDays: null }, {})
    const headers = { authorization: `Bearer ${made.key}` }
    for (const path of ['rows', 'changes?since=1']) expect((await ask(`/${product.slug}/${path}`, headers, 'HEAD')).statusCode).toBe(200)
    await keepUsage()
    expect(await db.selectFrom('apiKeyReads').select('productId').where('keyId', '=', made.id).execute()).toEqual([])
    expect(await db.selectFrom('apiUsage').select(['requests', 'rows']).where('keyId', '=', made.id).execute()).toEqual([
      { requests: 2, rows: 0 },
    ])
  })
})

describe('error', () => {
  test('what cannot be asked for so is told by its field', async () => {
    const questions = [
      '?limit=0',
      '?limit=10001',
      '?limit=1e3',
      '?limit=2&limit=3',
      '?format=xlsx',
      '?version=x',
      '?cursor=x',
      '?cursor=2.x',
      '?color=red',
      '?stock[gte]=many',
      '?select=nothing',
      '?sort=nothing',
      '?stock[between]=1',
    ]
    const found = await Promise.all(questions.map(async (question) => errorsOf(await rows(question))))
    const fields = [
      'limit',
      'limit',
      'limit',
      'limit',
      'format',
      'version',
      'cursor',
      'cursor',
      'color',
      'stock[gte]',
      'select',
      'sort',
      'stock[between]',
    ]
    expect(found).toEqual(fields.map((field) => [422, [field]]))
    const { nextCursor } = await readPage('?limit=2&version=1')
    for (const query of [`?version=2&cursor=${nextCursor}`, `?select=day&cursor=${nextCursor}`])
      expect(errorsOf(await rows(query))).toEqual([422, ['cursor']])
    expect((await rows('', { ...bearer, accept: 'text/html, application/json;q=0' })).json()).toMatchObject({
      status: 406,
      code: 'not_acceptable',
    })
    for (const query of ['', '?since=0', '?since=2&version=1', '?since=1&cursor=2.x', '?since=1&color=red'])
      expect([query, (await ask(`/${product.slug}/changes${query}`)).statusCode]).toEqual([query, 422])
    expect(codeOf(await rows('?version=3'))).toEqual([404, 'unknown_version'])
    expect(codeOf(await ask('/nothing/rows'))).toEqual([404, 'unknown_dataset'])
    expect(codeOf(await ask(`/${(await makeProduct()).slug}/rows`))).toEqual([409, 'not_published'])
  })
})

describe('security', () => {
  test('a stranger is told how to come in; wrong, revoked and expired keys, and those of closed accounts, open nothing', async () => {
    const shut = await signIn()
    const closed = await keyOf(shut)
    await db
      .updateTable('users')
      .set({ bannedUntil: new Date(Date.now() + 60_000) })
      .where('id', '=', shut.user.id)
      .execute()
    const { id, key } = await makeKey(ownKeys(person.user.id), { name: 'Gone', productIds: null, expiresInDays: null }, {})
    await revokeKey(ownKeys(person.user.id), id, {})
    const wrong = `${bearer.authorization.slice(0, -1)}${bearer.authorization.endsWith('a') ? 'b' : 'a'}`
    for (const [headers, code] of [
      [{}, undefined],
      [{ authorization: wrong }, 'invalid_key'],
      [{ authorization: `Bearer ${key}` }, 'key_revoked'],
      [closed, 'key_owner_gone'],
      // The key counts, not the cookie beside it.
      [{ ...person.headers, authorization: `Bearer ${key}` }, 'key_revoked'],
    ] as const) {
      const reply = await rows('', headers)
      expect([codeOf(reply), reply.headers['www-authenticate']]).toEqual([[401, code], 'Bearer realm="Data API"'])
    }
  })

  test('what costs is read by whoever was given it, until it is taken back; a key has what its owner has, and no more than it is limited to', async () => {
    const paid = await makeProduct({ priceCents: 4900 })
    await makeDataset(paid, csv(0, 3))
    const url = `/${paid.slug}/rows`
    const refused = await ask(url)
    expect(refused.json()).toMatchObject({
      status: 402,
      code: 'payment_required',
      checkoutUrl: `/data-marketplace/${paid.slug}/buy`,
    })
    expect((await ask(`/${paid.slug}/schema`)).statusCode).toBe(200)
    const grant = await insert(db, 'entitlements', {
      productId: paid.id,
      userId: person.user.id,
      organizationId: person.user.id,
      grantedBy: newId(),
    })
    expect((await ask(url)).statusCode).toBe(200)
    const limited = await keyOf(person, { productIds: [paid.id] })
    expect([(await ask(url, limited)).statusCode, codeOf(await rows('', limited)), (await ask('', limited)).json().data.length]).toEqual([
      200,
      [403, 'key_scope'],
      1,
    ])
    await db
      .updateTable('entitlements')
      .set({ expiresAt: new Date(Date.now() - 1000) })
      .where('id', '=', grant.id)
      .execute()
    expect([(await ask(url)).statusCode, (await ask(url, person.headers)).statusCode]).toEqual([402, 402])
    const unconfirmed = await signIn('customer', { emailConfirmedAt: null })
    expect(codeOf(await rows('', await keyOf(unconfirmed)))).toEqual([403, 'email_not_confirmed'])
    const hidden = await makeProduct({ hidden: true })
    await makeDataset(hidden, csv(0, 3))
    expect(codeOf(await ask(`/${hidden.slug}/rows`))).toEqual([404, 'unknown_dataset'])
    expect((await ask(`/${hidden.slug}/rows`, await keyOf(await signIn('staff')))).statusCode).toBe(200)
  })

  test('stored rows are for those who may read them now: not once access is revoked, or the dataset unpublished or removed', async () => {
    const paid = await makeProduct({ priceCents: 4900 })
    const { id } = await makeDataset(paid, csv(0, 300))
    const grant = await insert(db, 'entitlements', {
      productId: paid.id,
      userId: person.user.id,
      organizationId: person.user.id,
      grantedBy: newId(),
    })
    const url = `/${paid.slug}/rows`
    const change = (values: { hidden?: boolean; removedAt?: Date | null }) =>
      db.updateTable('dataProducts').set(values).where('id', '=', paid.id).execute()
    expect((await ask(url)).statusCode).toBe(200)
    await untilStored(id)
    expect((await ask(url)).statusCode).toBe(200)
    await change({ hidden: true })
    expect(codeOf(await ask(url))).toEqual([404, 'unknown_dataset'])
    await change({ hidden: false, removedAt: new Date() })
    expect(codeOf(await ask(url))).toEqual([404, 'unknown_dataset'])
    await change({ removedAt: null })
    expect((await ask(url)).statusCode).toBe(200)
    await db.updateTable('entitlements').set({ revokedAt: new Date() }).where('id', '=', grant.id).execute()
    expect((await ask(url)).statusCode).toBe(402)
  })

  test('a key opens the Data API and nothing else of the product', async () => {
    const owned = await keyOf(await signIn('owner'))
    const endpoints = (await listEndpoints()).flatMap(({ method, url }) => [method].flat().map((each) => ({ method: each, url })))
    const behind = endpoints.filter(
      ({ url, method }) => url.startsWith('/api/') && !url.startsWith('/api/v1/') && !/\*/.test(url) && method !== 'HEAD',
    )
    const opened: string[] = []
    for (const { method, url } of behind) {
      const given = { method, url: url.replaceAll(/:\w+/g, newId()), ...(method !== 'GET' && { payload: {} }) }
      const [keyed, stranger] = [await app.inject({ ...given, headers: owned }), await app.inject(given)]
      if (keyed.statusCode !== stranger.statusCode) opened.push(`${method} ${url} ${stranger.statusCode} → ${keyed.statusCode}`)
    }
    expect([behind.length > 60, opened]).toEqual([true, []])
  })

  test('pages of other sites may read with a key, never with the cookies of somebody who is signed in', async () => {
    const preflight = await app.inject({
      method: 'OPTIONS',
      url: '/api/v1/datasets',
      headers: {
        origin: 'https://elsewhere.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization',
      },
    })
    expect([
      preflight.statusCode,
      preflight.headers['access-control-allow-origin'],
      preflight.headers['access-control-allow-headers'],
    ]).toEqual([204, '*', 'authorization, if-none-match'])
    for (const headers of [bearer, person.headers, {}]) {
      const { headers: answered } = await rows('', { ...headers, origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' })
      expect([answered['access-control-allow-origin'], answered['access-control-allow-credentials']]).toEqual(['*', undefined])
    }
    expect((await app.inject({ url: '/api/keys', headers: { origin: 'https://elsewhere.example' } })).headers).not.toHaveProperty(
      'access-control-allow-origin',
    )
  })
})

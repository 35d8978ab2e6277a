import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { startJobs, stopJobs } from '#app/platform/jobs/job-worker.server.ts'
import { db, insert, newId } from '#app/platform/database/db.server.ts'
import { ACCESS_COOKIE } from '#app/platform/http/session-cookie.server.ts'
import { putFile } from '#app/platform/storage/storage.server.ts'
import { startEndpoints } from '#test/app.ts'
import { forgetLimits, tally } from '#test/auth.ts'
import { makeDataset, makeProduct, signIn, type SignedIn } from '#test/factories.ts'
import { twoAtOnce } from '#test/two-at-once.ts'

const app = await startEndpoints()
await app.listen({ port: 0, host: '127.0.0.1' })
const address = app.server.address()
const port = typeof address === 'object' && address ? address.port : 0
const site = `http://127.0.0.1:${port}`
afterAll(() => stopJobs())
beforeEach(forgetLimits)

const CSV = 'shop,price\nNorth,1.50\n"South, left",2.25\nEast,3.00\n'
/** Larger than one chunk, and not a multiple of it. */
const LARGE = randomBytes(1_300_001)

const free = await makeProduct({ slug: 'shop-prices' })
await makeDataset(free, CSV)
const large = await makeProduct({ slug: 'large', priceCents: 4900 })
const largeVersion = await makeDataset(large, CSV)
await putFile(`datasets/${largeVersion.id}/data.csv`, LARGE)
const sha256 = createHash('sha256').update(LARGE).digest('hex')
const file = { format: 'csv' as const, storageKey: `datasets/${largeVersion.id}/data.csv`, bytes: LARGE.length, sha256 }
await db
  .insertInto('datasetFiles')
  .values({ versionId: largeVersion.id, ...file })
  .execute()
const customer = await signIn()
await insert(db, 'entitlements', { productId: large.id, userId: customer.user.id, organizationId: customer.user.id, grantedBy: newId() })

const unpublished = {
  state: 'ready' as const,
  originalName: 'x.csv',
  originalFormat: 'csv' as const,
  originalBytes: 1,
  originalSha256: 'x',
}

type Who = { headers?: Record<string, string> }
const ask = (who: Who, slug: string, wish: object = { downloadType: 'file' }) =>
  app.inject({ method: 'POST', url: `/api/data-products/${slug}/download`, ...(who.headers && { headers: who.headers }), payload: wish })
const linkOf = async (who: Who, slug: string, wish: object = { downloadType: 'file' }): Promise<string> => {
  const reply = await ask(who, slug, wish)
  expect([reply.statusCode, reply.statusCode === 200 ? '' : reply.body]).toEqual([200, ''])
  return reply.json().downloadUrl
}
const get = (who: Who, link: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(site + link, { method, headers: { ...who.headers, ...headers }, redirect: 'manual' })
const bytesOf = async (reply: Response) => Buffer.from(await reply.arrayBuffer())
const sumOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const own = async (who: SignedIn) => (await app.inject({ url: '/api/user/downloads', headers: who.headers })).json()
const codeOf = async (reply: Response) => [reply.status, (await reply.json()).code]

describe('happy', () => {
  test('formats that nobody has asked for yet are made once, however many ask at once, and are then listed with their checksums', async () => {
    startJobs()
    const formats = ['csv', 'csv-raw', 'json', 'jsonl', 'parquet', 'original'] as const
    const texts: Record<string, string> = {}
    for (const format of formats) {
      const links = await Promise.all(Array.from({ length: 10 }, () => linkOf(customer, free.slug, { downloadType: 'file', format })))
      const bytes = await bytesOf(await get(customer, links[9] ?? ''))
      texts[format] = bytes.toString()
      const manifest = (await app.inject({ url: `/api/data-products/${free.slug}/manifest` })).json()
      const listed = manifest.files.find((each: { format: string }) => each.format === format)
      expect([format, listed.bytes, listed.sha256]).toEqual([format, bytes.length, sumOf(bytes)])
    }
    expect(texts['original']).toBe(CSV)
    expect(texts['csv']?.split(/\r?\n/)).toEqual(expect.arrayContaining(['shop,price', '"South, left",2.25']))
    expect(JSON.parse(texts['json'] ?? '').map(({ shop }: { shop: string }) => shop)).toEqual(['North', 'South, left', 'East'])
    expect(texts['jsonl']?.trim().split('\n')).toHaveLength(3)
    expect(texts['parquet']?.slice(0, 4)).toBe('PAR1')
    await stopJobs()
    const jobs = await db.selectFrom('jobs').select('doneAt').where('kind', '=', 'dataset-file').execute()
    expect(jobs).toHaveLength(4)
    const manifest = (await app.inject({ url: `/api/data-products/${free.id}/manifest?version=1` })).json()
    expect(manifest).toMatchObject({ product: { slug: free.slug }, version: 1, rows: 3 })
    expect(manifest.files.map(({ name }: { name: string }) => name)).toEqual([
      'shop-prices-v1.csv',
      'shop-prices-v1-raw.csv',
      'shop-prices-v1.json',
      'shop-prices-v1.jsonl',
      'shop-prices-v1-original.csv',
      'shop-prices-v1.parquet',
    ])
  })

  test('no cell of a CSV download runs as a formula; raw=1 gives programs every value unchanged; both have their own checksum', async () => {
    const hostile = await makeProduct({ slug: 'hostile' })
    const values = ['=1+1', '+SUM(A1)', '+49 (30) 123-45.6', '-2 apples', '@cmd', '"=HYPERLINK(""http://x"",""y"")"']
    const uploaded = `=name,count\n${values.map((value) => `${value},-5\n`).join('')}`
    await makeDataset(hostile, uploaded)
    startJobs()
    const link = await linkOf(customer, hostile.slug)
    const [safe, raw] = [await get(customer, link), await get(customer, `${link}&raw=1`)]
    const lines = (bytes: Buffer) => bytes.toString().split('\r\n').slice(0, -1)
    const [safeBytes, rawBytes] = [await bytesOf(safe), await bytesOf(raw)]
    expect(lines(safeBytes)).toEqual([
      "'=name,count",
      "'=1+1,-5",
      "'+SUM(A1),-5",
      '+49 (30) 123-45.6,-5',
      "'-2 apples,-5",
      "'@cmd,-5",
      `"'=HYPERLINK(""http://x"",""y"")",-5`,
    ])
    expect(lines(rawBytes)).toEqual(['=name,count', ...values.map((value) => `${value},-5`)])
    expect(safe.headers.get('csv-note')).toContain('leading apostrophe')
    expect(raw.headers.get('csv-note')).toContain('Values are unchanged')
    const { files } = (await app.inject({ url: `/api/data-products/${hostile.slug}/manifest` })).json()
    const sums = Object.fromEntries(files.map((each: { format: string; sha256: string }) => [each.format, each.sha256]))
    expect([sums['csv'], sums['csv-raw']]).toEqual([sumOf(safeBytes), sumOf(rawBytes)])
    const asked = await app.inject({
      method: 'POST',
      url: `/api/data-products/${hostile.slug}/download?raw=1`,
      headers: customer.headers,
      payload: { downloadType: 'file' },
    })
    expect(asked.json().downloadUrl).toContain('/files/hostile-v1-raw.csv?')
    const chosen = await linkOf(customer, hostile.slug, { downloadType: 'file', columns: ['=name'] })
    expect(lines(await bytesOf(await get(customer, chosen))).slice(0, 2)).toEqual(["'=name", "'=1+1"])
    expect(lines(await bytesOf(await get(customer, `${chosen}&raw=1`))).slice(0, 2)).toEqual(['=name', '=1+1'])
    const original = await get(customer, await linkOf(customer, hostile.slug, { downloadType: 'file', format: 'original' }))
    expect([(await bytesOf(original)).toString(), original.headers.get('csv-note')]).toEqual([uploaded, raw.headers.get('csv-note')])
    await stopJobs()
  })

  test('a download link opens in another program with an API key, resumes, and counts against its quota', async () => {
    const made = await app.inject({ method: 'POST', url: '/api/keys', headers: customer.headers, payload: { name: 'Download manager' } })
    const { key, id } = made.json()
    const program: Who = { headers: { authorization: `Bearer ${key}` } }
    for (const link of [await linkOf(customer, 'large'), '/api/v1/datasets/large/download', '/api/v1/datasets/large/download?version=1']) {
      const first = await get(program, link, { range: 'bytes=0-599999' })
      const rest = await get(program, link, { range: 'bytes=600000-', 'if-range': String(first.headers.get('etag')) })
      expect([first.status, rest.status, rest.headers.get('content-range')]).toEqual([206, 206, 'bytes 600000-1300000/1300001'])
      expect(Buffer.concat([await bytesOf(first), await bytesOf(rest)]).equals(LARGE)).toBe(true)
      expect([first.headers.get('content-disposition'), first.headers.get('etag')]).toEqual([
        'attachment; filename="large-v1.csv"',
        `"${sha256}"`,
      ])
    }
    const whole = await get(program, '/api/v1/datasets/large/download')
    expect([whole.status, whole.headers.get('ratelimit-remaining')]).toEqual([200, String(10_000 - 7)])
    expect((await bytesOf(whole)).equals(LARGE)).toBe(true)
    expect((await app.inject({ url: `/api/keys/${id}/usage`, headers: customer.headers })).json().used).toBe(7)
    expect((await own(customer)).map(({ productId }: { productId: string }) => productId)).toContain(large.id)
  })

  test('parts of one download by key are one entry of the audit log', async () => {
    const person = await signIn()
    const made = await app.inject({ method: 'POST', url: '/api/keys', headers: person.headers, payload: { name: 'Parts' } })
    const program: Who = { headers: { authorization: `Bearer ${made.json().key}` } }
    for (const range of ['bytes=0-3', 'bytes=4-7', 'bytes=8-']) {
      expect((await get(program, '/api/v1/datasets/shop-prices/download?format=original', { range })).status).toBe(206)
    }
    const events = await db
      .selectFrom('auditEvents')
      .select('detail')
      .where('actorId', '=', person.user.id)
      .where('action', '=', 'dataset_downloaded')
      .execute()
    expect(events).toHaveLength(1)
  })

  test('a whole file by key is recorded beside a selection, and beside a download for another organization', async () => {
    const person = await signIn()
    await insert(db, 'entitlements', { productId: large.id, userId: person.user.id, organizationId: person.user.id, grantedBy: newId() })
    const made = await app.inject({ method: 'POST', url: '/api/keys', headers: person.headers, payload: { name: 'Whole' } })
    const program: Who = { headers: { authorization: `Bearer ${made.json().key}` } }
    const taken = async () =>
      (await db.selectFrom('downloads').select('choice').where('userId', '=', person.user.id).orderBy('id').execute()).map(
        ({ choice }) => choice !== null,
      )
    await linkOf(person, large.slug, { downloadType: 'file', format: 'csv', columns: ['shop'] })
    const take = async () => {
      const reply = await get(program, `/api/v1/datasets/${large.slug}/download`)
      expect([reply.status, (await bytesOf(reply)).length]).toEqual([200, LARGE.length])
    }
    await take()
    await take()
    expect(await taken()).toEqual([true, false])
    await db.updateTable('downloads').set({ organizationId: null }).where('userId', '=', person.user.id).execute()
    await take()
    expect(await taken()).toEqual([true, false, false])
  })

  test('a request by key that gets no bytes is no download: a look at the headers, a file that is known, a used-up quota', async () => {
    const person = await signIn()
    const made = await app.inject({ method: 'POST', url: '/api/keys', headers: person.headers, payload: { name: 'Fresh?' } })
    const { key, id } = made.json<{ key: string; id: string }>()
    const program: Who = { headers: { authorization: `Bearer ${key}` } }
    const address = `/api/v1/datasets/${free.slug}/download?format=original`
    const head = await get(program, address, {}, 'HEAD')
    expect([head.status, head.headers.get('dataset-version')]).toEqual([200, '1'])
    expect((await get(program, address, { 'if-none-match': String(head.headers.get('etag')) })).status).toBe(304)
    await db.updateTable('apiKeys').set({ monthlyQuota: 2 }).where('id', '=', id).execute()
    expect(await codeOf(await get(program, address))).toEqual([429, 'quota_used_up'])
    expect(await own(person)).toEqual([])
    await db.updateTable('apiKeys').set({ monthlyQuota: 3 }).where('id', '=', id).execute()
    expect((await get(program, address)).status).toBe(200)
    expect(await own(person)).toMatchObject([{ productId: free.id, format: 'original' }])
  })

  test('a download answers an address, which is the file under its name, with its size, its mark and its checksum', async () => {
    const link = await linkOf(customer, 'large')
    expect(link).toMatch(/^\/files\/large-v1\.csv\?link=[\w-]+\.[\da-z]+\.[\w-]+$/)
    const reply = await get(customer, link)
    expect(reply.status).toBe(200)
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': 'attachment; filename="large-v1.csv"',
      'content-length': '1300001',
      'accept-ranges': 'bytes',
      etag: `"${sha256}"`,
      'repr-digest': `sha-256=:${Buffer.from(sha256, 'hex').toString('base64')}:`,
      'cache-control': 'private, no-cache, no-transform',
      'x-content-type-options': 'nosniff',
    })
    expect((await bytesOf(reply)).equals(LARGE)).toBe(true)
    const head = await get(customer, link, {}, 'HEAD')
    expect([head.status, head.headers.get('content-length'), (await bytesOf(head)).length]).toEqual([200, '1300001', 0])
  })

  test('a part can be asked for, in each of the ways that there are; parts behind the end cannot', async () => {
    const link = await linkOf(customer, 'large')
    const parts: [range: string, status: number, start: number, end: number][] = [
      ['bytes=0-0', 206, 0, 0],
      ['bytes=600000-', 206, 600_000, 1_300_000],
      ['bytes=-5', 206, 1_299_996, 1_300_000],
      ['bytes=-9999999', 206, 0, 1_300_000],
      ['bytes=5-9999999', 206, 5, 1_300_000],
      // Several ranges, or an invalid one: the whole file.
      ['bytes=0-1,5-6', 200, 0, 1_300_000],
      ['bytes=9-5', 200, 0, 1_300_000],
      ['bytes=-', 200, 0, 1_300_000],
      ['lines=0-1', 200, 0, 1_300_000],
    ]
    for (const [range, status, start, end] of parts) {
      const reply = await get(customer, link, { range })
      const told = status === 206 ? `bytes ${start}-${end}/1300001` : null
      expect([range, reply.status, reply.headers.get('content-range')]).toEqual([range, status, told])
      expect((await bytesOf(reply)).equals(LARGE.subarray(start, end + 1))).toBe(true)
    }
    for (const range of ['bytes=1300001-', 'bytes=-0']) {
      const reply = await get(customer, link, { range })
      expect([range, reply.status, reply.headers.get('content-range')]).toEqual([range, 416, 'bytes */1300001'])
      await reply.text()
    }
  })

  test('cut off, it is resumed where it stopped, by the old address or a new one; of another file it begins anew', async () => {
    const link = await linkOf(customer, 'large')
    const part = await bytesOf(await get(customer, link, { range: 'bytes=0-699999' }))
    const rest = await get(customer, await linkOf(customer, 'large'), { range: 'bytes=700000-', 'if-range': `"${sha256}"` })
    expect(rest.status).toBe(206)
    expect(sumOf(Buffer.concat([part, await bytesOf(rest)]))).toBe(sha256)
    for (const mark of ['"another"', `W/"${sha256}"`, 'Wed, 21 Oct 2026 07:28:00 GMT']) {
      const anew = await get(customer, link, { range: 'bytes=700000-', 'if-range': mark })
      expect([anew.status, (await bytesOf(anew)).length]).toEqual([200, 1_300_001])
    }
    for (const known of [`"${sha256}"`, `"x", W/"${sha256}"`, '*']) {
      const reply = await get(customer, link, { 'if-none-match': known })
      expect([known, reply.status, (await bytesOf(reply)).length]).toEqual([known, 304, 0])
    }
  })

  test('chosen columns and rows are written as CSV or JSONL while they are read', async () => {
    const choice = { columns: ['price'], filters: [{ column: 'price', operator: 'gte', value: '2' }] }
    const link = await linkOf(customer, free.slug, { downloadType: 'file', ...choice })
    const reply = await get(customer, link)
    expect([reply.headers.get('content-disposition'), reply.headers.get('content-length'), reply.headers.get('accept-ranges')]).toEqual([
      'attachment; filename="shop-prices-selection-v1.csv"',
      null,
      'none',
    ])
    expect((await reply.text()).trim().split(/\r?\n/)).toEqual(['price', '2.25', expect.stringMatching(/^3/)])
    const sorted = { ...choice, format: 'jsonl', columns: ['shop'], sort: { column: 'price', descending: true } }
    const lines = (await (await get(customer, await linkOf(customer, free.slug, { downloadType: 'file', ...sorted }))).text()).trim()
    expect(lines.split('\n').map((line) => JSON.parse(line))).toEqual([{ shop: 'East' }, { shop: 'South, left' }])
  })

  test('each product that was downloaded as a file is listed once; the API leads to where it is explained, and is not', async () => {
    const person = await signIn()
    expect(await own(person)).toEqual([])
    expect(await linkOf(person, free.slug, { downloadType: 'api' })).toBe(`/developers?dataset=${free.slug}`)
    expect(await own(person)).toEqual([])
    for (const format of ['csv', 'original']) await linkOf(person, free.slug, { downloadType: 'file', format })
    expect(await own(person)).toEqual([
      { productId: free.id, type: 'file', format: 'original', version: 1, createdAt: expect.stringMatching(/Z$/) },
    ])
    const taken = await db.selectFrom('downloads').select(['type', 'format']).where('userId', '=', person.user.id).orderBy('id').execute()
    expect(taken).toEqual([
      { type: 'api', format: null },
      { type: 'file', format: 'csv' },
      { type: 'file', format: 'original' },
    ])
    const events = await db
      .selectFrom('auditEvents')
      .select(['action', 'detail'])
      .where('actorId', '=', person.user.id)
      .orderBy('id')
      .execute()
    expect(events.map(({ action, detail }) => [action, detail])).toEqual([
      ['dataset_api_opened', { product: free.slug, version: 1 }],
      ['dataset_downloaded', { product: free.slug, version: 1, format: 'csv' }],
      ['dataset_downloaded', { product: free.slug, version: 1, format: 'original' }],
    ])
  })

  test('a version before the current one can be taken', async () => {
    const product = await makeProduct()
    await makeDataset(product, CSV)
    await makeDataset(product, 'shop,price\nNorth,9.00\n')
    const old = await linkOf(customer, product.slug, { downloadType: 'file', format: 'original', version: 1 })
    expect(old).toContain(`${product.slug}-v1-original.csv`)
    expect(await (await get(customer, old)).text()).toBe(CSV)
    expect(await linkOf(customer, product.slug, { downloadType: 'file', format: 'original' })).toContain('-v2-')
  })
})

describe('error', () => {
  test('D10: what has no data yet, or is not offered so, is a conflict and no address', async () => {
    const empty = await makeProduct()
    const noFile = await makeProduct({ hasFile: false })
    const noApi = await makeProduct({ hasApi: false })
    await Promise.all([makeDataset(noFile, CSV), makeDataset(noApi, CSV)])
    const tries = [
      [empty, 'file', 'not_published'],
      [empty, 'api', 'not_published'],
      [noFile, 'file', 'not_offered'],
      [noApi, 'api', 'not_offered'],
    ] as const
    for (const [{ slug }, downloadType, code] of tries) {
      const reply = await ask(customer, slug, { downloadType })
      expect([reply.statusCode, reply.json().code, reply.json().downloadUrl]).toEqual([409, code, undefined])
    }
    expect((await ask(customer, empty.slug)).json().detail).toBe('This dataset is not published yet.')
    expect((await app.inject({ url: `/api/data-products/${empty.slug}/manifest` })).statusCode).toBe(409)
  })

  test.each([
    ['no type', {}, 'downloadType'],
    ['an unknown format', { downloadType: 'file', format: 'docx' }, 'format'],
    ['Parquet of chosen rows', { downloadType: 'file', format: 'parquet', columns: ['price'] }, 'format'],
    ['a column that is none', { downloadType: 'file', columns: ['shop"; DROP TABLE x'] }, 'select'],
    ['a value of another type', { downloadType: 'file', filters: [{ column: 'price', operator: 'gt', value: 'much' }] }, 'price[gt]'],
    ['a NUL', { downloadType: 'file', filters: [{ column: 'shop', operator: 'eq', value: '\0' }] }, 'filters.0.value'],
    ['half of a character', { downloadType: 'file', filters: [{ column: 'shop', operator: 'in', value: 'a,\uD800' }] }, 'filters.0.value'],
    ['an unknown comparison', { downloadType: 'file', filters: [{ column: 'price', operator: 'like', value: '1' }] }, 'filters.0.operator'],
  ])('%s is refused by name, and is no download', async (_name, wish, field) => {
    const person = await signIn()
    const reply = await ask(person, free.slug, wish)
    expect([reply.statusCode, Object.keys(reply.json().errors)]).toEqual([422, [field]])
    expect(await db.selectFrom('downloads').select('id').where('userId', '=', person.user.id).execute()).toEqual([])
  })

  test('a version that is none, or not published, is not found', async () => {
    await insert(db, 'datasetVersions', { ...unpublished, productId: free.id, number: 7, createdBy: newId() })
    for (const number of [0, 7, 99, 2 ** 31, Number.MAX_SAFE_INTEGER])
      expect((await ask(customer, free.slug, { downloadType: 'file', version: number })).statusCode).toBe(404)
    const at = async (address: string) => (await app.inject({ url: `/api/data-products/${address}` })).statusCode
    expect(await at(`${free.slug}/manifest?version=3000000000`)).toBe(404)
    for (const address of ['%00', '%00/manifest']) expect(await at(address)).toBe(400)
  })

  test('who stops reading holds one piece of memory, and goes when their connection does', async () => {
    // More than the system buffers for a connection that nothing reads from.
    const huge = Buffer.alloc(24 * 1024 * 1024)
    const storageKey = `datasets/${largeVersion.id}/data.jsonl`
    await putFile(storageKey, huge)
    const row = { format: 'jsonl' as const, storageKey, bytes: huge.length, sha256: sumOf(huge) }
    await db
      .insertInto('datasetFiles')
      .values({ versionId: largeVersion.id, ...row })
      .execute()
    const link = await linkOf(customer, 'large', { downloadType: 'file', format: 'jsonl' })
    const readers = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const socket = connect(port, '127.0.0.1')
        socket.write(`GET ${link} HTTP/1.1\r\nHost: x\r\nCookie: ${customer.headers.cookie}\r\n\r\n`)
        await once(socket, 'readable')
        return socket
      }),
    )
    const ninth = await get(customer, link)
    expect(ninth.status).toBe(429)
    await ninth.text()
    for (const socket of readers) socket.destroy()
    await expect.poll(async () => (await get(customer, link, { range: 'bytes=0-1' })).status).toBe(206)
  })
})

describe('security', () => {
  test('strangers take nothing; who has not confirmed confirms; who has not paid is told where to ask; staff take all', async () => {
    const [other, unproven, staff] = [await signIn(), await signIn('customer', { emailConfirmedAt: null }), await signIn('staff')]
    expect((await ask({}, free.slug)).statusCode).toBe(401)
    expect((await app.inject({ url: '/api/user/downloads' })).statusCode).toBe(401)
    expect((await ask(unproven, free.slug)).json()).toMatchObject({ status: 403, code: 'email_not_confirmed' })
    for (const downloadType of ['file', 'api']) {
      expect((await ask(other, large.slug, { downloadType })).json()).toMatchObject({
        status: 402,
        code: 'payment_required',
        checkoutUrl: '/data-marketplace/large/buy',
      })
    }
    expect((await ask(staff, large.slug)).statusCode).toBe(200)
    expect((await ask(customer, newId())).statusCode).toBe(404)
  })

  test('what is hidden is there for staff alone, also by an address from before', async () => {
    const product = await makeProduct()
    await makeDataset(product, CSV)
    const link = await linkOf(customer, product.slug, { downloadType: 'file', format: 'original' })
    await db.updateTable('dataProducts').set({ hidden: true }).where('id', '=', product.id).execute()
    expect((await get(customer, link)).status).toBe(410)
    expect((await ask(customer, product.slug)).statusCode).toBe(404)
    expect((await app.inject({ url: `/api/data-products/${product.slug}/manifest` })).statusCode).toBe(404)
    expect((await ask(await signIn('staff'), product.slug, { downloadType: 'file', format: 'original' })).statusCode).toBe(200)
  })

  test('an address is for one person who is signed in: nobody else gets anything, with or without an account, staff neither', async () => {
    const link = await linkOf(customer, free.slug)
    expect((await get({}, link)).status).toBe(401)
    for (const role of ['customer', 'staff', 'owner'] as const) {
      expect(await codeOf(await get(await signIn(role), link))).toEqual([403, 'link_of_another'])
    }
    const beforeMfa = await signIn()
    await insert(db, 'mfaFactors', { userId: beforeMfa.user.id, factorType: 'phone', phone: '4915112345678', status: 'verified' })
    expect((await codeOf(await get(beforeMfa, link)))[0]).toBe(403)
    const bearer = customer.headers.cookie.replace(`${ACCESS_COOKIE}=`, 'Bearer ')
    expect((await get({}, link, { authorization: bearer })).status).toBe(200)
  })

  test('altered in any place, or run out, it opens nothing', async () => {
    const link = await linkOf(customer, free.slug)
    const [path = '', signed = ''] = link.split('?link=')
    const [download = '', until = '', signature = ''] = signed.split('.')
    const another = (await linkOf(await signIn(), free.slug)).split('=')[1]?.split('.')[0]
    const altered = [
      `${path}?link=${another}.${until}.${signature}`,
      `${path}?link=${download}.${(Number.parseInt(until, 36) + 60_000).toString(36)}.${signature}`,
      `${path}?link=${download}.${until}.${signature.split('').toReversed().join('')}`,
      `${path}?link=${download}.${until}.`,
      `${path}?link=${signed}.x`,
      `${path}?link=x`,
      `/files/setup.exe?link=${signed}`,
      `/files/../files/x.csv?link=${signed}`,
      `/files/${encodeURIComponent('x"\r\nx: y')}?link=${signed}`,
    ]
    for (const each of altered) expect([each, ...(await codeOf(await get(customer, each)))]).toEqual([each, 403, 'link_altered'])
    expect((await get(customer, path)).status).toBe(422)
    const past = Date.now
    try {
      Date.now = () => past() + 15 * 60_000 + 1000
      const late = await app.inject({ url: link, headers: customer.headers })
      expect(late.statusCode === 401 || late.json().code === 'link_expired').toBe(true)
    } finally {
      Date.now = past
    }
  })

  test('what has ended since counts: an entitlement that was taken back or has run out, a session, a version that is gone', async () => {
    const person = await signIn()
    const { id } = await insert(db, 'entitlements', {
      productId: large.id,
      userId: person.user.id,
      organizationId: person.user.id,
      grantedBy: newId(),
    })
    const link = await linkOf(person, large.slug)
    const set = (change: { revokedAt?: Date | null; expiresAt?: Date | null }) =>
      db.updateTable('entitlements').set(change).where('id', '=', id).execute()
    expect((await get(person, link, { range: 'bytes=0-1' })).status).toBe(206)
    await set({ revokedAt: new Date() })
    expect(await codeOf(await get(person, link))).toEqual([402, 'payment_required'])
    await set({ revokedAt: null, expiresAt: new Date(Date.now() - 1000) })
    expect((await get(person, link)).status).toBe(402)
    await set({ expiresAt: null })
    await db.deleteFrom('sessions').where('id', '=', person.session.id).execute()
    expect((await get(person, link)).status).toBe(401)
    const product = await makeProduct()
    const gone = await makeDataset(product, CSV)
    const old = await linkOf(customer, product.slug, { downloadType: 'file', format: 'original' })
    await db.updateTable('dataProducts').set({ currentVersionId: null }).where('id', '=', product.id).execute()
    await db.deleteFrom('datasetVersions').where('id', '=', gone.id).execute()
    expect((await get(customer, old)).status).toBe(410)
  })

  test('too many downloads are refused, those of others are not', async () => {
    const [one, other] = [await signIn(), await signIn()]
    const replies = await twoAtOnce(121, () => ask(one, free.slug, { downloadType: 'api' }))
    expect(tally(replies)).toEqual({ 200: 120, 429: 1 })
    expect((await ask(other, free.slug, { downloadType: 'api' })).statusCode).toBe(200)
  })
})

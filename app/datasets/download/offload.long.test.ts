import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'

vi.hoisted(() => void (process.env['FILE_OFFLOAD'] = 'x-accel'))

const { env } = await import('#app/platform/env.server.ts')
const { localFile, putFile } = await import('#app/platform/storage/storage.server.ts')
const { startEndpoints } = await import('#test/app.ts')
const { makeDataset, makeProduct, signIn } = await import('#test/factories.ts')
const { startNginx } = await import('#test/web-server.ts')

const app = await startEndpoints()
// Set by then.
const { db } = await import('#app/platform/database/db.server.ts')
const direct = await app.listen({ port: 0, host: '127.0.0.1' })
const nginx = await startNginx(configuration())
afterAll(() => nginx.stop())

const LARGE = randomBytes(1_300_001)
const product = await makeProduct({ slug: 'large' })
const version = await makeDataset(product, 'shop,price\nNorth,1.50\n')
const storageKey = `datasets/${version.id}/data.csv`
await putFile(storageKey, LARGE)
const sha256 = sumOf(LARGE)
await db.insertInto('datasetFiles').values({ versionId: version.id, format: 'csv', storageKey, bytes: LARGE.length, sha256 }).execute()
const customer = await signIn()
const other = await signIn()
const { downloadUrl } = (
  await app.inject({
    method: 'POST',
    url: '/api/data-products/large/download',
    headers: customer.headers,
    payload: { downloadType: 'file' },
  })
).json<{ downloadUrl: string }>()

/** The configuration that operators copy, with the port and the folder of this test. */
function configuration(): string {
  const [, directives = ''] = /```nginx\n(.*?)```/s.exec(readFileSync('docs/operations.md', 'utf8')) ?? []
  return directives.replace('http://127.0.0.1:3000', direct).replace('/var/lib/winnow', path.resolve(env.DATA_DIR))
}

function sumOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

const get = (address: string, headers: Record<string, string> = {}, method = 'GET', site = nginx.url) =>
  fetch(site + address, { method, headers: { ...customer.headers, ...headers }, redirect: 'manual' })
const bytesOf = async (reply: Response) => Buffer.from(await reply.arrayBuffer())

describe('happy', () => {
  test('nginx sends the file byte for byte, with every header of the product', async () => {
    const reply = await get(downloadUrl)
    expect([reply.status, reply.headers.get('content-length')]).toEqual([200, '1300001'])
    expect(sumOf(await bytesOf(reply))).toBe(sha256)

    const ours = await get(downloadUrl, {}, 'GET', direct)
    expect((await bytesOf(ours)).length).toBe(0)
    const ofConnection = new Set(['connection', 'keep-alive', 'date', 'content-length', 'server', 'x-accel-redirect', 'x-request-id'])
    const without = ({ headers }: Response) => Object.fromEntries([...headers].filter(([name]) => !ofConnection.has(name)))
    expect(without(reply)).toEqual({ ...without(ours), 'accept-ranges': 'bytes' })
    expect(reply.headers.get('x-request-id')).toMatch(/^[\w-]{36}$/)
    expect(without(reply)).toMatchObject({
      etag: `"${sha256}"`,
      'cache-control': 'private, no-cache, no-transform',
      'content-disposition': 'attachment; filename="large-v1.csv"',
    })
    expect([reply.headers.get('x-accel-redirect'), reply.headers.get('last-modified')]).toEqual([null, null])
  })

  test('a program with a key gets the same, with its quota, and each download is recorded', async () => {
    const made = await app.inject({ method: 'POST', url: '/api/keys', headers: other.headers, payload: { name: 'Program' } })
    const address = '/api/v1/datasets/large/download'
    const reply = await fetch(nginx.url + address, { headers: { authorization: `Bearer ${made.json().key}` } })
    expect(sumOf(await bytesOf(reply))).toBe(sha256)
    expect([reply.status, reply.headers.get('dataset-version'), reply.headers.get('ratelimit-limit')]).toEqual([200, '1', '10000'])
    for (const name of ['ratelimit', 'ratelimit-policy', 'ratelimit-remaining', 'ratelimit-reset'])
      expect([name, reply.headers.get(name)]).not.toEqual([name, null])
    const downloads = await db.selectFrom('downloads').select('type').where('userId', '=', other.user.id).execute()
    expect(downloads).toEqual([{ type: 'file' }])
  })

  test.each([
    ['bytes=0-0', {}, 206, 0, 0],
    ['bytes=600000-', {}, 206, 600_000, 1_300_000],
    ['bytes=-5', {}, 206, 1_299_996, 1_300_000],
    ['bytes=5-9999999', {}, 206, 5, 1_300_000],
    ['bytes=700000-', { 'if-range': `"${sha256}"` }, 206, 700_000, 1_300_000],
    ['bytes=700000-', { 'if-range': '"another"' }, 200, 0, 1_300_000],
    ['bytes=700000-', { 'if-range': 'Wed, 21 Oct 2026 07:28:00 GMT' }, 200, 0, 1_300_000],
    ['bytes=0-1,5-6', {}, 200, 0, 1_300_000],
  ])('the range %s with %o returns %i', async (range, headers, status, start, end) => {
    const reply = await get(downloadUrl, { range, ...headers })
    const contentRange = status === 206 ? `bytes ${start}-${end}/1300001` : null
    expect([reply.status, reply.headers.get('content-range')]).toEqual([status, contentRange])
    expect((await bytesOf(reply)).equals(LARGE.subarray(start, end + 1))).toBe(true)
  })

  test('a known ETag is not sent again, and HEAD has the size', async () => {
    expect((await get(downloadUrl, { 'if-none-match': `"${sha256}"` })).status).toBe(304)
    expect((await get(downloadUrl, { 'if-modified-since': new Date().toUTCString() })).status).toBe(200)
    const head = await get(downloadUrl, {}, 'HEAD')
    expect([head.status, head.headers.get('content-length'), head.headers.get('etag')]).toEqual([200, '1300001', `"${sha256}"`])
  })
})

describe('error', () => {
  test('a range behind the end is 416 with the size', async () => {
    const reply = await get(downloadUrl, { range: 'bytes=1300001-' })
    expect([reply.status, reply.headers.get('content-range')]).toEqual([416, 'bytes */1300001'])
  })
})

describe('security', () => {
  test('people without access get no file', async () => {
    expect((await get(downloadUrl, { cookie: '' })).status).toBe(401)
    expect((await get(downloadUrl, other.headers)).status).toBe(403)
    expect((await get(downloadUrl.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')))).status).toBe(403)
  })

  test.each(['/stored-files/', '//stored-files/', '/%73tored-files/', '/x/%2e%2e/stored-files/', '/stored-files/../stored-files/'])(
    'no client opens a file by %s',
    async (location) => {
      const reply = await get(location + storageKey)
      expect([reply.status, (await bytesOf(reply)).includes(LARGE.subarray(0, 100))]).toEqual([404, false])
    },
  )
})

test('another proxy gets the absolute path in X-Sendfile; files in a bucket are never offloaded', async () => {
  const place = await localFile(storageKey)
  expect(place).toBe(path.resolve(env.DATA_DIR, 'files', storageKey))
  const headersWith = async (settings: Record<string, string>) => {
    Object.assign(process.env, settings)
    vi.resetModules()
    const { offloadHeaders } = await import('./send-bytes.server.ts')
    return offloadHeaders(storageKey, place ?? '')
  }
  expect(await headersWith({ FILE_OFFLOAD: '' })).toBeUndefined()
  expect(await headersWith({ FILE_OFFLOAD: 'x-accel' })).toEqual({ 'x-accel-redirect': `/stored-files/${storageKey}` })
  expect(await headersWith({ FILE_OFFLOAD: 'x-sendfile' })).toEqual({ 'x-sendfile': place })
  const bucket = {
    S3_ENDPOINT: 'http://127.0.0.1:1',
    S3_REGION: 'x',
    S3_BUCKET: 'files',
    S3_ACCESS_KEY_ID: 'id',
    S3_SECRET_ACCESS_KEY: 'a-secret-key',
  }
  expect(await headersWith({ ...bucket, FILE_OFFLOAD: 'x-accel' })).toBeUndefined()
})

import { createHash, randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { request } from 'node:http'
import path from 'node:path'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { db, newId } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { startEndpoints } from '#test/app.ts'
import { eventually } from '#test/eventually.ts'
import { makeProduct, signIn } from '#test/factories.ts'
import { isNameDurable, traceFiles } from '#test/trace-files.ts'
import { uploadFile } from './upload-file.server.ts'
import { CHUNK_TYPE, UPLOADS } from './upload.ts'
import { jobOf } from '#test/job.ts'

const app = await startEndpoints()
const address = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
const staff = await signIn('staff')
const product = await makeProduct()

const tus = { 'tus-resumable': '1.0.0' }
const encode = (metadata: object) =>
  Object.entries(metadata)
    .map(([name, value]) => `${name} ${Buffer.from(String(value)).toString('base64')}`)
    .join(',')

const begin = ({ bytes, ...metadata }: { bytes: number; [name: string]: unknown }, { headers } = staff) =>
  app.inject({
    method: 'POST',
    url: UPLOADS,
    headers: { ...headers, ...tus, 'upload-length': String(bytes), 'upload-metadata': encode({ productId: product.id, ...metadata }) },
  })
const idIn = ({ headers }: { headers: Record<string, unknown> }) => String(headers['location']).replace(`${UPLOADS}/`, '')
const beginId = async (given: { bytes: number; [name: string]: unknown }) => idIn(await begin({ filename: 'prices.csv', ...given }))
const send = (id: string, offset: number, payload: Buffer, { headers } = staff) =>
  app.inject({
    method: 'PATCH',
    url: `${UPLOADS}/${id}`,
    headers: { ...headers, ...tus, 'content-type': CHUNK_TYPE, 'upload-offset': String(offset) },
    payload,
  })
const look = (id: string, { headers } = staff) => app.inject({ method: 'HEAD', url: `${UPLOADS}/${id}`, headers: { ...headers, ...tus } })
const discard = (id: string, { headers } = staff) =>
  app.inject({ method: 'DELETE', url: `${UPLOADS}/${id}`, headers: { ...headers, ...tus } })
const offsetOf = async (id: string) => (await look(id)).headers['upload-offset']
const versionOf = (id: string) => db.selectFrom('datasetVersions').selectAll().where('id', '=', id).executeTakeFirst()
const sumOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const table = (rows: number) => Buffer.from(`shop,price\n${Array.from({ length: rows }, (_, at) => `Shop ${at},${at}\n`).join('')}`)
const unfinished = () => readdirSync(path.join(env.DATA_DIR, 'unfinished')).filter((name) => name.startsWith('upload-'))

/** Sends half of a chunk, then the connection breaks. */
async function cutOff(id: string, offset: number, piece: Buffer): Promise<void> {
  const headers = { ...staff.headers, ...tus, 'content-type': CHUNK_TYPE, 'upload-offset': String(offset), 'content-length': piece.length }
  const sent = request({ host: address.hostname, port: address.port, method: 'PATCH', path: `${UPLOADS}/${id}`, headers })
  sent.on('error', () => undefined)
  sent.write(piece.subarray(0, piece.length / 2))
  await eventually(() => expect(existsSync(uploadFile(id)) && statSync(uploadFile(id)).size).toBeGreaterThan(offset))
  sent.destroy()
}

describe('happy', () => {
  test('a file comes in pieces over a line that breaks, is checked as a whole, and is then the next version, waiting to be read', async () => {
    const file = table(20_000)
    const begun = await begin({ filename: String.raw`C:\shops\prices.csv`, bytes: file.length, sha256: sumOf(file), changes: 'First' })
    expect([begun.statusCode, begun.headers['tus-resumable'], begun.headers['cache-control']]).toEqual([201, '1.0.0', 'no-store'])
    const id = idIn(begun)
    const sent = await send(id, 0, file.subarray(0, 100_000))
    expect([sent.statusCode, sent.headers['upload-offset'], await versionOf(id)]).toEqual([204, '100000', undefined])
    expect(new Date(String(sent.headers['upload-expires'])).getTime()).toBeGreaterThan(Date.now() + 24 * 3_600_000)
    expect((await look(id)).headers).toMatchObject({
      'upload-length': String(file.length),
      'upload-metadata': expect.stringContaining(`changes ${Buffer.from('First').toString('base64')}`),
      'cache-control': 'no-store',
    })
    expect(await db.selectFrom('datasetVersions').select('id').where('productId', '=', product.id).execute()).toEqual([])

    await cutOff(id, 100_000, file.subarray(100_000, 200_000))
    const received = Number(await offsetOf(id))
    expect(received).toBeGreaterThan(100_000)
    const whole = await send(id, received, file.subarray(received))
    expect([whole.statusCode, whole.headers['upload-offset']]).toEqual([204, String(file.length)])
    expect(await versionOf(id)).toMatchObject({
      number: 1,
      state: 'processing',
      originalName: 'prices.csv',
      originalBytes: file.length,
      originalSha256: sumOf(file),
      changes: 'First',
    })
    expect(readFileSync(path.join(env.DATA_DIR, 'files/datasets', id, 'original.csv'))).toEqual(file)
    expect(unfinished()).toEqual([])
  })

  test('a client learns what the server can do', async () => {
    const { statusCode, headers } = await app.inject({ method: 'OPTIONS', url: UPLOADS, headers: staff.headers })
    expect([statusCode, headers]).toEqual([
      204,
      expect.objectContaining({
        'tus-version': '1.0.0',
        'tus-extension': 'creation,creation-with-upload,termination,expiration',
        'tus-max-size': String(2 * 1024 ** 3),
      }),
    ])
  })

  test('a small file comes with the request that begins it', async () => {
    const file = table(10)
    const metadata = encode({ productId: product.id, filename: 'prices.csv', changes: 'Prices in €' })
    const given = { ...staff.headers, ...tus, 'upload-length': String(file.length), 'upload-metadata': metadata }
    const begun = await app.inject({ method: 'POST', url: UPLOADS, headers: { ...given, 'content-type': CHUNK_TYPE }, payload: file })
    expect([begun.statusCode, begun.headers['upload-offset']]).toEqual([201, String(file.length)])
    expect(await versionOf(idIn(begun))).toMatchObject({ originalSha256: sumOf(file), changes: 'Prices in €' })
  })

  test('after a process was killed its claims count for nothing, and what it wrote without telling is written again', async () => {
    const file = table(100)
    const id = await beginId({ bytes: file.length, changes: '' })
    await send(id, 0, file.subarray(0, 50))
    writeFileSync(uploadFile(id), Buffer.concat([file.subarray(0, 50), randomBytes(30)]))
    await db
      .updateTable('datasetUploads')
      .set({ claimedBy: newId(), claimedUntil: new Date(Date.now() + (env.DATABASE_URL ? -1 : 60_000)) })
      .where('id', '=', id)
      .execute()
    expect(await offsetOf(id)).toBe('50')
    expect((await send(id, 50, file.subarray(50))).statusCode).toBe(204)
    expect(readFileSync(path.join(env.DATA_DIR, 'files/datasets', id, 'original.csv'))).toEqual(file)

    // The process was killed after the file was stored and before its row was.
    await db.deleteFrom('datasetVersions').where('id', '=', id).execute()
    await db.updateTable('datasetUploads').set({ versionId: null, claimedBy: null, claimedUntil: null }).where('id', '=', id).execute()
    expect([await offsetOf(id), await offsetOf(id)]).toEqual([String(file.length), String(file.length)])
    expect(await db.selectFrom('datasetVersions').select('originalSha256').where('id', '=', id).execute()).toEqual([
      { originalSha256: sumOf(file) },
    ])
  })

  test('the first piece of an upload outlives a power cut once it is confirmed: content, name and folder are on the disk', async () => {
    const id = await beginId({ bytes: 100 })
    const steps = await traceFiles(() => send(id, 0, Buffer.from('shop')))
    expect(steps.filter(({ place }) => place === uploadFile(id)).map(({ what }) => what)).toEqual(['name', 'sync'])
    expect(isNameDurable(steps, uploadFile(id))).toBe(true)
    await discard(id)
  })

  test('one that nobody goes on with is swept away, and one that is thrown away goes at once', async () => {
    const [stale, discarded, live] = [await beginId({ bytes: 100 }), await beginId({ bytes: 100 }), await beginId({ bytes: 100 })]
    const removed = await makeProduct()
    const orphan = await beginId({ bytes: 100, productId: removed.id })
    for (const id of [stale, discarded, live, orphan]) await send(id, 0, Buffer.from('shop'))
    await db.updateTable('dataProducts').set({ removedAt: new Date(), erasedAt: new Date() }).where('id', '=', removed.id).execute()
    const long = new Date(Date.now() - 3 * 24 * 3_600_000)
    await db.updateTable('datasetUploads').set({ updatedAt: long }).where('id', '=', stale).execute()
    utimesSync(uploadFile(stale), long, long)
    // A temporary file of a killed process.
    const stored = `unfinished/${crypto.randomUUID()}`
    const half = [stored, 'unfinished/making-1.csv', 'cache/changes/1-2.parquet.3', 'cache/pages/1.jsonl', 'cache/changes/1-2.parquet']
    for (const name of half) {
      const place = path.join(env.DATA_DIR, name)
      mkdirSync(path.dirname(place), { recursive: true })
      writeFileSync(place, 'half')
      utimesSync(place, long, long)
    }
    expect((await discard(discarded)).statusCode).toBe(204)
    await jobOf('datasets.uploads.sweep').run(null, { id: '', attempt: 1, signal: new AbortController().signal })
    expect(unfinished()).toEqual([`upload-${live}`])
    expect(half.filter((name) => existsSync(path.join(env.DATA_DIR, name)))).toEqual(['cache/changes/1-2.parquet'])
    expect([(await look(stale)).statusCode, (await look(discarded)).statusCode, (await look(orphan)).statusCode]).toEqual([404, 404, 404])
    expect(await offsetOf(live)).toBe('4')
    await discard(live)
  })
})

describe('error', () => {
  test('of two pieces for one place one is taken, and the other hears where to go on', async () => {
    const file = table(50_000)
    const id = await beginId({ bytes: file.length })
    const half = file.subarray(0, 300_000)
    const answers = await Promise.all([send(id, 0, half), send(id, 0, half), send(id, 0, half)])
    expect(answers.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)).toEqual([204, 409, 409])
    const late = await send(id, 0, half)
    expect([late.statusCode, late.json(), await offsetOf(id)]).toEqual([
      409,
      expect.objectContaining({ detail: 'Upload-Offset conflict.' }),
      '300000',
    ])
    const last = await Promise.all([send(id, 300_000, file.subarray(300_000)), send(id, 300_000, file.subarray(300_000))])
    expect(last.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)).toEqual([204, 409])
    expect(await versionOf(id)).toMatchObject({ originalSha256: sumOf(file) })
    expect(readFileSync(path.join(env.DATA_DIR, 'files/datasets', id, 'original.csv'))).toEqual(file)
  })

  test('more than was said, another file than was said, and a beginning that lies elsewhere are refused', async () => {
    const file = table(10)
    const long = await beginId({ bytes: file.length - 1 })
    expect((await send(long, 0, file)).statusCode).toBe(413)
    expect(await offsetOf(long)).toBe('0')
    const gone = await beginId({ bytes: 5 })
    await db.updateTable('datasetUploads').set({ received: 5 }).where('id', '=', gone).execute()
    expect((await look(gone)).statusCode).toBe(404)
    const other = await beginId({ bytes: file.length, sha256: 'a'.repeat(64) })
    const refused = await send(other, 0, file)
    expect([refused.statusCode, refused.json()]).toEqual([422, expect.objectContaining({ code: 'checksum_mismatch' })])
    expect((await look(other)).statusCode).toBe(404)
    const lost = await beginId({ bytes: file.length })
    await send(lost, 0, file.subarray(0, 20))
    truncateSync(uploadFile(lost), 5)
    expect((await send(lost, 20, file.subarray(20))).statusCode).toBe(503)
    for (const id of [long, lost]) await discard(id)
    expect(unfinished()).toEqual([])
  })

  test('who sends too much can ask on over the same line', async () => {
    const id = await beginId({ bytes: 1 })
    const line = connect(Number(address.port), address.hostname)
    onTestFinished(() => void line.destroy())
    const head = (method: string) =>
      `${method} ${UPLOADS}/${id} HTTP/1.1\r\nHost: x\r\nCookie: ${staff.headers.cookie}\r\nTus-Resumable: 1.0.0\r\n`
    line.write(
      `${head('PATCH')}Sec-Fetch-Site: same-origin\r\nContent-Type: ${CHUNK_TYPE}\r\nUpload-Offset: 0\r\nContent-Length: 3000000\r\n\r\n`,
    )
    line.write(Buffer.alloc(3_000_000))
    line.write(`${head('HEAD')}\r\n`)
    const answers = createInterface(line)
    const found: string[] = []
    for await (const text of answers) {
      found.push(...(text.match(/HTTP\/1.1 \d+/g) ?? []))
      if (found.length === 2) break
    }
    expect(found).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200'])
  })

  test('a disk that is full is told, keeps what has arrived, and takes the rest once there is room', async () => {
    const file = table(10)
    const id = await beginId({ bytes: file.length })
    await send(id, 0, file.subarray(0, 20))
    const handle = await open(uploadFile(id))
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    vi.spyOn(Object.getPrototypeOf(handle), 'write').mockRejectedValue(full)
    await handle.close()
    expect((await send(id, 20, file.subarray(20))).statusCode).toBe(503)
    vi.restoreAllMocks()
    expect(await offsetOf(id)).toBe('20')
    expect((await send(id, 20, file.subarray(20))).statusCode).toBe(204)
    expect(await versionOf(id)).toMatchObject({ originalSha256: sumOf(file) })
  })

  test.each([
    [{ filename: 'prices.xlsx', bytes: 5 }, 'filename'],
    [{ filename: 'prices.csv', bytes: 0 }, 'bytes'],
    [{ filename: 'prices.csv', bytes: 5, sha256: 'abc' }, 'sha256'],
    [{ filename: '', bytes: 5 }, 'filename'],
    [{ filename: '\0', bytes: 5 }, 'filename'],
    [{ filename: 'prices.csv', bytes: 5, changes: 'x'.repeat(2001) }, 'changes'],
    [{ filename: 'prices.csv', bytes: 5, productId: 'shops' }, 'productId'],
  ])('%j is not begun: %s', async (body, field) => {
    const reply = await begin(body)
    expect([reply.statusCode, Object.keys(reply.json<{ errors: object }>().errors)]).toEqual([422, [field]])
  })

  test('a file of more than 2 GB, one of a product that is not there, and metadata that is none are not begun', async () => {
    const tries = [
      await begin({ filename: 'prices.csv', bytes: 2 * 1024 ** 3 + 1 }),
      await begin({ filename: 'prices.csv', bytes: 5, productId: newId() }),
      await app.inject({
        method: 'POST',
        url: UPLOADS,
        headers: { ...staff.headers, ...tus, 'upload-length': '5', 'upload-metadata': 'filename ***' },
      }),
      await app.inject({ method: 'POST', url: UPLOADS, headers: { ...staff.headers, ...tus, 'upload-defer-length': '1' } }),
      await app.inject({ method: 'POST', url: UPLOADS, headers: { ...staff.headers, 'upload-length': '5' } }),
    ]
    expect(tries.map(({ statusCode }) => statusCode)).toEqual([413, 404, 400, 501, 412])
    expect(tries.map(({ headers }) => headers['content-type'])).toEqual(tries.map(() => 'application/problem+json'))
    expect(tries.at(-1)?.headers['tus-version']).toBe('1.0.0')
  })
})

describe('security', () => {
  test('strangers and customers begin nothing, add nothing, see nothing and remove nothing', async () => {
    const id = await beginId({ bytes: 10 })
    const customer = await signIn('customer')
    const stranger = { ...customer, headers: { ...customer.headers, cookie: '' } }
    for (const [who, status] of [
      [customer, 403],
      [stranger, 401],
    ] as const) {
      const tries = [
        await begin({ filename: 'a.csv', bytes: 5 }, who),
        await send(id, 0, Buffer.from('shop'), who),
        await look(id, who),
        await discard(id, who),
      ]
      expect(tries.map(({ statusCode }) => statusCode)).toEqual([status, status, status, status])
    }
    expect(await offsetOf(id)).toBe('0')
    const foreign = await app.inject({
      method: 'PATCH',
      url: `${UPLOADS}/${id}`,
      headers: { ...staff.headers, ...tus, 'sec-fetch-site': 'cross-site', 'content-type': CHUNK_TYPE, 'upload-offset': '0' },
      payload: 'shop',
    })
    expect(foreign.statusCode).toBe(403)
  })

  test('an upload is that of the person who began it: other staff neither see it nor add to it nor remove it', async () => {
    const id = await beginId({ bytes: 10 })
    const other = await signIn('staff')
    const tries = [await send(id, 0, Buffer.from('shop'), other), await look(id, other), await discard(id, other)]
    expect(tries.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404])
    expect(await offsetOf(id)).toBe('0')
  })

  test('a chunk is a chunk: no JSON, no offset that is none, no other version of the protocol', async () => {
    const id = await beginId({ bytes: 10 })
    const patch = (headers: Record<string, string>, payload: string | object = 'shop') =>
      app.inject({
        method: 'PATCH',
        url: `${UPLOADS}/${id}`,
        headers: { ...staff.headers, 'content-type': CHUNK_TYPE, ...headers },
        payload,
      })
    const tries = [
      await patch(tus),
      await patch({ ...tus, 'upload-offset': '-1' }),
      await patch({ ...tus, 'upload-offset': '1e3' }),
      await patch({ 'upload-offset': '0' }),
      await patch({ 'tus-resumable': '0.2.2', 'upload-offset': '0' }),
      await patch({ ...tus, 'upload-offset': '0', 'content-type': 'application/json' }, {}),
    ]
    expect(tries.map(({ statusCode }) => statusCode)).toEqual([403, 400, 400, 412, 400, 415])
    expect(await offsetOf(id)).toBe('0')
  })

  test('the old addresses are gone', async () => {
    const { headers } = staff
    const tries = [
      await app.inject({
        method: 'POST',
        url: `/api/data-products/${product.id}/uploads`,
        headers,
        payload: { fileName: 'a.csv', bytes: 5 },
      }),
      await app.inject({ method: 'PATCH', url: `/api/uploads/${newId()}`, headers, payload: {} }),
    ]
    expect(tries.map(({ statusCode }) => statusCode)).toEqual([404, 404])
  })
})

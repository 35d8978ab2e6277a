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
import { jobKinds } from '#app/platform/jobs.server.ts'
import { startEndpoints } from '#test/app.ts'
import { makeProduct, signIn } from '#test/factories.ts'
import { isNameDurable, traceFiles } from '#test/trace-files.ts'
import { uploadFile } from './upload-file.server.ts'
import { PIECE_TYPE } from './piece.ts'

const app = await startEndpoints()
const address = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
const staff = await signIn('staff')
const product = await makeProduct()

const begin = (payload: object, { headers } = staff) =>
  app.inject({ method: 'POST', url: `/api/data-products/${product.id}/uploads`, headers, payload })
const beginId = async (payload: object) => (await begin({ fileName: 'prices.csv', changes: '', ...payload })).json<{ id: string }>().id
const send = (id: string, offset: number, payload: Buffer, { headers } = staff) =>
  app.inject({
    method: 'PATCH',
    url: `/api/uploads/${id}`,
    headers: { ...headers, 'content-type': PIECE_TYPE, 'upload-offset': String(offset) },
    payload,
  })
const look = (id: string, { headers } = staff) => app.inject({ url: `/api/uploads/${id}`, headers })
const sumOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const table = (rows: number) => Buffer.from(`shop,price\n${Array.from({ length: rows }, (_, at) => `Shop ${at},${at}\n`).join('')}`)
const unfinished = () => readdirSync(path.join(env.DATA_DIR, 'unfinished')).filter((name) => name.startsWith('upload-'))

/** Sends half of a chunk, then the connection breaks. */
async function cutOff(id: string, offset: number, piece: Buffer): Promise<void> {
  const headers = { ...staff.headers, 'content-type': PIECE_TYPE, 'upload-offset': String(offset), 'content-length': piece.length }
  const sent = request({ host: address.hostname, port: address.port, method: 'PATCH', path: `/api/uploads/${id}`, headers })
  sent.on('error', () => undefined)
  sent.write(piece.subarray(0, piece.length / 2))
  await vi.waitFor(() => expect(existsSync(uploadFile(id)) && statSync(uploadFile(id)).size).toBeGreaterThan(offset))
  sent.destroy()
}

describe('happy', () => {
  test('a file comes in pieces over a line that breaks, is checked as a whole, and is then the next version, waiting to be read', async () => {
    const file = table(20_000)
    const begun = await begin({ fileName: String.raw`C:\shops\prices.csv`, bytes: file.length, sha256: sumOf(file), changes: 'First' })
    expect([begun.statusCode, begun.headers['upload-offset']]).toEqual([201, '0'])
    const { id } = begun.json<{ id: string }>()
    expect((await send(id, 0, file.subarray(0, 100_000))).json()).toEqual({ id, bytes: file.length, received: 100_000, versionId: null })
    expect(await db.selectFrom('datasetVersions').select('id').where('productId', '=', product.id).execute()).toEqual([])

    await cutOff(id, 100_000, file.subarray(100_000, 200_000))
    const { received } = await vi.waitFor(async () => {
      const told = (await look(id)).json<{ received: number }>()
      expect(told.received).toBeGreaterThan(100_000)
      return told
    })
    const whole = await send(id, received, file.subarray(received))
    expect([whole.statusCode, whole.json()]).toEqual([200, { id, bytes: file.length, received: file.length, versionId: id }])
    expect(await db.selectFrom('datasetVersions').selectAll().where('id', '=', id).executeTakeFirst()).toMatchObject({
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

  test('after a process was killed its claims count for nothing, and what it wrote without telling is written again', async () => {
    const file = table(100)
    const id = await beginId({ bytes: file.length })
    await send(id, 0, file.subarray(0, 50))
    writeFileSync(uploadFile(id), Buffer.concat([file.subarray(0, 50), randomBytes(30)]))
    await db
      .updateTable('datasetUploads')
      .set({ claimedBy: newId(), claimedUntil: new Date(Date.now() + (env.DATABASE_URL ? -1 : 60_000)) })
      .where('id', '=', id)
      .execute()
    expect((await look(id)).headers['upload-offset']).toBe('50')
    expect((await send(id, 50, file.subarray(50))).json()).toMatchObject({ versionId: id })
    expect(readFileSync(path.join(env.DATA_DIR, 'files/datasets', id, 'original.csv'))).toEqual(file)

    // The process was killed after the file was stored and before its row was.
    await db.deleteFrom('datasetVersions').where('id', '=', id).execute()
    await db.updateTable('datasetUploads').set({ versionId: null, claimedBy: null, claimedUntil: null }).where('id', '=', id).execute()
    expect((await look(id)).json()).toMatchObject({ received: file.length, versionId: id })
    expect((await look(id)).json()).toMatchObject({ received: file.length, versionId: id })
    expect(await db.selectFrom('datasetVersions').select('originalSha256').where('id', '=', id).execute()).toEqual([
      { originalSha256: sumOf(file) },
    ])
  })

  test('the first piece of an upload outlives a power cut once it is confirmed: content, name and folder are on the disk', async () => {
    const id = await beginId({ bytes: 100 })
    const steps = await traceFiles(() => send(id, 0, Buffer.from('shop')))
    expect(steps.filter(({ place }) => place === uploadFile(id)).map(({ what }) => what)).toEqual(['name', 'sync'])
    expect(isNameDurable(steps, uploadFile(id))).toBe(true)
    await app.inject({ method: 'DELETE', url: `/api/uploads/${id}`, headers: staff.headers })
  })

  test('one that nobody goes on with is swept away, and one that is thrown away goes at once', async () => {
    const [stale, discarded, live] = [await beginId({ bytes: 100 }), await beginId({ bytes: 100 }), await beginId({ bytes: 100 })]
    for (const id of [stale, discarded, live]) await send(id, 0, Buffer.from('shop'))
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
    expect((await app.inject({ method: 'DELETE', url: `/api/uploads/${discarded}`, headers: staff.headers })).statusCode).toBe(204)
    await jobKinds().get('datasets.uploads.sweep')?.run(null, { id: '', attempt: 1, signal: new AbortController().signal })
    expect(unfinished()).toEqual([`upload-${live}`])
    expect(half.filter((name) => existsSync(path.join(env.DATA_DIR, name)))).toEqual(['cache/changes/1-2.parquet'])
    expect([(await look(stale)).statusCode, (await look(discarded)).statusCode, (await look(live)).statusCode]).toEqual([404, 404, 200])
    await app.inject({ method: 'DELETE', url: `/api/uploads/${live}`, headers: staff.headers })
  })
})

describe('error', () => {
  test('of two pieces for one place one is taken, and the other hears where to go on', async () => {
    const file = table(50_000)
    const id = await beginId({ bytes: file.length })
    const half = file.subarray(0, 300_000)
    const answers = await Promise.all([send(id, 0, half), send(id, 0, half), send(id, 0, half)])
    expect(answers.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)).toEqual([200, 409, 409])
    const late = await send(id, 0, half)
    expect([late.statusCode, late.headers['upload-offset'], late.json()]).toEqual([
      409,
      '300000',
      expect.objectContaining({ code: 'wrong_offset', current: { id, bytes: file.length, received: 300_000, versionId: null } }),
    ])
    const last = await Promise.all([send(id, 300_000, file.subarray(300_000)), send(id, 300_000, file.subarray(300_000))])
    expect(last.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)).toEqual([200, 409])
    expect((await look(id)).json()).toMatchObject({ versionId: id })
    expect(readFileSync(path.join(env.DATA_DIR, 'files/datasets', id, 'original.csv'))).toEqual(file)
  })

  test('more than was said, another file than was said, and a beginning that lies elsewhere are refused', async () => {
    const file = table(10)
    const long = await beginId({ bytes: file.length - 1 })
    expect((await send(long, 0, file)).statusCode).toBe(413)
    expect((await look(long)).headers['upload-offset']).toBe('0')
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
    for (const id of [long, lost]) await app.inject({ method: 'DELETE', url: `/api/uploads/${id}`, headers: staff.headers })
    expect(unfinished()).toEqual([])
  })

  test('who sends too much can ask on over the same line', async () => {
    const id = await beginId({ bytes: 1 })
    const line = connect(Number(address.port), address.hostname)
    onTestFinished(() => void line.destroy())
    const head = (method: string) => `${method} /api/uploads/${id} HTTP/1.1\r\nHost: x\r\nCookie: ${staff.headers.cookie}\r\n`
    line.write(
      `${head('PATCH')}Sec-Fetch-Site: same-origin\r\nContent-Type: ${PIECE_TYPE}\r\nUpload-Offset: 0\r\nContent-Length: 3000000\r\n\r\n`,
    )
    line.write(Buffer.alloc(3_000_000))
    line.write(`${head('GET')}\r\n`)
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
    expect((await look(id)).headers['upload-offset']).toBe('20')
    expect((await send(id, 20, file.subarray(20))).json()).toMatchObject({ versionId: id })
  })

  test.each([
    [{ fileName: 'prices.xlsx', bytes: 5 }, 'fileName'],
    [{ fileName: 'prices.csv', bytes: 0 }, 'bytes'],
    [{ fileName: 'prices.csv', bytes: 2 * 1024 ** 3 + 1 }, 'bytes'],
    [{ fileName: 'prices.csv', bytes: 5, sha256: 'abc' }, 'sha256'],
    [{ fileName: '', bytes: 5 }, 'fileName'],
    [{ fileName: '\0', bytes: 5 }, 'fileName'],
    [{ fileName: 'prices.csv', bytes: 5, changes: 'x'.repeat(2001) }, 'changes'],
  ])('%j is not begun: %s', async (body, field) => {
    const reply = await begin(body)
    expect([reply.statusCode, Object.keys(reply.json<{ errors: object }>().errors)]).toEqual([422, [field]])
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
        await begin({ fileName: 'a.csv', bytes: 5 }, who),
        await send(id, 0, Buffer.from('shop'), who),
        await look(id, who),
        await app.inject({ method: 'DELETE', url: `/api/uploads/${id}`, headers: who.headers }),
      ]
      expect(tries.map(({ statusCode }) => statusCode)).toEqual([status, status, status, status])
    }
    expect((await look(id)).headers['upload-offset']).toBe('0')
    const foreign = await app.inject({
      method: 'PATCH',
      url: `/api/uploads/${id}`,
      headers: { ...staff.headers, 'sec-fetch-site': 'cross-site', 'content-type': PIECE_TYPE, 'upload-offset': '0' },
      payload: 'shop',
    })
    expect(foreign.statusCode).toBe(403)
  })

  test('a piece is a piece: no JSON, no offset that is none, no more than 64 MB', async () => {
    const id = await beginId({ bytes: 10 })
    const tries = [
      {},
      { 'upload-offset': '-1' },
      { 'upload-offset': '1e3' },
      { 'content-length': String(65 * 1024 ** 2), 'upload-offset': '0' },
    ]
    const answers = await Promise.all(
      tries.map((headers) =>
        app.inject({
          method: 'PATCH',
          url: `/api/uploads/${id}`,
          headers: { ...staff.headers, 'content-type': PIECE_TYPE, ...headers },
          payload: 'shop',
        }),
      ),
    )
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([422, 422, 422, 413])
    const json = await app.inject({
      method: 'PATCH',
      url: `/api/uploads/${id}`,
      headers: { ...staff.headers, 'upload-offset': '0' },
      payload: {},
    })
    expect(json.statusCode).toBe(415)
  })
})

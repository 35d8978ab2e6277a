import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, mkdirSync, readdirSync } from 'node:fs'
import { request } from 'node:http'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Upload } from 'tus-js-client'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { db } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { makeProduct, signIn, type SignedIn } from '#test/factories.ts'
import { byLength } from '#test/length.ts'
import { freePort } from '#test/postgres.ts'
import { startS3Server } from '#test/s3-server.ts'
import { beginTusUpload, sendTusChunk, tus, tusOffset } from '#test/tus.ts'
import { CHUNK_TYPE, UPLOADS } from './upload.ts'

/** Lost connections, and as many kills, for each kind of storage. */
const ROUNDS = byLength(1, 20)
const BYTES = 30_000_000 + ROUNDS * 4_000_000
const file = randomBytes(BYTES)
const sha256 = createHash('sha256').update(file).digest('hex')

const service = await startS3Server()
const bucket = {
  S3_ENDPOINT: service.endpoint,
  S3_REGION: 'eu-central-1',
  S3_BUCKET: 'winnow-files',
  S3_ACCESS_KEY_ID: service.keyId,
  S3_SECRET_ACCESS_KEY: 'a-secret-of-the-service',
}
/** Bundled, because Node alone cannot read what the build fills in. */
const PROGRAM = 'node_modules/.cache/winnow/upload-process'
const running = new Set<ChildProcess>()
let staff: SignedIn

beforeAll(async () => {
  await build({ configFile: false, logLevel: 'silent', build: { ssr: 'test/upload-process.ts', outDir: PROGRAM, copyPublicDir: false } })
  await openDatabase()
  staff = await signIn('staff')
})
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL')
  await service.close()
  await closeDatabase()
})

/** One of the processes behind a load balancer. It keeps its address when it is killed and started again. */
async function startProcess(settings: Record<string, string>) {
  const port = String(await freePort())
  const base = `http://127.0.0.1:${port}`
  let child: ChildProcess
  async function start() {
    const { DATABASE_URL, SITE_URL } = env
    const given = {
      PATH: process.env['PATH'],
      DATABASE_URL,
      SITE_URL,
      PORT: port,
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'error',
      ...settings,
    }
    child = spawn(process.execPath, [`${PROGRAM}/upload-process.js`], { env: given, stdio: ['ignore', 'inherit', 'inherit'] })
    running.add(child)
    const isUp = () => fetch(base).then(Boolean, () => false)
    for (let tries = 0; tries < 300 && !(await isUp()); tries += 1) await sleep(50)
  }
  await start()
  return {
    base,
    async kill() {
      child.kill('SIGKILL')
      await once(child, 'exit')
      running.delete(child)
      await start()
    },
  }
}

type Process = Awaited<ReturnType<typeof startProcess>>

/** Sends some bytes of a chunk that claims to be the whole rest, and then no more. */
async function sendHalf(url: string, offset: number, bytes: number) {
  const headers = {
    ...staff.headers,
    ...tus,
    'content-type': CHUNK_TYPE,
    'upload-offset': String(offset),
    'content-length': BYTES - offset,
  }
  const sent = request(url, { method: 'PATCH', headers }).on('error', () => undefined)
  sent.write(file.subarray(offset, offset + bytes))
  await sleep(randomInt(200, 500))
  return sent
}

/** A sender falls silent and its connection stays open: another process gets the upload, and what was sent. */
async function takeOver([one, other]: Process[], upload: string) {
  const sent = await sendHalf(one?.base + upload, 0, 300_000)
  await expect.poll(() => tusOffset(other?.base + upload, staff.headers), { timeout: 60_000 }).toBeGreaterThan(0)
  expect(sent.destroyed).toBe(false)
  sent.destroy()
}

/** Cuts and kills in turn; each time, the client goes on at another process, where that is. Returns where it went on. */
async function interrupt(processes: Process[], upload: string): Promise<number[]> {
  const offsets: number[] = []
  const restarts: Promise<void>[] = []
  for (let round = 0; round < 2 * ROUNDS; round += 1) {
    const at = processes[round % 3]
    if (!at) throw new Error('There are three processes.')
    const offset = await tusOffset(at.base + upload, staff.headers)
    offsets.push(offset)
    const isKill = round % 2 === 1
    const sent = await sendHalf(at.base + upload, offset, randomInt(100_000, isKill ? 12_000_000 : 1_000_000))
    if (isKill) restarts.push(at.kill())
    else sent.destroy()
  }
  await Promise.all(restarts)
  return offsets
}

/** The real client sends the rest, through one process and then another. */
async function sendRest(processes: { base: string }[], upload: string) {
  const first = new URL(upload, processes[0]?.base).href
  await new Promise((resolve, reject) => {
    const client = new Upload(file, {
      uploadUrl: first,
      chunkSize: 5_000_000,
      headers: staff.headers,
      onChunkComplete: () => void (client.url = new URL(upload, processes[1]?.base).href),
      onSuccess: resolve,
      onError: reject,
    })
    client.start()
  })
}

async function goThrough(processes: Process[]): Promise<string> {
  const { id: productId } = await makeProduct()
  const upload = new URL(
    await beginTusUpload(processes[0]?.base ?? '', staff.headers, BYTES, { productId, filename: 'prices.csv', sha256 }),
  ).pathname
  await takeOver(processes, upload)
  const offsets = await interrupt(processes, upload)
  // Nothing that was reported once is lost, so nothing begins again.
  expect(offsets).toEqual(offsets.toSorted((one, other) => one - other))
  expect(offsets[0]).toBeGreaterThan(0)
  expect(offsets.at(-1)).toBeGreaterThan(offsets[0] ?? 0)
  await sendRest(processes, upload)
  const id = upload.replace(`${UPLOADS}/`, '')
  const version = await db.selectFrom('datasetVersions').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  expect([version.originalBytes, version.originalSha256]).toEqual([BYTES, sha256])
  return id
}

/** Discards an upload, of which a part is in the bucket, at another process. */
async function discardPart([one, other]: Process[]) {
  const { id: productId } = await makeProduct()
  const upload = await beginTusUpload(one?.base ?? '', staff.headers, BYTES, { productId, filename: 'prices.csv' })
  expect((await sendTusChunk(upload, staff.headers, 0, file.subarray(0, 9_000_000))).status).toBe(204)
  expect([service.objects.size, service.uploads.size]).toEqual([2, 1])
  const headers = { ...staff.headers, ...tus }
  expect((await fetch(new URL(new URL(upload).pathname, other?.base), { method: 'DELETE', headers })).status).toBe(204)
}

const storages: [where: string, receive: () => Promise<void>][] = [
  [
    'a shared folder',
    async () => {
      const processes = await Promise.all([1, 2, 3].map(() => startProcess({ DATA_DIR: env.DATA_DIR })))
      await goThrough(processes)
      expect(readdirSync(path.join(env.DATA_DIR, 'unfinished'))).toEqual([])
    },
  ],
  [
    'a bucket, each with a folder of its own,',
    async () => {
      const folders = ['one', 'two', 'three'].map((name) => path.join(env.DATA_DIR, name))
      for (const folder of folders) {
        mkdirSync(folder)
        cpSync(path.join(env.DATA_DIR, 'keys'), path.join(folder, 'keys'), { recursive: true })
      }
      const processes = await Promise.all(folders.map((folder) => startProcess({ DATA_DIR: folder, ...bucket })))
      const id = await goThrough(processes)
      await discardPart(processes)
      expect([...service.objects.keys()]).toEqual([`/winnow-files/datasets/${id}/original.csv`])
      expect(service.uploads.size).toBe(0)
    },
  ],
]

// At short length the first one: the storage in a bucket has tests of its own (`moto.long.test.ts`).
test.each(byLength(storages.slice(0, 1), storages))(
  'through lost connections and kills, three processes with %s receive one file',
  async (_where, receive) => {
    await expect(receive()).resolves.toBeUndefined()
  },
  600_000,
)

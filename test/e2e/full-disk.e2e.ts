import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import sharp from 'sharp'
import { z } from 'zod'
import { atLength } from '#test/length.ts'
import { bareTest as test, expect } from './fixtures.ts'
import { runCommand, type Server, startServer } from './server.ts'
import { beginTusUpload, sendTusChunk, tusOffset } from '#test/tus.ts'
import { makeSmallDisk, type SmallDisk } from './small-disk.ts'
import { ada, olive } from './steps.ts'

const FULL = /^Disk full: there is no room left for .+\. Free some space, then try again\.\n$/

let disk: SmallDisk
let elsewhere: string

test.beforeEach(() => {
  disk = makeSmallDisk(process.env.E2E_OWNED_TEMPLATE ?? '')
  elsewhere = mkdtempSync(path.join(tmpdir(), 'winnow-elsewhere-'))
})
let site: Server | undefined

test.afterEach(async () => {
  await site?.stop('SIGKILL')
  disk.remove()
  rmSync(elsewhere, { recursive: true, force: true })
})

test.slow()

const settings = () => ({ DATA_DIR: disk.dataDir, RATE_LIMITS: 'off', ...disk.settings })

const command = (...args: string[]) => runCommand(settings(), ...args)

async function enquire(url: string, key: string) {
  const body = JSON.stringify({ ...ada, form: 'contact', idempotencyKey: key })
  return (await fetch(`${url}/api/contact`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).status
}

/** Uses up the free space in the database's own files. */
async function untilRefused(url: string) {
  for (let count = 0; count < 2000; count += 1) if ((await enquire(url, `enquiry-${count}`)) === 503) return
  throw new Error('The disk is not full.')
}

test('on a full disk a backup fails in a sentence, and the site stays up', atLength, async () => {
  site = await startServer(settings())
  disk.fill()
  await expect(command('backup', path.join(elsewhere, 'backup.tar.gz'))).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(FULL),
  })
  expect(readdirSync(elsewhere)).toEqual([])
  // A leaked file handle ends the process at a garbage collection.
  for (let count = 0; count < 300; count += 1) expect((await fetch(`${site.url}/contact?count=${count}`)).status).toBe(200)
  expect((await fetch(`${site.url}/healthz`)).status).toBe(200)
  disk.free()
  await command('backup', path.join(elsewhere, 'backup.tar.gz'))
  expect(await site.stop()).toBe(0)
})

test('on a full disk the site says so, and takes enquiries again within 5 seconds of there being room', async () => {
  site = await startServer(settings())
  disk.fill()
  await untilRefused(site.url)
  const ready = await fetch(`${site.url}/readyz`)
  expect([ready.status, await ready.json()]).toMatchObject([503, { detail: expect.stringMatching(/^Disk full: /) }])
  expect((await fetch(`${site.url}/`)).status).toBe(200)
  expect(site.output()).toContain('"msg":"disk full: the database takes no writes"')

  disk.free()
  const end = Date.now() + 5000
  let status = 0
  while (status !== 201 && Date.now() < end) {
    status = await enquire(site.url, 'after')
    await pause(100)
  }
  expect(status).toBe(201)
  expect((await fetch(`${site.url}/readyz`)).status).toBe(200)
  await site.stop()
})

test('a start on a full disk is refused in a sentence that says so', atLength, async () => {
  disk.fill()
  await expect(command()).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(FULL) })
  expect(existsSync(path.join(disk.dataDir, 'pg18'))).toBe(true)
  disk.free()
  site = await startServer(settings())
  await site.stop()
})

/** Both are larger than the free space on the disk. */
const LEFT = 512 * 1024
const CSV = Buffer.from(`shop,price\n${'Corner shop,12.50\n'.repeat(150_000)}`)

test(
  'a picture and an upload for which the room ends half way are refused, the site stays up, and nothing is left of them',
  atLength,
  async () => {
    site = await startServer({ ...settings(), NODE_OPTIONS: [disk.settings.NODE_OPTIONS, COLLECT].filter(Boolean).join(' ') })
    const staff = await signIn(site.url)
    const upload = await beginUpload(site.url, staff)
    const noise = { type: 'gaussian' as const, mean: 128, sigma: 60 }
    const picture = await sharp({ create: { width: 1000, height: 1000, channels: 3, background: 'white', noise } })
      .jpeg()
      .toBuffer()
    const sendPicture = async () =>
      fetch(`${site?.url}/api/images`, {
        method: 'POST',
        headers: { ...staff, 'content-type': 'image/jpeg' },
        body: new Uint8Array(picture),
      })

    disk.fill(LEFT)
    const refused = { status: 503, detail: 'There is no room left to keep files. Nothing has been changed.' }
    for (let count = 0; count < 2; count += 1) expect(await (await sendPicture()).json()).toMatchObject(refused)
    expect(filesIn('unfinished')).toEqual([])
    for (let count = 0; count < 2; count += 1) {
      const { status, at } = await sendRest(upload, staff)
      expect(status).toBe(503)
      expect(at).toBeGreaterThan(0)
      expect(at).toBeLessThan(CSV.length)
    }
    expect(openFilesOf(site)).toEqual([])
    await clearMemory(site)
    expect((await fetch(`${site.url}/healthz`)).status).toBe(200)
    expect((await fetch(`${site.url}/`)).status).toBe(200)

    disk.free()
    expect((await sendPicture()).status).toBe(201)
    expect(await sendRest(upload, staff)).toEqual({ status: 204, at: CSV.length })
    await expect.poll(() => filesIn('unfinished')).toEqual([])
    expect(await site.stop()).toBe(0)
  },
)

const COLLECT = `--import=${pathToFileURL(path.resolve('test/e2e/collect-garbage.mjs')).href}`

async function signIn(url: string) {
  const body = JSON.stringify({ email: olive.email, password: olive.password })
  const reply = await fetch(`${url}/auth/v1/token?grant_type=password`, { method: 'POST', headers: JSON_TYPE, body })
  const { access_token: token } = z.object({ access_token: z.string() }).parse(await reply.json())
  return { authorization: `Bearer ${token}` }
}

const JSON_TYPE = { 'content-type': 'application/json' }

async function beginUpload(url: string, staff: Record<string, string>) {
  const product = { slug: 'prices', name: 'Prices', description: 'Prices of shops.', category: 'Shops', price: 0, hidden: true }
  const send = async (place: string, body: object) => {
    const reply = await fetch(`${url}${place}`, { method: 'POST', headers: { ...staff, ...JSON_TYPE }, body: JSON.stringify(body) })
    return z.object({ id: z.string() }).parse(await reply.json()).id
  }
  const id = await send('/api/data-products', product)
  return beginTusUpload(url, staff, CSV.length, { productId: id, filename: 'prices.csv' })
}

/** Sends the missing bytes. Returns the number of bytes that the site then has. */
async function sendRest(upload: string, staff: Record<string, string>) {
  const from = await tusOffset(upload, staff)
  const { status } = await sendTusChunk(upload, staff, from, new Uint8Array(CSV.subarray(from)))
  return { status, at: await tusOffset(upload, staff) }
}

const filesIn = (folder: string) => readdirSync(path.join(disk.dataDir, folder))

/** The process's open files for uploads and pictures, if the system lists them. */
function openFilesOf({ pid }: Server): string[] {
  const descriptors = `/proc/${pid}/fd`
  const names = existsSync(descriptors) ? readdirSync(descriptors) : []
  return names.flatMap((name) => linkIn(descriptors, name)).filter((place) => /\/(unfinished|files)\//.test(place))
}

/** A file closed a moment ago has no target. */
function linkIn(folder: string, name: string): string[] {
  try {
    return [readlinkSync(path.join(folder, name))]
  } catch {
    return []
  }
}

async function clearMemory(server: Server) {
  for (let count = 0; count < 5; count += 1) {
    server.signal('SIGUSR2')
    await pause(50)
  }
}

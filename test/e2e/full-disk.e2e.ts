import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, test } from './fixtures.ts'
import { type Server, startServer } from './server.ts'
import { makeSmallDisk, type SmallDisk } from './small-disk.ts'
import { ada } from './steps.ts'

const run = promisify(execFile)
const FULL = /^Disk full: there is no room left for .+\. Free some space, then try again\.\n$/

let disk: SmallDisk
let elsewhere: string

test.beforeEach(() => {
  disk = makeSmallDisk(process.env.E2E_TEMPLATE ?? '')
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

function command(...args: string[]) {
  const env = { PATH: process.env.PATH, NODE_ENV: 'production', ...settings() }
  return run(process.execPath, ['build/server/index.js', ...args], { env })
}

async function enquire(url: string, key: string) {
  const body = JSON.stringify({ ...ada, form: 'contact', idempotencyKey: key })
  return (await fetch(`${url}/api/contact`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).status
}

/** Uses up the room that the database still has in its own files. */
async function untilRefused(url: string) {
  for (let count = 0; count < 2000; count += 1) if ((await enquire(url, `enquiry-${count}`)) === 503) return
  throw new Error('The disk is not full.')
}

test('on a full disk a backup fails in a sentence, and the site stays up', async () => {
  site = await startServer(settings())
  disk.fill()
  await expect(command('backup', path.join(elsewhere, 'backup.tar.gz'))).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(FULL),
  })
  expect(readdirSync(elsewhere)).toEqual([])
  // A file that was left open ends the process when its memory is cleared.
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

test('a start on a full disk is refused in a sentence that says so', async () => {
  disk.fill()
  await expect(command()).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(FULL) })
  expect(existsSync(path.join(disk.dataDir, 'pg18'))).toBe(true)
  disk.free()
  site = await startServer(settings())
  await site.stop()
})

import { chmodSync, closeSync, cpSync, lstatSync, mkdtempSync, openSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startPostgres } from '#test/postgres.ts'
import { atLength } from '#test/length.ts'
import { bareTest as test, expect } from './fixtures.ts'
import { runCommand, type Server, startServer } from './server.ts'

const NOBODY = 65534
let base: string
let dataDir: string
let umask: number

// Like a machine where users may read the files of others, with a umask that removes no rights.
test.beforeEach(() => {
  umask = process.umask(0)
  base = mkdtempSync(path.join(tmpdir(), 'winnow-private-'))
  chmodSync(base, 0o755)
  dataDir = path.join(base, 'data')
  cpSync(process.env.E2E_OWNED_TEMPLATE ?? '', dataDir, { recursive: true })
})
let site: Server | undefined

test.afterEach(async () => {
  await site?.stop('SIGKILL')
  process.umask(umask)
  rmSync(base, { recursive: true, force: true })
})

test.slow()

test('no other user of the machine can read or write a file of the installation, after whatever was done to it', atLength, async () => {
  site = await startServer({ DATA_DIR: dataDir })
  expect(openToOthers()).toEqual([])

  const upload = path.join(base, 'prices.csv')
  writeFileSync(upload, 'shop,price\na,1\nb,2\n')
  const [product] = (await command('dataset', 'list')).split(':')
  // It is held, because it lacks columns of the version before.
  await command('dataset', 'add', upload, '--product', product ?? '')
  expect(openToOthers()).toEqual([])

  const backup = path.join(base, 'backup.tar.gz')
  await command('backup', backup)
  expect(openToOthers()).toEqual([])
  expect(lstatSync(backup).mode & 0o777).toBe(0o600)
  await site.stop()

  await command('restore', backup, '--force')
  expect(readdirSync(dataDir)).toContain('replaced')
  expect(openToOthers()).toEqual([])

  const postgres = await startPostgres()
  try {
    await command('move', '--to', postgres.url)
  } finally {
    postgres.stop()
  }
  expect(openToOthers()).toEqual([])
})

test('an installation that an older version left open is closed at the next start', async () => {
  for (const place of allPlaces()) chmodSync(place, lstatSync(place).isDirectory() ? 0o755 : 0o666)
  site = await startServer({ DATA_DIR: dataDir })
  expect(openToOthers()).toEqual([])
  await site.stop()
})

test('files of the operator beside the installation are unchanged', async () => {
  const own = path.join(dataDir, 'notes.sh')
  writeFileSync(own, 'echo', { mode: 0o755 })
  site = await startServer({ DATA_DIR: dataDir })
  expect(lstatSync(own).mode & 0o777).toBe(0o755)
  await site.stop()
})

test('a folder that all users of the machine share is refused in a sentence', async () => {
  chmodSync(dataDir, 0o1777)
  await expect(command('backup', path.join(base, 'backup.tar.gz'))).rejects.toMatchObject({
    stderr: `DATA_DIR must be a folder of its own, and ${dataDir} is shared by all users of this machine.\n`,
  })
  expect(lstatSync(dataDir).mode & 0o7777).toBe(0o1777)
})

/** By mode, and as another user if this one may switch users. */
function openToOthers(): string[] {
  const places = allPlaces()
  const byMode = places.filter((place) => (lstatSync(place).mode & 0o777) !== (lstatSync(place).isDirectory() ? 0o700 : 0o600))
  return process.getuid?.() === 0 ? [...byMode, ...asAnother(() => places.filter(isOpen))] : byMode
}

/** The files that another user of the machine could read. */
function asAnother<T>(look: () => T): T {
  process.setegid?.(NOBODY)
  process.seteuid?.(NOBODY)
  try {
    return look()
  } finally {
    process.seteuid?.(0)
    process.setegid?.(0)
  }
}

function isOpen(place: string): boolean {
  return ['r', 'r+'].some((flags) => {
    try {
      closeSync(openSync(place, flags))
      return true
    } catch {
      return false
    }
  })
}

function allPlaces(): string[] {
  const inside = readdirSync(dataDir, { recursive: true, withFileTypes: true }).map((entry) => path.join(entry.parentPath, entry.name))
  return [dataDir, ...inside]
}

const command = async (...args: string[]) => (await runCommand({ DATA_DIR: dataDir }, ...args)).stdout

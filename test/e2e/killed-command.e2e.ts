import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, type Dirent, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { atLength } from '#test/length.ts'
import { startPostgres } from '#test/postgres.ts'
import { bareTest as test, expect } from './fixtures.ts'
import { productStart, startServer } from './server.ts'

let base: string
let dataDir: string

test.beforeEach(() => {
  base = mkdtempSync(path.join(tmpdir(), 'winnow-killed-'))
  dataDir = path.join(base, 'data')
  cpSync(process.env.E2E_OWNED_TEMPLATE ?? '', dataDir, { recursive: true })
})
test.afterEach(() => rmSync(base, { recursive: true, force: true }))

/** The files of an installation. Everything else is a command's leftover. */
const OWN =
  /^data\/(pg18|files|cache|unfinished|temporary|keys|replaced|lock\.sqlite(-journal)?)$|^data\/keys\/[\w-]+\.(json|key)$|^(data|kept\.tar\.gz)$/
/** Only the product knows the contents of these. */
const CLOSED = /^data\/(pg18|files|cache|replaced|restored)$/
const MARK = 'mark'

function strays(folder = ''): string[] {
  return entriesOf(path.join(base, folder)).flatMap((entry) => {
    const name = path.posix.join(folder, entry.name)
    const inside = entry.isDirectory() && !CLOSED.test(name) ? strays(name) : []
    return OWN.test(name) ? inside : [name, ...inside]
  })
}

/** A running command may have just removed the folder. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

function start(args: string[], settings: Record<string, string> = {}) {
  const { args: command, env } = productStart({ DATA_DIR: dataDir, ...settings }, args)
  return spawn(process.execPath, command, { env, stdio: 'ignore' })
}

async function run(...args: string[]) {
  const [code] = await once(start(args), 'exit')
  expect(code).toBe(0)
}

type Moment = RegExp | (() => boolean)

const hasCome = (moment: Moment) => (moment instanceof RegExp ? strays().some((name) => moment.test(name)) : moment())

/**
 * Kills a command at a given moment, usually the creation of a file. By then it has removed the marked leftovers of the previous one.
 */
async function killAt(moment: Moment, args: string[], settings: Record<string, string> = {}) {
  const child = start(args, settings)
  while (!hasCome(moment)) {
    if (child.exitCode !== null) throw new Error(`The command ended before ${String(moment)}.`)
    await pause(1)
  }
  child.kill('SIGKILL')
  if (child.signalCode === null) await once(child, 'exit')
  expect(child.signalCode).toBe('SIGKILL')
  const left = strays()
  expect(left).not.toEqual([])
  expect(marks()).toEqual([])
  for (const name of left.filter((each) => /^data\/(temporary\/[^/]+|restoring|staged-[^/]+)$/.test(each))) {
    writeFileSync(path.join(base, name, MARK), '')
  }
}

const marks = () => strays().filter((name) => path.basename(name) === MARK)

async function killAtEach(moments: RegExp[], args: string[], settings: Record<string, string> = {}) {
  for (const moment of moments) await killAt(moment, args, settings)
}

async function startSite(settings: Record<string, string> = {}) {
  const site = await startServer({ DATA_DIR: dataDir, ...settings })
  expect((await fetch(`${site.url}/readyz`)).status).toBe(200)
  return site
}

async function expectCleanAfterStart(settings: Record<string, string> = {}) {
  const site = await startSite(settings)
  await site.stop()
  expect(strays()).toEqual([])
}

const kept = () => path.join(base, 'kept.tar.gz')

test('backups that were killed leave nothing after the next run or the next start', atLength, async () => {
  const site = await startSite()
  await killAt(/temporary\/.+\/copy\/pg18\/PG_VERSION$/, ['backup', path.join(base, 'live.tar.gz')])
  await site.stop()
  await killAtEach([/spool\/tables\/people\.jsonl$/, /killed\.tar\.gz\.unfinished$/], ['backup', path.join(base, 'killed.tar.gz')])
  await expectCleanAfterStart()
  expect(existsSync(path.join(base, 'killed.tar.gz'))).toBe(false)
})

test('restores that were killed leave nothing after the next run or the next start', atLength, async () => {
  await run('backup', kept())
  const moments = [/restoring\/tables\/people\.jsonl$/, /restoring\/keys\/.+/, /restoring\/pg18\/PG_VERSION$/]
  await killAtEach(moments, ['restore', kept(), '--force'])
  await expectCleanAfterStart()
})

test('moves to a server and restores into it that were killed leave nothing there and here', atLength, async () => {
  const postgres = await startPostgres()
  const client = new Client({ connectionString: postgres.url })
  try {
    await client.connect()
    const move = ['move', '--to', postgres.url]
    const moments = [/temporary\/.+\/spool\/tables\/people\.jsonl$/, /temporary\/[^/]+\/tables\/people\.jsonl$/]
    await killAtEach(moments, move)
    await killAt(isLoading, move)
    await untilAlone(client)
    expect(await filledIn(client)).toEqual([])
    // Without --force it would refuse a database with data.
    await run(...move)
    expect(strays()).toEqual([])

    const settings = { DATABASE_URL: postgres.url }
    await run('backup', kept())
    await killAtEach([/restoring\/tables\/people\.jsonl$/, /staged-.+\/tables\/people\.jsonl$/], ['restore', kept(), '--force'], settings)
    await expectCleanAfterStart(settings)
  } finally {
    await client.end()
    postgres.stop()
  }
})

/** A move removes its archive once that is unpacked, and writes the rows next. */
function isLoading(): boolean {
  const names = strays()
  return names.some((name) => /temporary\/[^/]+\/tables\//.test(name)) && !names.some((name) => name.endsWith('/backup.tar.gz'))
}

/** The server notices the end of a command with a delay. */
async function untilAlone(client: Client) {
  const others = `SELECT FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`
  await expect.poll(async () => (await client.query(others)).rowCount).toBe(0)
}

/** The migrations fill these themselves, in every new database. */
const FILLED_BY_MIGRATIONS = new Set(['call_types', 'lead_stages', 'lead_lost_reasons', 'lead_templates', 'service_promises'])

/** The tables with rows of the installation, and everything beside the tables that a command could leave on a server. */
async function filledIn(client: Client): Promise<string[]> {
  const { rows: tables } = await client.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND tablename !~ '^(kysely_|installation$)'`,
  )
  const { rows: others } = await client.query<{ name: string }>(
    `SELECT nspname AS name FROM pg_namespace WHERE nspname !~ '^pg_' AND nspname NOT IN ('public', 'information_schema')
      UNION ALL SELECT datname FROM pg_database WHERE datname NOT IN ('postgres', 'template0', 'template1')`,
  )
  const filled: string[] = others.map(({ name }) => name)
  const moved = tables.filter(({ name }) => !FILLED_BY_MIGRATIONS.has(name))
  for (const { name } of moved) if ((await client.query(`SELECT FROM ${name} LIMIT 1`)).rowCount) filled.push(name)
  return filled
}

// The migration to organizations with 100,000 accounts and 300,000 grants, killed at 20 moments: all or nothing, within 60 s, on both engines.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { productStart, startServer } from '#test/e2e/server.ts'
import { freePort, startPostgres } from '#test/postgres.ts'
import { type Engine, onEmbedded, onPostgres, type Run } from './engine.ts'
import { printFigures } from './figures.ts'

const ACCOUNTS = Number(process.env['ACCOUNTS'] ?? 100_000)
const KILLS = Number(process.env['KILLS'] ?? 20)
const MOST_SECONDS = 60
const MIGRATION = '0080-organizations'

const folder = mkdtempSync(path.join(tmpdir(), 'winnow-organizations-'))
const postgres = await startPostgres()
const figures = []
try {
  const places = [embeddedPlace(path.join(folder, 'embedded')), await postgresPlace(path.join(folder, 'postgres'))]
  for (const place of places.filter(({ engine }) => engine.name.includes(process.env['ONLY'] ?? '')))
    figures.push(...(await measure(place)))
} finally {
  postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = printFigures(figures) ? 0 : 1

/** A database that can be kept and brought back, with the number of processes that start at once on it. */
type Place = { engine: Engine; processes: number; keep: () => Promise<void>; bringBack: () => Promise<void> }

function embeddedPlace(data: string): Place {
  const copy = (from: string, to: string) => {
    rmSync(to, { recursive: true, force: true })
    cpSync(from, to, { recursive: true })
  }
  const kept = `${data}-kept`
  return { engine: onEmbedded(data), processes: 1, keep: async () => copy(data, kept), bringBack: async () => copy(kept, data) }
}

async function postgresPlace(data: string): Promise<Place> {
  const name = (database: string) => Object.assign(new URL(postgres.url), { pathname: `/${database}` }).href
  const server = onPostgres(postgres.url, data)
  const copy = (from: string, to: string) =>
    server.ask(async (run) => {
      await run(`DROP DATABASE IF EXISTS ${to} WITH (FORCE)`)
      await run(`CREATE DATABASE ${to} TEMPLATE ${from}`)
    })
  await copy('template1', 'used')
  return { engine: onPostgres(name('used'), data), processes: 2, keep: () => copy('used', 'kept'), bringBack: () => copy('kept', 'used') }
}

async function measure({ engine, processes, keep, bringBack }: Place) {
  const settings = { ...engine.env, OWNER_EMAIL: 'owner@example.com', LOG_LEVEL: 'warn' }
  await (await start(settings)).stop()
  await engine.ask(goBack)
  await engine.ask(fill)
  await keep()
  const begun = performance.now()
  const servers = await Promise.all(Array.from({ length: processes }, () => start(settings)))
  const seconds = (performance.now() - begun) / 1000
  await Promise.all(servers.map((server) => server.stop()))
  const isWhole = [await isComplete(engine)]
  await bringBack()
  const found = { before: 0, done: 0, torn: 0 }
  for (let kill = 0; kill < KILLS; kill += 1) {
    await killAt(settings, processes, ((kill + 1) / KILLS) * seconds * 1200)
    const state = await stateOf(engine)
    found[state] += 1
    if (state === 'done') {
      isWhole.push(await isComplete(engine))
      await bringBack()
    }
  }
  // After a kill in the middle, the next start does the whole.
  await killAt(settings, processes, seconds * 600)
  await (await start(settings)).stop()
  isWhole.push(await isComplete(engine))
  const name = `${engine.name}, ${processes === 1 ? 'one process' : `${processes} processes`}`
  return [
    {
      what: `${name}: start with the migration`,
      found: `${seconds.toFixed(1)} s`,
      bar: `≤ ${MOST_SECONDS} s`,
      ok: seconds <= MOST_SECONDS,
    },
    { what: `${name}: of ${KILLS} kills, neither before nor after`, found: String(found.torn), bar: '0', ok: found.torn === 0 },
    { what: `${name}: before the migration, after it`, found: `${found.before}, ${found.done}` },
    {
      what: `${name}: accounts or grants without organization`,
      found: isWhole.every(Boolean) ? '0' : 'some',
      bar: '0',
      ok: isWhole.every(Boolean),
    },
  ]
}

/** A slow machine misses the bar instead of ending the bench. */
async function start(settings: Record<string, string>) {
  return startServer(settings, undefined, 600_000)
}

async function isComplete(engine: Engine): Promise<boolean> {
  let isWhole = false
  await engine.ask(async (run) => {
    const [row] = await run(`SELECT (SELECT count(*) FROM organizations WHERE is_personal)::integer AS organizations,
      (SELECT count(*) FROM entitlements WHERE organization_id = user_id)::integer AS grants`)
    isWhole = row?.['organizations'] === ACCOUNTS && row['grants'] === 3 * ACCOUNTS
  })
  return isWhole
}

/** To the tables before the migration: nothing in the product undoes one, so the earlier ones run on an empty schema. */
async function goBack(run: Run): Promise<void> {
  await run('DROP SCHEMA public CASCADE')
  await run('CREATE SCHEMA public')
  await run('CREATE TABLE kysely_migration (name varchar(255) PRIMARY KEY, timestamp varchar(255) NOT NULL)')
  for (const file of globSync('db/migrations/*.sql').toSorted()) {
    const name = path.basename(file, '.sql')
    if (name >= MIGRATION) return
    await run(readFileSync(file, 'utf8'))
    await run(`INSERT INTO kysely_migration (name, timestamp) VALUES ('${name}', '${new Date().toISOString()}')`)
  }
}

async function fill(run: Run): Promise<void> {
  await run(
    `INSERT INTO users (id, email, email_confirmed_at) SELECT gen_random_uuid(), 'user-' || at || '@example.com', now() FROM generate_series(1, ${ACCOUNTS}) AS at`,
  )
  await run(`INSERT INTO data_products (id, slug, position, name, description, category, price_cents, is_free)
    SELECT gen_random_uuid(), 'bench-' || at, 1000 + at, 'Bench ' || at, 'Bench', 'Bench', 100, false FROM generate_series(1, 3) AS at`)
  await run(`INSERT INTO entitlements (id, product_id, user_id, granted_by)
    SELECT gen_random_uuid(), product.id, users.id, users.id FROM users CROSS JOIN (SELECT id FROM data_products WHERE slug LIKE 'bench-%') AS product`)
}

async function killAt(settings: Record<string, string>, processes: number, ms: number): Promise<void> {
  const ports = await Promise.all(Array.from({ length: processes }, () => freePort()))
  const children = ports.map((port) => {
    const { args, env } = productStart({ ...settings, PORT: String(port) })
    return spawn(process.execPath, args, { env, stdio: 'ignore' })
  })
  await sleep(ms)
  for (const child of children) child.kill('SIGKILL')
  await Promise.all(children.map(async (child) => child.exitCode === null && child.signalCode === null && once(child, 'exit')))
}

async function stateOf(engine: Engine): Promise<'before' | 'done' | 'torn'> {
  let parts: unknown[] = []
  await engine.ask(async (run) => {
    const [row] = await run(`SELECT to_regclass('organizations') IS NOT NULL AS tables,
      EXISTS (SELECT FROM kysely_migration WHERE name = '${MIGRATION}') AS recorded,
      EXISTS (SELECT FROM information_schema.columns WHERE table_name = 'people' AND column_name = 'organization_id') AS columns`)
    parts = [row?.['tables'], row?.['recorded'], row?.['columns']]
  })
  return parts.every(Boolean) ? 'done' : parts.some(Boolean) ? 'torn' : 'before'
}

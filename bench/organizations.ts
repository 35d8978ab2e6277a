// The migration to organizations with 100,000 accounts and 300,000 grants, killed at 20 moments: all or nothing, within 60 s, on both engines.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
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
  for (const engine of [onEmbedded(path.join(folder, 'embedded')), onPostgres(postgres.url, path.join(folder, 'postgres'))]) {
    figures.push(...(await measure(engine)))
  }
} finally {
  postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = printFigures(figures) ? 0 : 1

async function measure(engine: Engine) {
  const settings = { ...engine.env, OWNER_EMAIL: 'owner@example.com', LOG_LEVEL: 'warn' }
  await (await startServer(settings)).stop()
  await engine.ask(goBack)
  await engine.ask(fill)
  const halves: ('before' | 'done' | 'torn')[] = []
  for (let kill = 0; kill < KILLS; kill += 1) {
    await killAt(settings, 500 + (kill / KILLS) * 8000)
    await engine.ask(async (run) => void halves.push(await stateOf(run)))
    if (halves.at(-1) === 'done') await engine.ask(goBack)
  }
  const begun = performance.now()
  const server = await startServer(settings)
  const seconds = (performance.now() - begun) / 1000
  await server.stop()
  let isWhole = false
  await engine.ask(async (run) => {
    const [row] = await run(`SELECT (SELECT count(*) FROM organizations WHERE is_personal)::integer AS organizations,
      (SELECT count(*) FROM entitlements WHERE organization_id = user_id)::integer AS grants`)
    isWhole = row?.['organizations'] === ACCOUNTS && row['grants'] === 3 * ACCOUNTS
  })
  const torn = halves.filter((state) => state === 'torn').length
  return [
    {
      what: `${engine.name}: start with the migration`,
      found: `${seconds.toFixed(1)} s`,
      bar: `≤ ${MOST_SECONDS} s`,
      ok: seconds <= MOST_SECONDS,
    },
    { what: `${engine.name}: ${KILLS} kills, neither before nor after`, found: String(torn), bar: '0', ok: torn === 0 },
    { what: `${engine.name}: every account and grant has its organization`, found: String(isWhole), bar: 'true', ok: isWhole },
  ]
}

/** To the tables before the migration. Nothing else in the product undoes one. */
async function goBack(run: Run): Promise<void> {
  for (const statement of `
    DROP TRIGGER IF EXISTS users_personal_organization ON users; DROP TRIGGER IF EXISTS users_organization_taken ON users;
    DROP TRIGGER IF EXISTS hosted_accounts_personal_organization ON hosted_accounts;
    DROP TRIGGER IF EXISTS hosted_accounts_organization_taken ON hosted_accounts;
    DROP INDEX IF EXISTS audit_events_organization;
    DROP FUNCTION IF EXISTS give_personal_organization; DROP FUNCTION IF EXISTS take_personal_organization;
    ALTER TABLE entitlements DROP COLUMN organization_id; ALTER TABLE product_requests DROP COLUMN organization_id;
    ALTER TABLE downloads DROP COLUMN organization_id; ALTER TABLE api_keys DROP COLUMN organization_id;
    ALTER TABLE api_keys DROP COLUMN is_service; ALTER TABLE people DROP COLUMN organization_id;
    DROP TABLE organization_quotas, organization_merges, organization_join_requests, organization_domains, organization_invitations,
      organization_members, organizations;
    CREATE UNIQUE INDEX entitlements_one_live ON entitlements (product_id, user_id) WHERE revoked_at IS NULL;
    CREATE UNIQUE INDEX product_requests_one_open ON product_requests (product_id, user_id) WHERE settled_at IS NULL;
    DELETE FROM kysely_migration WHERE name >= '${MIGRATION}'`.split(';')) {
    await run(statement)
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

async function killAt(settings: Record<string, string>, ms: number): Promise<void> {
  const { args, env } = productStart({ ...settings, PORT: String(await freePort()) })
  const child = spawn(process.execPath, args, { env, stdio: 'ignore' })
  await sleep(ms)
  child.kill('SIGKILL')
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
}

async function stateOf(run: Run): Promise<'before' | 'done' | 'torn'> {
  const [row] = await run(`SELECT to_regclass('organizations') IS NOT NULL AS tables,
    EXISTS (SELECT FROM kysely_migration WHERE name = '${MIGRATION}') AS recorded,
    EXISTS (SELECT FROM information_schema.columns WHERE table_name = 'people' AND column_name = 'organization_id') AS columns`)
  const parts = [row?.['tables'], row?.['recorded'], row?.['columns']]
  return parts.every(Boolean) ? 'done' : parts.some(Boolean) ? 'torn' : 'before'
}

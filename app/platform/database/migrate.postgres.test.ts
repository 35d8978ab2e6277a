import { sql } from 'kysely'
import { Client } from 'pg'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { env } from '#app/platform/env.server.ts'
import { type Connection, connectDatabase } from './connect.server.ts'
import { migrate, migrationNames } from './migrate.server.ts'

/** Kysely's, of every migrator on PostgreSQL. */
const LOCK_ID = '3853314791062309107'
const url = new URL(env.DATABASE_URL ?? '')
const name = `${url.pathname.slice(1)}_empty`

beforeAll(() => onServer(`CREATE DATABASE ${name}`))
afterAll(() => onServer(`DROP DATABASE ${name} WITH (FORCE)`))

async function onServer(statement: string) {
  const client = new Client({ connectionString: url.href })
  await client.connect()
  await client.query(statement)
  await client.end()
}

const empty = Object.assign(new URL(url), { pathname: `/${name}` }).href

test('of many concurrent starts on an empty database one migrates, and none fails', async () => {
  const processes: Connection[] = await Promise.all(Array.from({ length: 8 }, () => connectDatabase({ url: empty })))
  const ends = await Promise.allSettled(processes.map(({ kysely }) => migrate(kysely)))
  const rows = await Promise.all(processes.map(({ kysely }) => sql<{ name: string }>`SELECT name FROM kysely_migration`.execute(kysely)))
  await Promise.all(processes.map(({ close }) => close()))

  expect(ends.filter(({ status }) => status === 'rejected')).toEqual([])
  expect(rows.map((found) => found.rows.map((row) => row.name).toSorted())).toEqual(processes.map(() => migrationNames))
})

test('a process waits for the migration of another one longer than a request may take', async () => {
  const waits = `${name}_waits`
  await onServer(`CREATE DATABASE ${waits}`)
  const place = Object.assign(new URL(url), { pathname: `/${waits}` })
  const holder = new Client({ connectionString: place.href })
  await holder.connect()
  // The lock that the migrator takes.
  await holder.query(`SELECT pg_advisory_lock(${LOCK_ID})`)
  place.search = `?options=${encodeURIComponent('-c statement_timeout=300')}`
  const waiting = await connectDatabase({ url: place.href })
  const done = migrate(waiting.kysely)
  const isWaiting = () => holder.query(`SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`)
  await vi.waitUntil(async () => (await isWaiting()).rowCount, { timeout: 10_000 })
  await sleep(600)
  await holder.query(`SELECT pg_advisory_unlock(${LOCK_ID})`)
  await expect(done).resolves.toBeUndefined()
  const limit = await sql<{ limit: string }>`SELECT current_setting('statement_timeout') AS limit`.execute(waiting.kysely)
  expect(limit.rows).toEqual([{ limit: '300ms' }])
  await waiting.close()
  await holder.end()
  await onServer(`DROP DATABASE ${waits} WITH (FORCE)`)
})

test('an up-to-date database is only looked at, without the lock of those that migrate', async () => {
  const [start, migrating] = await Promise.all([connectDatabase({ url: empty }), connectDatabase({ url: empty })])
  await migrate(start.kysely)
  await migrating.kysely.transaction().execute(async (trx) => {
    await sql`LOCK TABLE kysely_migration_lock`.execute(trx)
    await expect(migrate(start.kysely)).resolves.toBeUndefined()
  })
  await Promise.all([start.close(), migrating.close()])
})

test('a database that knows a migration of a newer version is refused', async () => {
  const { kysely, close } = await connectDatabase({ url: empty })
  await sql`INSERT INTO kysely_migration (name, timestamp) VALUES ('9999-of-tomorrow', '2030-01-01')`.execute(kysely)
  await expect(migrate(kysely)).rejects.toThrow('9999-of-tomorrow')
  await close()
})

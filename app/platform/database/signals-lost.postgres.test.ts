import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { closeDatabase, openDatabase } from './open.server.ts'
import { db } from './db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { closeSignals, onSignal, openSignals, signal } from './signals.server.ts'

beforeAll(async () => {
  await openDatabase()
  await openSignals()
})
afterAll(async () => {
  await closeSignals()
  await closeDatabase()
})

test('after the database was away for a while one connection listens again, not many', async () => {
  const heard: unknown[] = []
  onSignal('again', (payload) => heard.push(payload))
  await whileAway(4500)

  await expect.poll(countListeners).toBe(1)
  await signal('again', 'back')
  await expect.poll(() => heard).toEqual(['back'])
  await new Promise((resolve) => setTimeout(resolve, 2500))
  expect(await countListeners()).toBe(1)
})

async function countListeners(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM pg_stat_activity WHERE query LIKE 'LISTEN %' AND datname = current_database()`.execute(db)
  return rows[0]?.count ?? 0
}

/** Blocks connections to our database for a time, and ends the existing ones. */
async function whileAway(ms: number) {
  const url = new URL(env.DATABASE_URL ?? '')
  const name = url.pathname.slice(1)
  const client = new Client({ connectionString: Object.assign(url, { pathname: '/postgres' }).href })
  await client.connect()
  await client.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS false`)
  await client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN %' AND datname = $1`, [name])
  await new Promise((resolve) => setTimeout(resolve, ms))
  await client.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS true`)
  await client.end()
}

import { sql } from 'kysely'
import { Client } from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { db, transaction } from './db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { closeDatabase, openDatabase } from './open.server.ts'

beforeAll(async () => {
  await openDatabase()
  return closeDatabase
})

test('a connection lost between two statements ends its transaction and nothing else', async () => {
  const lost = transaction(async (trx) => {
    const { rows } = await sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`.execute(trx)
    await terminate(rows[0]?.pid)
    await sql`SELECT 1`.execute(trx)
  })
  await expect(lost).rejects.toThrow(/terminat|not queryable/)
  expect((await sql`SELECT 1`.execute(db)).rows).toHaveLength(1)
})

/** Ends a connection on the server, and pauses until our side has noticed. */
async function terminate(pid: number | undefined) {
  const client = new Client({ connectionString: env.DATABASE_URL })
  await client.connect()
  await client.query('SELECT pg_terminate_backend($1)', [pid])
  await client.end()
  await new Promise((resolve) => setTimeout(resolve, 200))
}

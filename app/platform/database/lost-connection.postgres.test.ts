import { sql } from 'kysely'
import { Client } from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { copyFromServer } from './copy-out.server.ts'
import { copyStatement } from './copy-statement.server.ts'
import { db, transaction } from './db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { closeDatabase, openDatabase } from './open.server.ts'
import { createPool } from './postgres-pool.server.ts'

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

test('a connection lost during a copy does not go back to the pool', async () => {
  const pool = await createPool({ connectionString: env.DATABASE_URL, max: 1 }, 0)
  // The second row pushes the first one out of the server's buffer.
  const statement = copyStatement(sql`SELECT pg_backend_pid(), '' UNION ALL SELECT 0, repeat('x', 100000) UNION ALL
    SELECT length(pg_sleep(20)::text), ''`)
  let terminating: Promise<void> | undefined
  const idle = copyFromServer(pool, statement, (row) => {
    terminating ??= terminate(row.readInt32BE(2 + 4))
  }).catch((error: Error) => [error.message, pool.idleCount])
  expect(await idle).toEqual([expect.stringMatching('terminat'), 0])
  await terminating
  expect((await pool.query('SELECT 1')).rows).toHaveLength(1)
  await pool.end()
})

/** Ends a connection on the server, and pauses until our side has noticed. */
async function terminate(pid: number | undefined) {
  const client = new Client({ connectionString: env.DATABASE_URL })
  await client.connect()
  await client.query('SELECT pg_terminate_backend($1)', [pid])
  await client.end()
  await new Promise((resolve) => setTimeout(resolve, 200))
}

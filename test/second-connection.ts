import { Client } from 'pg'
import { expect } from 'vitest'
import { env } from '#app/platform/env.server.ts'
import { eventually } from './eventually.ts'

/** Runs work on a connection beside the product's own, and closes it afterwards, also if the work fails. */
export async function onSecondConnection<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: env.DATABASE_URL })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/**
 * Waits until a query of this database waits for a lock. Other tests use other databases of the same server. In a transaction, the server shows
 * the connections of the first look again and again, without those that were opened since.
 */
export async function untilBlocked(client: Client): Promise<void> {
  await eventually(async () => {
    const blocked = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    await client.query('SELECT pg_stat_clear_snapshot()')
    expect((await client.query(blocked)).rows).not.toEqual([])
  })
}

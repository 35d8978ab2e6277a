import { Socket } from 'node:net'
import type { Pool, PoolClient, PoolConfig } from 'pg'
import { log } from '#app/platform/process/log.server.ts'
import { propertyOf } from '#app/platform/errors/property.ts'

/** A server cancels a statement after 15 seconds. One that is silent for longer is away, though its connections are still open. */
export const MOST_SILENCE_MS = 20_000

/** Connections of one process for the work of requests and jobs. */
export const POOL_SIZE = 10

/** Connections to a PostgreSQL server. A silent one is dropped after `mostSilence` milliseconds (0: never), so that no query hangs forever. */
export async function createPool(config: PoolConfig, mostSilence: number): Promise<Pool> {
  const { Pool } = await import('pg')
  const pool = new Pool({ connectionTimeoutMillis: 5000, ...config })
  pool.on('connect', (client) => {
    // Without these listeners, a lost connection would end the process, idle or in a transaction between two statements.
    client.on('error', () => undefined)
    if (mostSilence > 0) giveUpSilent(client, mostSilence)
  })
  pool.on('error', (error) => log.warn({ code: propertyOf(error, 'code') }, 'an idle database connection was lost'))
  return pool
}

/** The driver's own timeout keeps the unresponsive connection in the pool. */
function giveUpSilent({ connection: { stream } }: PoolClient, mostSilence: number) {
  const away = Object.assign(new Error('The database server has fallen silent.'), { code: 'ETIMEDOUT' })
  if (stream instanceof Socket) stream.setTimeout(mostSilence, () => stream.destroy(away))
}

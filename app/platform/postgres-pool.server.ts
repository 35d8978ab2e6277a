import { Socket } from 'node:net'
import type { Pool, PoolClient, PoolConfig } from 'pg'
import { log } from './log.server.ts'
import { propertyOf } from './property.ts'

/** A server stops a statement by itself after 15 seconds. One that has said nothing for so long is away, though its connections still stand. */
export const MOST_SILENCE_MS = 20_000

/** Connections to a PostgreSQL server. A silent one is given up after `mostSilence` milliseconds, 0 for never, so that nobody waits for it for ever. */
export async function createPool(config: PoolConfig, mostSilence: number): Promise<Pool> {
  const { Pool } = await import('pg')
  const pool = new Pool({ connectionTimeoutMillis: 5000, ...config })
  pool.on('connect', (client) => {
    // Without listeners, a connection that is lost would end the process: one that is idle, and one that a transaction holds between two statements.
    client.on('error', () => undefined)
    if (mostSilence > 0) giveUpSilent(client, mostSilence)
  })
  pool.on('error', (error) => log.warn({ code: propertyOf(error, 'code') }, 'an idle database connection was lost'))
  return pool
}

/** The driver has a limit for an answer as well, but keeps the connection that does not give one. */
function giveUpSilent(client: PoolClient, mostSilence: number) {
  const connection: unknown = Reflect.get(client, 'connection')
  const socket: unknown = typeof connection === 'object' && connection !== null && Reflect.get(connection, 'stream')
  if (!(socket instanceof Socket)) throw new Error('The driver keeps its socket in another place.')
  const away = Object.assign(new Error('The database server has fallen silent.'), { code: 'ETIMEDOUT' })
  socket.setTimeout(mostSilence, () => socket.destroy(away))
}

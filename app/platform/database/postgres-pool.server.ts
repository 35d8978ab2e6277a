import { Socket } from 'node:net'
import type { Pool, PoolClient, PoolConfig } from 'pg'
import { log } from '#app/platform/log.server.ts'
import { propertyOf } from '#app/platform/property.ts'

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
    prepareMarked(client)
    if (mostSilence > 0) giveUpSilent(client, mostSilence)
  })
  pool.on('error', (error) => log.warn({ code: propertyOf(error, 'code') }, 'an idle database connection was lost'))
  return pool
}

/** The end of a statement that stays prepared. */
export const PREPARED = '/* prepared */'

const names = new Map<string, string>()

/** The driver prepares a statement that has a name, and the query builder gives none. */
function prepareMarked(client: PoolClient) {
  const query: unknown = Reflect.get(client, 'query')
  if (typeof query !== 'function') throw new Error('The driver runs queries in another way.')
  const named = (...[text, values, ...rest]: unknown[]): unknown => {
    const isMarked = typeof text === 'string' && text.endsWith(PREPARED)
    return Reflect.apply(query, client, isMarked ? [{ name: nameOf(text), text, values }, ...rest] : [text, values, ...rest])
  }
  Object.assign(client, { query: named })
}

function nameOf(text: string): string {
  const known = names.get(text)
  if (known) return known
  const name = `winnow_${names.size + 1}`
  names.set(text, name)
  return name
}

/** The driver's own timeout keeps the unresponsive connection in the pool. */
function giveUpSilent(client: PoolClient, mostSilence: number) {
  const connection: unknown = Reflect.get(client, 'connection')
  const socket: unknown = typeof connection === 'object' && connection !== null && Reflect.get(connection, 'stream')
  if (!(socket instanceof Socket)) throw new Error('The driver keeps its socket in another place.')
  const away = Object.assign(new Error('The database server has fallen silent.'), { code: 'ETIMEDOUT' })
  socket.setTimeout(mostSilence, () => socket.destroy(away))
}

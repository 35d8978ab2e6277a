import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { env } from '#app/platform/env.server.ts'

/** The right of this process to read a mailbox. `lost` aborts when it ends without `leave`. */
export type Turn = { lost: AbortSignal; leave: () => Promise<void> }

/** Milliseconds between two attempts to take over from another process. */
const WAIT = 15_000

/**
 * Waits until no other process reads this mailbox. On PostgreSQL it is an advisory lock of a connection of its own, which ends with the
 * process; the embedded database has one process. Undefined when `signal` aborts meanwhile.
 */
export async function holdTurn(name: string, signal: AbortSignal): Promise<Turn | undefined> {
  const connectionString = env.DATABASE_URL
  if (!connectionString) return { lost: new AbortController().signal, leave: async () => {} }
  const { Client } = await import('pg')
  const client = new Client({ connectionString, keepAlive: true, connectionTimeoutMillis: 5000 })
  const lost = new AbortController()
  client.on('error', () => undefined)
  client.once('end', () => lost.abort())
  const leave = async () => client.end().catch(() => undefined)
  try {
    await client.connect()
    while (!signal.aborted) {
      const { rows } = await client.query<{ held: boolean }>('SELECT pg_try_advisory_lock($1::bigint) AS held', [keyOf(name)])
      if (rows[0]?.held) return { lost: lost.signal, leave }
      await sleep(WAIT, undefined, { signal: AbortSignal.any([signal, lost.signal]), ref: false }).catch(() => undefined)
    }
  } catch (error) {
    await leave()
    throw error
  }
  await leave()
  return undefined
}

/** A 64-bit number of the mailbox. */
function keyOf(name: string): string {
  return createHash('sha256').update(`mailbox:${name}`).digest().readBigInt64BE().toString()
}

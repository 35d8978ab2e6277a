import type { Client } from 'pg'
import { log } from '#app/platform/process/log.server.ts'

/** A database that is silent for longer is away. */
const PATIENCE_MS = 5000

const held = new Set<bigint>()
let session: Client | undefined
/** The driver runs one query after the other. */
let last: Promise<unknown> = Promise.resolve()

/**
 * Sets the connection whose end ends all locks of this process, however it ends: a process that is killed leaves none behind. Locks that were
 * held before an interruption are taken again. Undefined: there is no connection at present.
 */
export function lockWith(client: Client | undefined): void {
  session = client
  if (client) for (const key of held) void run(client, 'SELECT pg_try_advisory_lock($1)', key)
}

/**
 * Takes a lock until `releaseLock`, or until the process ends. Returns whether no other process has it. The caller makes sure that this process takes
 * each only once. Without a connection, as with the embedded database, there is nobody to ask.
 */
export async function holdLock(key: bigint): Promise<boolean> {
  held.add(key)
  if (!session) return true
  const isOurs = await run(session, 'SELECT pg_try_advisory_lock($1) AS ours', key)
  if (!isOurs) held.delete(key)
  return isOurs
}

export function releaseLock(key: bigint): void {
  held.delete(key)
  if (session) void run(session, 'SELECT pg_advisory_unlock($1)', key)
}

/** Ends a connection that fails: the next one takes the locks again. Until then, this process counts by itself. */
async function run(client: Client, statement: string, key: bigint): Promise<boolean> {
  const query = last.then(() => client.query<{ ours?: boolean }>(statement, [String(key)]))
  last = query.catch(() => undefined)
  const { promise: tooLong, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('The database is silent.')), PATIENCE_MS)
  try {
    const { rows } = await Promise.race([query, tooLong])
    return rows[0]?.ours !== false
  } catch (error) {
    log.warn({ err: error }, 'locks of this process were interrupted')
    if (session === client) session = undefined
    client.end().catch(() => undefined)
    return true
  } finally {
    clearTimeout(timer)
  }
}

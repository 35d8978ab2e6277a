import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Client } from 'pg'
import { z } from 'zod'
import { afterCommit, db, type Trx } from './db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { lockWith } from './process-locks.server.ts'
import { onNewJobs } from '#app/platform/jobs.server.ts'
import { log } from '#app/platform/process/log.server.ts'
import { OperatorError } from '#app/platform/errors/operator-error.ts'

const CHANNEL = 'winnow'
const AGAIN_MS = 1000
/** Every running process holds this advisory lock as shared; a restore of the whole database takes it exclusively. */
export const PRESENCE_LOCK = 1_467_511_415
const heard = new EventEmitter().setMaxListeners(0)
let listener: Client | undefined
let closing = false

const notification = z.preprocess((text) => JSON.parse(String(text)), z.tuple([z.string(), z.unknown()]))

/**
 * Notifies every process of the installation, this one included. A signal may be lost (a process that is just connecting),
 * so it may only clear caches, wake workers and refresh screens. At most 7,000 bytes.
 */
export async function signal(topic: string, payload: unknown = null): Promise<void> {
  if (!env.DATABASE_URL) {
    heard.emit(topic, payload)
    return
  }
  await sql`SELECT pg_notify(${CHANNEL}, ${JSON.stringify([topic, payload])})`.execute(db)
}

/** `signal` when the transaction commits, and only then: even a process that is killed right after the commit has notified the others. */
export async function signalWith(trx: Trx, topic: string, payload: unknown): Promise<void> {
  if (env.DATABASE_URL) await sql`SELECT pg_notify(${CHANNEL}, ${JSON.stringify([topic, payload])})`.execute(trx)
  else afterCommit(() => heard.emit(topic, payload))
}

/** Calls back at each signal of a topic. Returns the function that unsubscribes. */
export function onSignal(topic: string, callback: (payload: unknown) => void): () => void {
  heard.on(topic, callback)
  return () => heard.off(topic, callback)
}

/** On PostgreSQL one connection listens for all topics, and reconnects after a loss. */
export async function openSignals(): Promise<void> {
  onNewJobs(tellWorkers)
  if (!env.DATABASE_URL) return
  closing = false
  await listen(env.DATABASE_URL)
}

async function listen(connectionString: string): Promise<void> {
  const { Client } = await import('pg')
  const client = new Client({ connectionString, keepAlive: true, connectionTimeoutMillis: 5000 })
  client.on('error', () => void client.end().catch(() => undefined))
  client.on('notification', ({ payload }) => {
    const [topic, content] = notification.parse(payload)
    heard.emit(topic, content)
  })
  await client.connect()
  await takePlace(client)
  await client.query(`LISTEN ${CHANNEL}`)
  listener = client
  lockWith(client)
  client.once('end', () => {
    lockWith(undefined)
    void listenAgain(connectionString)
  })
  // Signals were missed meanwhile, so caches start empty.
  heard.emit('reconnected', null)
}

/** The lock ends with the connection, however that ends. */
async function takePlace(client: Client): Promise<void> {
  const { rows } = await client.query<{ held: boolean }>('SELECT pg_try_advisory_lock_shared($1) AS held', [PRESENCE_LOCK])
  if (rows[0]?.held) return
  await client.end()
  throw new OperatorError('This database is being restored at this moment. Start again when that is done.')
}

/** One attempt at a time, however long the database is away. */
async function listenAgain(connectionString: string): Promise<void> {
  if (closing) return
  log.warn('signals from other processes are interrupted')
  let back = false
  while (!back) {
    await sleep(AGAIN_MS, undefined, { ref: false })
    if (closing) return
    back = await listen(connectionString).then(
      () => true,
      () => false,
    )
  }
}

/** Wakes the workers of all processes: for a process without a worker, or with too many jobs. A lost call costs a second. */
export function tellWorkers() {
  signal('jobs').catch(() => undefined)
}

export async function closeSignals(): Promise<void> {
  closing = true
  lockWith(undefined)
  await listener?.end()
  listener = undefined
}

import path from 'node:path'
import { isOutage } from './database-error.ts'
import { useDatabase } from './db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { OperatorError } from '#app/platform/errors/operator-error.ts'
import { countIn } from '#app/platform/guard/limits.server.ts'
import { createPool, MOST_SILENCE_MS } from './postgres-pool.server.ts'
import { propertyOf } from '#app/platform/errors/property.ts'
import { useReplica } from './replica.server.ts'
import { type Connection, connectDatabase, type DatabaseLocation } from './connect.server.ts'
import { finishRestore, makeFolder } from './data-folder.server.ts'
import { isUpToDate, migrate } from './migrate.server.ts'
import { closeSecrets, forgetSecrets, openSecrets } from './secrets.server.ts'
import { enterAlone, settleStage } from './stage.server.ts'
import { clearAbandonedRestore, clearTemporary } from './temporary-folder.server.ts'

let connection: Connection | undefined
let replica: Connection | undefined

/** Opens the configured database and brings its tables up to date. Safe when several processes start at the same time. */
export async function openDatabase(): Promise<void> {
  const folder = path.resolve(env.DATA_DIR)
  makeFolder(folder)
  clearTemporary(folder)
  if (env.DATABASE_URL) {
    clearAbandonedRestore(folder)
    finishRestore(folder)
  }
  const place = env.DATABASE_URL ? { url: env.DATABASE_URL } : { folder }
  connection = await connectDatabase(place, { mostSilence: MOST_SILENCE_MS, isMade: true })
  useDatabase(connection)
  countIn(env.DATABASE_URL ? openCounts(env.DATABASE_URL) : undefined)
  await bringUpToDate(connection, place).catch(explain)
  await connection.learnTypes?.()
  if (env.DATABASE_URL) await settleStage(folder, connection.kysely)
  await openSecrets(connection.kysely)
  // A replica that is down must not block the start: the first read finds out.
  replica = env.DATABASE_REPLICA_URL
    ? await connectDatabase({ url: env.DATABASE_REPLICA_URL }, { mostSilence: MOST_SILENCE_MS })
    : undefined
  useReplica(replica)
}

/** Requests drop a server that is silent for long. A migration of a large table is silent for as long as it takes, so it has a connection of its own. */
async function bringUpToDate({ kysely }: Connection, place: DatabaseLocation): Promise<void> {
  if (await isUpToDate(kysely)) return
  if (!('url' in place)) return migrate(kysely)
  const patient = await connectDatabase(place)
  try {
    await migrate(patient.kysely)
  } finally {
    await patient.close()
  }
}

/** Rate limit counters have connections of their own, so that they never queue behind other work. */
function openCounts(connectionString: string) {
  return () => createPool({ connectionString, max: 4, options: '-c statement_timeout=15000' }, MOST_SILENCE_MS)
}

/** Explains an unreachable server, a wrong user or password, or a missing database. The first query meets it. */
function explain(error: unknown): never {
  const code = propertyOf(error, 'code')
  if (!env.DATABASE_URL || !(isOutage(error) || /^(28...|3D000)$/.test(code))) throw error
  throw new OperatorError(
    `The database that DATABASE_URL names cannot be opened (${code || 'no answer'}): check its address, name, user and password.`,
  )
}

/** Runs work on the configured database, and closes it afterwards unless it was open before. */
export async function withDatabase<T>(work: () => Promise<T>): Promise<T> {
  if (connection) return work()
  await openDatabase()
  try {
    return await work()
  } finally {
    await closeDatabase()
  }
}

/** Removes the secrets from the database while no process uses it, also when no key opens them. The next start creates new ones. */
export async function forgetKeys(): Promise<void> {
  const leave = env.DATABASE_URL ? await enterAlone(env.DATABASE_URL) : undefined
  try {
    const { kysely, close } = await connectDatabase(env.DATABASE_URL ? { url: env.DATABASE_URL } : { folder: path.resolve(env.DATA_DIR) })
    try {
      await migrate(kysely)
      await forgetSecrets(kysely)
    } finally {
      await close()
    }
  } finally {
    await leave?.()
  }
}

export async function closeDatabase(): Promise<void> {
  closeSecrets()
  useReplica(undefined)
  await Promise.all([connection?.close(), replica?.close()])
  connection = undefined
  replica = undefined
}

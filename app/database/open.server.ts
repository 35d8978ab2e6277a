import path from 'node:path'
import { isOutage } from '#app/platform/database-error.ts'
import { useDatabase } from '#app/platform/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { OperatorError } from '#app/platform/operator-error.ts'
import { countIn } from '#app/platform/limits.server.ts'
import { createPool, MOST_SILENCE_MS } from '#app/platform/postgres-pool.server.ts'
import { propertyOf } from '#app/platform/property.ts'
import { useReplica } from '#app/platform/replica.server.ts'
import { type Connection, connect } from './connect.server.ts'
import { finishRestore, makeFolder } from './data-folder.server.ts'
import { migrate } from './migrate.server.ts'
import { settleStage } from './stage.server.ts'
import { sweepRestoreAlone, sweepTemporary } from './temporary-folder.server.ts'

let connection: Connection | undefined
let replica: Connection | undefined

/** Opens the database that the settings name and brings its tables up to date. Safe when several processes start at once. */
export async function openDatabase(): Promise<void> {
  const folder = path.resolve(env.DATA_DIR)
  makeFolder(folder)
  sweepTemporary(folder)
  if (env.DATABASE_URL) {
    sweepRestoreAlone(folder)
    finishRestore(folder)
  }
  connection = await connect(env.DATABASE_URL ? { url: env.DATABASE_URL } : { folder }, { mostSilence: MOST_SILENCE_MS })
  useDatabase(connection)
  countIn(env.DATABASE_URL ? openCounts(env.DATABASE_URL) : undefined)
  await migrate(connection.kysely).catch(explain)
  if (env.DATABASE_URL) await settleStage(folder, connection.kysely)
  // Whether it answers shows when it is read: it must keep nothing from starting.
  replica = env.DATABASE_REPLICA_URL ? await connect({ url: env.DATABASE_REPLICA_URL }, { mostSilence: MOST_SILENCE_MS }) : undefined
  useReplica(replica)
}

/** Counts wait for no other work, so they have connections of their own. */
function openCounts(connectionString: string) {
  return () => createPool({ connectionString, max: 4, options: '-c statement_timeout=15000' }, MOST_SILENCE_MS)
}

/** The first to ask the database is the first to hear that it cannot be reached, knows neither user nor password, or has no such name. */
function explain(error: unknown): never {
  const code = propertyOf(error, 'code')
  if (!env.DATABASE_URL || !(isOutage(error) || /^(28...|3D000)$/.test(code))) throw error
  throw new OperatorError(
    `The database that DATABASE_URL names cannot be opened (${code || 'no answer'}): check its address, name, user and password.`,
  )
}

export async function closeDatabase(): Promise<void> {
  useReplica(undefined)
  await Promise.all([connection?.close(), replica?.close()])
  connection = undefined
  replica = undefined
}

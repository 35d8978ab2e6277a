import { CamelCasePlugin, Kysely, PGliteDialect, PostgresDialect } from 'kysely'
import type { Pool } from 'pg'
import type { Tables } from '#db/tables.ts'
import { traceQuery } from '#app/platform/process/tracing.server.ts'
import type { OpenOptions } from './embedded.server.ts'
import type { Opened } from './db.server.ts'
import { createPool, POOL_SIZE } from './postgres-pool.server.ts'

/** The address of a database: a PostgreSQL server, or a folder with an embedded one. */
export type DatabaseLocation = { url: string } | { folder: string }

export type Connection = Opened & {
  /** Only the embedded engine has to learn the types that a migration has created. */
  learnTypes?: () => Promise<void>
  close: () => Promise<void>
}

/** Opens a database without looking at its tables. `mostSilence` is how many milliseconds a server may be silent; 0 is no limit. */
export async function connectDatabase(
  place: DatabaseLocation,
  { mostSilence = 0, ...options }: OpenOptions & { mostSilence?: number } = {},
): Promise<Connection> {
  const plugins = [new CamelCasePlugin({ maintainNestedObjectKeys: true })]
  if ('url' in place) {
    const pool = await openPool(place.url, mostSilence)
    const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), plugins, log: traceQuery })
    const connections = () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount })
    return { kysely, connections, close: () => kysely.destroy() }
  }
  // A process on PostgreSQL never loads the engine.
  const { openEmbedded } = await import('./embedded.server.ts')
  const engine = await openEmbedded(place.folder, options)
  const kysely = new Kysely<Tables>({ dialect: new PGliteDialect({ pglite: engine }), plugins, log: traceQuery })
  return {
    kysely,
    connections: () => ({ open: 1 }),
    copyInto: engine.copyInto,
    learnTypes: () => engine.refreshArrayTypes(),
    async close() {
      await kysely.destroy()
      await engine.close()
    },
  }
}

async function openPool(connectionString: string, mostSilence: number): Promise<Pool> {
  const { types } = await import('pg')
  types.setTypeParser(types.builtins.INT8, Number)
  types.setTypeParser(types.builtins.DATE, String)
  const options =
    '-c statement_timeout=15000 -c lock_timeout=5000 -c idle_in_transaction_session_timeout=30000 -c timezone=UTC -c datestyle=ISO'
  return createPool({ connectionString, max: POOL_SIZE, options }, mostSilence)
}

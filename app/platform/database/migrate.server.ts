import { type Kysely, type QueryExecutorProvider, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { log } from '#app/platform/process/log.server.ts'

const files = import.meta.glob<string>('/db/migrations/*.sql', { query: '?raw', import: 'default', eager: true })

const migrations = Object.fromEntries(Object.entries(files).map(([file, text]) => [path.basename(file, '.sql'), { up: upOf(text) }]))

/** Every migration of this version, in order. */
export const migrationNames = Object.keys(migrations).toSorted()

/** Brings the tables up to date. Of several concurrent starts, one migrates and the others wait. */
export async function migrate<Tables>(database: Kysely<Tables>): Promise<void> {
  if (await isUpToDate(database)) return
  await database
    .withoutPlugins()
    .connection()
    .execute(async (connection) => {
      // The limit is for requests. A process waits for the migration of another one as long as it takes.
      await sql`SET statement_timeout = 0`.execute(connection)
      const migrator = new Migrator({ db: connection, provider: { getMigrations: async () => migrations } })
      const { error, results } = await migrator.migrateToLatest()
      await sql`RESET statement_timeout`.execute(connection)
      if (error) throw error
      for (const { migrationName } of results ?? []) log.debug({ migration: migrationName }, 'migrated')
    })
}

/** Most starts skip the migrator, which takes a lock and reads the whole catalog of tables. */
export async function isUpToDate<Tables>(database: Kysely<Tables>): Promise<boolean> {
  const table = await sql`SELECT to_regclass('kysely_migration') IS NOT NULL AS there`.execute(database)
  if (!isDeepStrictEqual(table.rows, [{ there: true }])) return false
  const done = await sql`SELECT name FROM kysely_migration ORDER BY name`.execute(database)
  return isDeepStrictEqual(
    done.rows,
    migrationNames.map((name) => ({ name })),
  )
}

/** Runs some migrations in a transaction of the caller and records them as done. */
export async function runMigrations(trx: QueryExecutorProvider, names: string[]): Promise<void> {
  for (const name of names) {
    const migration = migrations[name]
    if (!migration) throw new Error(`No migration is called ${name}.`)
    await migration.up(trx)
    await sql`INSERT INTO kysely_migration (name, timestamp) VALUES (${name}, ${new Date().toISOString()})`.execute(trx)
  }
}

function upOf(text: string) {
  return async (trx: QueryExecutorProvider) => {
    // The limit is for requests: a migration of a large table takes as long as it takes.
    await sql`SET LOCAL statement_timeout = 0`.execute(trx)
    for (const statement of statementsOf(text)) await sql.raw(statement).execute(trx)
  }
}

/** Splits a file where a line ends with a semicolon: the embedded engine takes one statement at a time. */
export function statementsOf(file: string): string[] {
  return file
    .split(/;[ \t]*(?:\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement.replaceAll(/^--.*$/gm, '').trim() !== '')
}

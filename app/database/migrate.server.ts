import { type Kysely, type QueryExecutorProvider, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import path from 'node:path'
import { log } from '#app/platform/log.server.ts'

const files = import.meta.glob<string>('/db/migrations/*.sql', { query: '?raw', import: 'default', eager: true })

const migrations = Object.fromEntries(Object.entries(files).map(([file, text]) => [path.basename(file, '.sql'), { up: upOf(text) }]))

/** Every migration that this version knows, in order. */
export const migrationNames = Object.keys(migrations).toSorted()

/** Brings the tables up to date. When several processes start at once, one does it and the others wait. */
export async function migrate<Tables>(database: Kysely<Tables>): Promise<void> {
  const migrator = new Migrator({ db: database.withoutPlugins(), provider: { getMigrations: async () => migrations } })
  const { error, results } = await migrator.migrateToLatest()
  if (error) throw error
  for (const { migrationName } of results ?? []) log.info({ migration: migrationName }, 'migrated')
}

/** Runs some migrations in a transaction of the caller and notes them as done. */
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
    for (const statement of statementsOf(text)) await sql.raw(statement).execute(trx)
  }
}

/** One statement ends where a line ends with a semicolon: the embedded engine takes one at a time. */
export function statementsOf(file: string): string[] {
  return file
    .split(/;[ \t]*(?:\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement.replaceAll(/^--.*$/gm, '').trim() !== '')
}

import { sql } from 'kysely'
import { z } from 'zod'
import { queryRows } from '#app/platform/database/sql.server.ts'
import { createReadStream } from 'node:fs'
import path from 'node:path'
import type { Database, Trx } from '#app/platform/database/db.server.ts'
import { migrate, migrationNames, runMigrations } from '#app/platform/database/migrate.server.ts'
import { OperatorError } from '#app/platform/errors/operator-error.ts'
import { listTables, type CatalogTable } from './catalog.server.ts'
import { digest, type BackupManifest, tableEntry } from './manifest.server.ts'
import { countPhase, type ProgressReport } from './progress.server.ts'
import { linesIn } from '#app/platform/text/lines.ts'
import { insertLines, linesOf, takeYourTime } from './rows.server.ts'

const BATCH = 1000

/** `isNew`: a fresh database with empty tables. */
export type LoadProgress = { report?: ProgressReport | undefined; isNew?: boolean; inTheEnd?: (trx: Trx) => Promise<void> }

/**
 * Replaces the content of a database with the tables of an unpacked archive, in one transaction, and compares every row.
 * An archive of an older version is loaded first and then migrated. `inTheEnd` runs in the same transaction.
 */
export async function loadTables(
  database: Database,
  folder: string,
  manifest: BackupManifest,
  { report = () => undefined, isNew = false, inTheEnd }: LoadProgress = {},
): Promise<void> {
  const unknown = manifest.migrations.find((name) => !migrationNames.includes(name))
  if (unknown) throw new OperatorError(`The backup comes from a newer version (it knows ${unknown}): update first.`)
  await migrate(database)
  await database.transaction().execute(async (trx) => {
    await takeYourTime(trx)
    if (!isNew || manifest.migrations.length < migrationNames.length) await recreateSchema(trx, manifest.migrations)
    const tables = await listTables(trx)
    await switchTriggers(trx, tables, 'DISABLE')
    for (const table of tables) await sql`DELETE FROM ${sql.id(table.name)}`.execute(trx)
    const total = manifest.tables.reduce((sum, { rows }) => sum + rows, 0)
    const loaded = countPhase(report, { phase: 'Loading rows', total, unit: 'rows' })
    const checks = await dropChecks(trx)
    for (const table of tables) await loadTable(trx, table, { folder, manifest, loaded })
    await sql`SET CONSTRAINTS ALL IMMEDIATE`.execute(trx)
    await buildChecks(trx, checks, report)
    await switchTriggers(trx, tables, 'ENABLE')
    const compared = countPhase(report, { phase: 'Comparing every row with the backup', total, unit: 'rows' })
    for (const table of tables) await checkTable(trx, table, manifest, compared)
    await runMigrations(trx, migrationNames.slice(manifest.migrations.length))
    await inTheEnd?.(trx)
  })
}

/** The archive has the rows that triggers of the product would add or change. */
async function switchTriggers(trx: Trx, tables: CatalogTable[], to: 'ENABLE' | 'DISABLE') {
  for (const { name } of tables) await sql`ALTER TABLE ${sql.id(name)} ${sql.raw(to)} TRIGGER USER`.execute(trx)
}

/** Recreates the schema of an older version and drops all other tables of the database. */
async function recreateSchema(trx: Trx, migrations: string[]) {
  for (const { name } of await listTables(trx)) await sql`DROP TABLE ${sql.id(name)} CASCADE`.execute(trx)
  await sql`DELETE FROM kysely_migration`.execute(trx)
  await runMigrations(trx, migrations)
}

async function loadTable(
  trx: Trx,
  table: CatalogTable,
  { folder, manifest, loaded }: { folder: string; manifest: BackupManifest; loaded: (rows: number) => void },
) {
  const promised = manifest.tables.find(({ name }) => name === table.name)
  const columns = table.columns.map(({ name }) => name)
  if (promised?.columns.join() !== columns.join()) {
    throw new OperatorError(`The backup has other columns of ${table.name} than its version should have.`)
  }
  for await (const lines of batchesOf(path.join(folder, tableEntry(table.name)))) {
    await insertLines(trx, table, lines)
    loaded(lines.length)
  }
}

async function checkTable(trx: Trx, table: CatalogTable, manifest: BackupManifest, compared: (rows: number) => void) {
  const entry = manifest.entries.find(({ name }) => name === tableEntry(table.name))
  if ((await digestOfTable(trx, table, compared)) !== entry?.sha256)
    throw new OperatorError(`The loaded rows of ${table.name} differ from the backup. Nothing was changed: try again.`)
}

async function buildChecks(trx: Trx, checks: string[], report: ProgressReport) {
  const built = countPhase(report, { phase: 'Building indexes', total: checks.length, unit: 'indexes' })
  for (const check of checks) {
    await sql.raw(check).execute(trx)
    built(1)
  }
}

/** Drops indexes and foreign keys, which slow down every insert. Returns the statements that create them again after loading. */
async function dropChecks(trx: Trx): Promise<string[]> {
  const rows = await queryRows(
    trx,
    { drop: z.string(), make: z.string() },
    sql`
    SELECT format('DROP INDEX %s', i.indexrelid::regclass) AS drop, pg_get_indexdef(i.indexrelid) AS make
    FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relname NOT LIKE 'kysely\\_%'
      AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid)
    UNION ALL
    SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname),
      format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
    FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace
    ORDER BY 1`,
  )
  for (const { drop } of rows) await sql.raw(drop).execute(trx)
  return rows.map(({ make }) => make)
}

async function* batchesOf(file: string): AsyncGenerator<string[]> {
  let batch: string[] = []
  for await (const line of linesIn(createReadStream(file, 'utf8'))) {
    batch.push(line)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

async function digestOfTable(trx: Trx, table: CatalogTable, compared: (rows: number) => void): Promise<string> {
  const content = digest()
  for await (const lines of linesOf(trx, table)) {
    content.add(`${lines.join('\n')}\n`)
    compared(lines.length)
  }
  return content.end().sha256
}

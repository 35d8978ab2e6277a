import { sql } from 'kysely'
import { createReadStream } from 'node:fs'
import path from 'node:path'
import type { Database, Trx } from '#app/platform/db.server.ts'
import { migrate, migrationNames, runMigrations } from '#app/database/migrate.server.ts'
import { OperatorError } from '#app/platform/operator-error.ts'
import { listTables, type Table } from './catalog.server.ts'
import { digest, type Manifest, tableEntry } from './manifest.server.ts'
import { insertLines, linesOf, takeYourTime } from './rows.server.ts'

const BATCH = 500

/**
 * Replaces everything in a database by the tables of an unpacked archive, in one transaction: all of it, checked row by row, or nothing.
 * An archive of an older version is loaded as it was and then migrated. What is done `inTheEnd` is committed with it.
 */
export async function loadTables(
  database: Database,
  folder: string,
  manifest: Manifest,
  inTheEnd?: (trx: Trx) => Promise<void>,
): Promise<void> {
  const unknown = manifest.migrations.find((name) => !migrationNames.includes(name))
  if (unknown) throw new OperatorError(`The backup comes from a newer version (it knows ${unknown}): update first.`)
  await migrate(database)
  await database.transaction().execute(async (trx) => {
    await takeYourTime(trx)
    await startAfresh(trx, manifest.migrations)
    const tables = await listTables(trx)
    for (const table of tables) await sql`DELETE FROM ${sql.id(table.name)}`.execute(trx)
    for (const table of tables) await loadTable(trx, table, folder, manifest)
    await runMigrations(trx, migrationNames.slice(manifest.migrations.length))
    await inTheEnd?.(trx)
  })
}

/** Tables as an older version had them, and no others: the database belongs to this product alone. */
async function startAfresh(trx: Trx, migrations: string[]) {
  for (const { name } of await listTables(trx)) await sql`DROP TABLE ${sql.id(name)} CASCADE`.execute(trx)
  await sql`DELETE FROM kysely_migration`.execute(trx)
  await runMigrations(trx, migrations)
}

async function loadTable(trx: Trx, table: Table, folder: string, manifest: Manifest) {
  const promised = manifest.tables.find(({ name }) => name === table.name)
  const columns = table.columns.map(({ name }) => name)
  if (promised?.columns.join() !== columns.join()) {
    throw new OperatorError(`The backup has other columns of ${table.name} than its version should have.`)
  }
  for await (const lines of batchesOf(path.join(folder, tableEntry(table.name)))) await insertLines(trx, table, lines)
  const entry = manifest.entries.find(({ name }) => name === tableEntry(table.name))
  if ((await digestOfTable(trx, table)) !== entry?.sha256) throw new OperatorError(`The rows of ${table.name} did not arrive as they left.`)
}

async function* batchesOf(file: string): AsyncGenerator<string[]> {
  let batch: string[] = []
  for await (const line of linesIn(file)) {
    batch.push(line)
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** Node's own reader of lines ends them at other characters too, which JSON may hold. */
async function* linesIn(file: string): AsyncGenerator<string> {
  let rest = ''
  for await (const text of createReadStream(file, 'utf8')) {
    const lines = `${rest}${text}`.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}

async function digestOfTable(trx: Trx, table: Table): Promise<string> {
  const content = digest()
  for await (const lines of linesOf(trx, table)) content.add(`${lines.join('\n')}\n`)
  return content.end().sha256
}

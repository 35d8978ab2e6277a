import { sql } from 'kysely'
import { z } from 'zod'
import { queryRows } from '#app/platform/database/sql.server.ts'
import { createReadStream, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { pack, type Pack } from 'tar-stream'
import type { Database, Trx } from '#app/platform/database/db.server.ts'
import { type CatalogTable, listTables } from './catalog.server.ts'
import type { encryptWith } from './encryption.server.ts'
import { countPhase, type ProgressReport } from './progress.server.ts'
import { digest, MANIFEST, type BackupManifest, tableEntry } from './manifest.server.ts'
import { linesOf, takeYourTime } from './rows.server.ts'

/** A file on the disk, and its name in the archive. */
type Place = { name: string; file: string }
type Dump = Pick<BackupManifest, 'migrations' | 'tables' | 'entries'>
/** `spool` is the folder of the dumped tables. */
export type ArchiveSource = { spool: string; dataDir: string; report: ProgressReport }

/** Folders of DATA_DIR that a backup includes beside the database. */
export const FOLDERS = ['files', 'keys']

/** Writes a consistent snapshot of all tables as text into a folder. */
export async function dumpInto(database: Database, spool: string, report: ProgressReport): Promise<Dump> {
  return database.transaction().execute((trx) => dumpTables(trx, spool, report))
}

/** Writes one compressed archive, encrypted if asked, of the tables in `spool` and of the files and keys in `dataDir`. */
export async function writeArchive(
  dump: Dump,
  { spool, dataDir, report }: ArchiveSource,
  out: Writable,
  encrypt?: ReturnType<typeof encryptWith>,
): Promise<void> {
  const files: Dump['entries'] = []
  const names = filesIn(dataDir)
  const total = names.reduce((sum, name) => sum + statSync(path.join(dataDir, name)).size, 0)
  const read = countPhase(report, { phase: 'Reading files', total, unit: 'bytes' })
  for (const name of names) files.push({ name, ...(await digestOf(path.join(dataDir, name), read)) })
  const createdAt = new Date().toISOString()
  const manifest = { product: 'winnow', format: 1, createdAt, ...dump, entries: [...dump.entries, ...files] } satisfies BackupManifest
  writeFileSync(path.join(spool, MANIFEST), JSON.stringify(manifest, null, 2))
  const written = countPhase(report, { phase: 'Writing the archive', total: sizeOf(manifest), unit: 'bytes' })
  const archive = pack()
  const compress = createGzip({ level: 5 })
  const writing = encrypt ? pipeline(archive, compress, encrypt, out) : pipeline(archive, compress, out)
  await Promise.all([writing, fill(archive, placesOf(manifest, spool, dataDir), written)])
}

function sizeOf({ entries }: BackupManifest): number {
  return entries.reduce((sum, { size }) => sum + size, 0)
}

async function dumpTables(trx: Trx, spool: string, report: ProgressReport): Promise<Dump> {
  await sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY`.execute(trx)
  await takeYourTime(trx)
  mkdirSync(path.join(spool, 'tables'), { mode: 0o700 })
  const dump: Dump = { migrations: await listMigrations(trx), tables: [], entries: [] }
  const tables = await listTables(trx)
  const read = countPhase(report, { phase: 'Reading the database', total: await countRows(trx, tables), unit: 'rows' })
  for (const table of tables) {
    const name = tableEntry(table.name)
    await using file = await open(path.join(spool, name), 'w', 0o600)
    const content = digest()
    let rows = 0
    for await (const lines of linesOf(trx, table)) {
      const text = `${lines.join('\n')}\n`
      await file.appendFile(text)
      content.add(text)
      rows += lines.length
      read(lines.length)
    }
    dump.tables.push({ name: table.name, columns: table.columns.map((column) => column.name), rows })
    dump.entries.push({ name, ...content.end() })
  }
  return dump
}

async function countRows(trx: Trx, tables: CatalogTable[]): Promise<number> {
  let all = 0
  for (const { name } of tables) {
    const rows = await queryRows(trx, { count: z.number() }, sql`SELECT count(*) FROM ${sql.id(name)}`)
    all += rows[0]?.count ?? 0
  }
  return all
}

async function listMigrations(trx: Trx): Promise<string[]> {
  const rows = await queryRows(trx, { name: z.string() }, sql`SELECT name FROM kysely_migration ORDER BY name`)
  return rows.map(({ name }) => name)
}

function filesIn(dataDir: string): string[] {
  return FOLDERS.filter((folder) => existsSync(path.join(dataDir, folder))).flatMap((folder) =>
    readdirSync(path.join(dataDir, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(dataDir, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
      .toSorted(),
  )
}

async function digestOf(file: string, count: (bytes: number) => void): Promise<{ size: number; sha256: string }> {
  const content = digest()
  for await (const chunk of readStream(file)) {
    content.add(chunk)
    count(chunk.length)
  }
  return content.end()
}

function placesOf({ entries }: BackupManifest, spool: string, dataDir: string): Place[] {
  const manifest = { name: MANIFEST, file: path.join(spool, MANIFEST) }
  return [manifest, ...entries.map(({ name }) => ({ name, file: path.join(name.startsWith('tables/') ? spool : dataDir, name) }))]
}

/** Ends the archive, also when a file cannot be read. */
async function fill(archive: Pack, places: Place[], written: (bytes: number) => void) {
  try {
    for (const { name, file } of places) {
      const { size } = statSync(file)
      const content = createReadStream(file).on('data', (chunk) => written(chunk.length))
      await pipeline(content, archive.entry({ name, size, mode: 0o600 }))
    }
    archive.finalize()
  } catch (error) {
    archive.destroy(error instanceof Error ? error : undefined)
    throw error
  }
}

function readStream(file: string): AsyncIterable<Buffer> {
  return createReadStream(file)
}

import { sql } from 'kysely'
import { createReadStream, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Database, Trx } from '#app/platform/database/db.server.ts'
import { listTables } from './catalog.server.ts'
import { digest, MANIFEST, type BackupManifest, tableEntry } from './manifest.server.ts'
import { linesOf, takeYourTime } from './rows.server.ts'
import { type Entry, packTar } from './tar.server.ts'

type Dump = Pick<BackupManifest, 'migrations' | 'tables' | 'entries'>

/** Folders of DATA_DIR that a backup includes beside the database. */
export const FOLDERS = ['files', 'keys']

/** Writes a consistent snapshot of all tables as text into a folder. */
export async function dumpInto(database: Database, spool: string): Promise<Dump> {
  return database.transaction().execute((trx) => dumpTables(trx, spool))
}

/** Writes one compressed archive of the tables in `spool` and of the files and keys in `dataDir`. */
export async function writeArchive(dump: Dump, { spool, dataDir }: { spool: string; dataDir: string }, out: Writable): Promise<void> {
  const files: Dump['entries'] = []
  for (const name of filesIn(dataDir)) files.push({ name, ...(await digestOf(path.join(dataDir, name))) })
  const createdAt = new Date().toISOString()
  const manifest = { product: 'winnow', format: 1, createdAt, ...dump, entries: [...dump.entries, ...files] } satisfies BackupManifest
  writeFileSync(path.join(spool, MANIFEST), JSON.stringify(manifest, null, 2))
  await pipeline(Readable.from(packTar(entriesOf(manifest, spool, dataDir))), createGzip({ level: 5 }), out)
}

async function dumpTables(trx: Trx, spool: string): Promise<Dump> {
  await sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY`.execute(trx)
  await takeYourTime(trx)
  mkdirSync(path.join(spool, 'tables'), { mode: 0o700 })
  const dump: Dump = { migrations: await listMigrations(trx), tables: [], entries: [] }
  for (const table of await listTables(trx)) {
    const name = tableEntry(table.name)
    await using file = await open(path.join(spool, name), 'w', 0o600)
    const content = digest()
    let rows = 0
    for await (const lines of linesOf(trx, table)) {
      const text = `${lines.join('\n')}\n`
      await file.appendFile(text)
      content.add(text)
      rows += lines.length
    }
    dump.tables.push({ name: table.name, columns: table.columns.map((column) => column.name), rows })
    dump.entries.push({ name, ...content.end() })
  }
  return dump
}

async function listMigrations(trx: Trx): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration ORDER BY name`.execute(trx)
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

export async function digestOf(file: string): Promise<{ size: number; sha256: string }> {
  const content = digest()
  for await (const chunk of readStream(file)) content.add(chunk)
  return content.end()
}

async function* entriesOf(manifest: BackupManifest, spool: string, dataDir: string): AsyncGenerator<Entry> {
  const { size } = statSync(path.join(spool, MANIFEST))
  yield { name: MANIFEST, size, content: readStream(path.join(spool, MANIFEST)) }
  for (const { name, size: bytes } of manifest.entries) {
    const place = path.join(name.startsWith('tables/') ? spool : dataDir, name)
    yield { name, size: bytes, content: readStream(place) }
  }
}

function readStream(file: string): AsyncIterable<Buffer> {
  return createReadStream(file)
}

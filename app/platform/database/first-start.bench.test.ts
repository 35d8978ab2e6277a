import { Kysely, PGliteDialect, sql } from 'kysely'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { MAJOR } from './data-folder.server.ts'
import { openEmbedded } from './embedded.server.ts'
import { withSettings } from '#test/settings.ts'
import { migrate, migrationNames, runMigrations } from './migrate.server.ts'

const folders: string[] = []
/** Creating a database takes a while on a busy machine. */
const WHILE_MS = 90_000

function newFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'winnow-first-'))
  folders.push(folder)
  return folder
}

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

test(
  'a first start that was cut off is begun anew: durable, with its tables, and nothing half-made left',
  { timeout: WHILE_MS },
  async () => {
    const folder = newFolder()
    const halfMade = path.join(folder, `${MAJOR}.initialising`)
    mkdirSync(halfMade)
    writeFileSync(path.join(halfMade, 'PG_VERSION'), 'half')

    const engine = await openEmbedded(folder)
    expect(existsSync(halfMade)).toBe(false)
    expect(readdirSync(folder)).toContain(MAJOR)
    const { rows: kept } = await engine.query(
      `SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit, current_setting('full_page_writes') AS pages`,
    )
    expect(kept).toEqual([{ fsync: 'on', commit: 'on', pages: 'on' }])

    // Two concurrent starts create the tables once, and a third finds nothing to do.
    const database = new Kysely<unknown>({ dialect: new PGliteDialect({ pglite: engine }) })
    await Promise.all([migrate(database), migrate(database)])
    await migrate(database)
    const { rows } = await sql<{ name: string }>`SELECT name FROM kysely_migration ORDER BY name`.execute(database)
    expect(rows.map(({ name }) => name)).toEqual(migrationNames)
    await expect(runMigrations(database, ['9999-nothing'])).rejects.toThrow('No migration is called 9999-nothing.')
    await database.destroy()
    await engine.close()
  },
)

test('a folder of another major version is refused with a sentence that says what to do, and unlocked', async () => {
  const folder = newFolder()
  mkdirSync(path.join(folder, 'pg17'))
  const sentence = /holds a database of PostgreSQL 17, this version reads 18: make a backup with the version that wrote it/
  await expect(openEmbedded(folder)).rejects.toThrow(sentence)
  await expect(openEmbedded(folder)).rejects.toThrow(sentence)
  expect(readdirSync(folder).filter((name) => name.startsWith('pg'))).toEqual(['pg17'])
})

test(
  'the process of the first start sends lists of each type, also of one that a migration has created',
  { timeout: WHILE_MS },
  async () => {
    await withSettings({ DATA_DIR: newFolder() }, async () => {
      // The settings are read when they are imported.
      vi.resetModules()
      const { closeDatabase, openDatabase } = await import('./open.server.ts')
      await openDatabase()
      const { db } = await import('./db.server.ts')
      const addresses = ['ada@example.com', 'bob@example.com']
      const { rows } = await sql`SELECT 'Ada@Example.com'::citext = ANY(${addresses}::citext[]) AS found`.execute(db)
      await closeDatabase()
      expect(rows).toEqual([{ found: true }])
    })
  },
)

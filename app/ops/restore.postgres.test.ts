import { sql } from 'kysely'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { closeDatabase, forgetKeys, openDatabase } from '#app/platform/database/open.server.ts'
import { db, insert } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { closeSignals, openSignals } from '#app/platform/database/signals.server.ts'
import { enterAlone } from '#app/platform/database/stage.server.ts'
import { backUp } from './backup.server.ts'
import { restore } from './restore.server.ts'
import { makeContact } from '#test/factories.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'winnow-restore-'))
const file = path.join(folder, 'backup.tar.gz')
// Not the key file itself, which opens the secrets of the database.
const key = path.join(env.DATA_DIR, 'keys/beside.key')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A backup of one person and one key. The installation now has another person and another key. */
beforeEach(async () => {
  rmSync(file, { force: true })
  await openDatabase()
  mkdirSync(path.dirname(key), { recursive: true })
  await holdOnly('Old')
  await backUp(file)
  await holdOnly('New')
  await closeDatabase()
})

async function holdOnly(name: string) {
  await db.deleteFrom('people').execute()
  await insert(db, 'people', { name, email: 'person@example.com' })
  writeFileSync(key, name)
}

/** Tables and keys as a start finds them; they must match. */
async function found() {
  await openDatabase()
  const { rows } = await sql<{ name: string }>`SELECT name FROM people`.execute(db)
  await closeDatabase()
  return [rows.map(({ name }) => name).join(), readFileSync(key, 'utf8')]
}

const leftovers = () => readdirSync(env.DATA_DIR).filter((name) => /^(staged|restor)/.test(name))

test('while a process of the product uses the database nothing is restored, and while something is restored none starts', async () => {
  await openDatabase()
  await openSignals()
  await expect(restore(file, { force: true })).rejects.toThrow('Another process is using this database. Stop all that use it first.')
  await closeSignals()
  await closeDatabase()
  expect(await found()).toEqual(['New', 'New'])

  const leave = await enterAlone(env.DATABASE_URL ?? '')
  await expect(openSignals()).rejects.toThrow('This database is being restored at this moment.')
  await leave()
  await closeSignals()
})

test('tables and keys are replaced together', async () => {
  await restore(file, { force: true })
  expect(await found()).toEqual(['Old', 'Old'])
  expect(leftovers()).toEqual([])
})

test('cut off after the tables were committed, the next start puts the keys to them', async () => {
  const present = readFileSync(key)
  await restore(file, { force: true })
  // The state on disk between the commit and the first rename.
  const stage = await namedStage()
  cpSync(path.join(env.DATA_DIR, 'keys'), path.join(env.DATA_DIR, `staged-${stage}/keys`), { recursive: true })
  mkdirSync(path.join(env.DATA_DIR, `staged-${stage}/tables`))
  writeFileSync(key, present)
  expect(await found()).toEqual(['Old', 'Old'])
  expect(leftovers()).toEqual([])
  expect(existsSync(path.join(env.DATA_DIR, 'tables'))).toBe(false)
})

test('cut off before, what was staged is thrown away, and everything is as it was', async () => {
  const staged = path.join(env.DATA_DIR, `staged-${crypto.randomUUID()}/keys`)
  mkdirSync(staged, { recursive: true })
  writeFileSync(path.join(staged, 'beside.key'), 'Old')
  expect(await found()).toEqual(['New', 'New'])
  expect(leftovers()).toEqual([])
})

async function namedStage() {
  await openDatabase()
  const { rows } = await sql<{ stage: string }>`SELECT obj_description('installation'::regclass) AS stage`.execute(db)
  await closeDatabase()
  return rows[0]?.stage
}

test('a backup whose secrets no present key opens is refused, and nothing changes', async () => {
  await openDatabase()
  await db
    .updateTable('secrets')
    .set({ sealed: Buffer.alloc(60) })
    .where('name', '=', 'root')
    .execute()
  rmSync(file)
  await backUp(file)
  await forgetKeys()
  await closeDatabase()
  await expect(restore(file, { force: true })).rejects.toThrow('The keys in this backup are sealed by another MASTER_KEY.')
  expect(await found()).toEqual(['New', 'New'])
  expect(leftovers()).toEqual([])
})

test('leads come back with their stages, notes and timeline, and their triggers work as before', async () => {
  const desk = async () => {
    const rows = await Promise.all(
      (['leads', 'leadNotes', 'leadEvents', 'leadTasks', 'leadViews', 'leadBatches', 'leadStages', 'personMerges'] as const).map(
        async (table) => (await db.selectFrom(table).selectAll().execute()).map((row) => JSON.stringify(row)).toSorted(),
      ),
    )
    // `O`: enabled.
    const { rows: triggers } = await sql`SELECT tgrelid::regclass::text AS on_table, tgname AS name, tgenabled AS state FROM pg_trigger
      WHERE NOT tgisinternal ORDER BY 1, 2`.execute(db)
    return { rows, triggers }
  }
  await openDatabase()
  const { id } = await makeContact({ name: 'Grace' })
  await db
    .updateTable('leads')
    .set({ stageId: 3, valueCents: 1_000, tags: ['vip'], nextStepAt: new Date() })
    .execute()
  const note = await insert(db, 'leadNotes', { contactId: id, text: '*a*', html: '<em>a</em>' })
  const batch = await insert(db, 'leadBatches', { kind: 'stage' })
  await insert(db, 'leadEvents', { contactId: id, kind: 'note_added', noteId: note.id, detail: '{"a":[1]}' })
  await insert(db, 'leadEvents', { contactId: id, kind: 'stage_changed', batchId: batch.id, detail: '{"from":1,"to":3}' })
  await insert(db, 'leadTasks', { contactId: id, title: 'Call' })
  await insert(db, 'leadViews', { userId: id, name: 'Mine', query: 'q=a' })
  rmSync(file)
  const before = await desk()
  expect(before.triggers).toContainEqual({ onTable: 'contacts', name: 'contacts_keep_lead', state: 'O' })
  await backUp(file)
  await db.deleteFrom('contacts').execute()
  await sql`ALTER TABLE contacts DISABLE TRIGGER USER`.execute(db)
  await closeDatabase()

  await restore(file, { force: true })
  await openDatabase()
  expect(await desk()).toEqual(before)
  const later = await makeContact({ country: 'Peru' })
  expect(await db.selectFrom('leads').select(['country', 'stageId']).where('contactId', '=', later.id).execute()).toEqual([
    { country: 'Peru', stageId: 1 },
  ])
  await closeDatabase()
})

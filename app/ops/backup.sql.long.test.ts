import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { byLength } from '#test/length.ts'
import { sql } from 'kysely'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { db, insert } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { mac } from '#app/platform/guard/keys.server.ts'
import { isContentDurable, isNameDurable, traceFiles } from '#test/trace-files.ts'
import { backUp } from './backup.server.ts'
import { restore } from './restore.server.ts'
import { closeAdminSocket, openAdminSocket } from './running.server.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'winnow-backup-'))
const file = path.join(folder, 'backup.tar.gz')
const upload = path.join(env.DATA_DIR, 'files/pictures/one.png')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

beforeEach(async () => {
  rmSync(file, { force: true })
  await openDatabase()
  for (const table of ['jobs', 'contacts', 'people'] as const) await db.deleteFrom(table).execute()
  await insert(db, 'people', { name: 'Zoë "Z" O\'Neil \\N 雪', email: 'zoe@example.com' })
  await db.insertInto('jobs').values({ id: crypto.randomUUID(), kind: 'odd', payload: 'null', dedupeKey: 'a\tb\r\nc' }).execute()
  await db.insertInto('jobs').values({ id: crypto.randomUUID(), kind: 'odder', payload: '{"deep": [1.10, "\\u2028", null]}' }).execute()
  mkdirSync(path.dirname(upload), { recursive: true })
  writeFileSync(upload, Buffer.from([0, 1, 2, 255]))
})
afterEach(closeDatabase)

/** Every row in the database's text format. */
async function content() {
  const people = await sql`SELECT p::text FROM people p ORDER BY id`.execute(db)
  const jobs = await sql`SELECT j::text FROM jobs j ORDER BY id`.execute(db)
  return { people: people.rows, jobs: jobs.rows }
}

test('what was backed up is restored: rows to the last character, files and keys', async () => {
  const [before, secret] = [await content(), mac('test', 'the same key')]
  await closeDatabase()
  await backUp(file)

  await openDatabase()
  await db.deleteFrom('jobs').execute()
  await db.updateTable('people').set({ name: 'Somebody else' }).execute()
  await closeDatabase()
  rmSync(upload)
  writeFileSync(path.join(env.DATA_DIR, 'keys/master.key'), Buffer.alloc(32))
  await restore(file, { force: true })

  await openDatabase()
  expect(await content()).toEqual(before)
  expect(readFileSync(upload)).toEqual(Buffer.from([0, 1, 2, 255]))
  expect(mac('test', 'the same key')).toEqual(secret)
  expect(readFileSync(path.join(env.DATA_DIR, 'keys/master.key'))).not.toEqual(Buffer.alloc(32))
  expect(readFileSync(path.join(env.DATA_DIR, 'replaced/keys/master.key'))).toEqual(Buffer.alloc(32))
})

test('a running process writes the backup itself', async () => {
  await openAdminSocket(env.DATA_DIR)
  const { tables } = await backUp(file)
  closeAdminSocket(env.DATA_DIR)
  expect(tables.find(({ name }) => name === 'people')?.rows).toBe(1)
})

test('the admin socket refuses a request without its token', async () => {
  await openAdminSocket(env.DATA_DIR)
  const { port }: { port: number } = JSON.parse(readFileSync(path.join(env.DATA_DIR, 'operator.json'), 'utf8'))
  const stranger = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers: { authorization: 'Bearer guess' } })
  closeAdminSocket(env.DATA_DIR)
  expect(stranger.status).toBe(403)
  expect(await stranger.text()).toBe('')
})

test('an installation that holds something is not overwritten without --force', async () => {
  const before = await content()
  await closeDatabase()
  await backUp(file)
  await expect(restore(file, { force: false })).rejects.toThrow('There is something in this installation (table people). Use --force')
  await openDatabase()
  expect(await content()).toEqual(before)
})

let whole: Buffer | undefined
/** One backup for all tests that damage a copy of it; none of them restores it. */
async function writeWhole() {
  if (whole) return writeFileSync(file, whole)
  await backUp(file)
  whole = readFileSync(file)
}

/** What is wrong with a file does not depend on the database, so the slower one sees one fault of each kind, and all at full length. */
const some = <T>(faults: T[]) => (env.DATABASE_URL ? faults : byLength(faults.slice(0, 1), faults))

test.each(
  some([
    ['a row', (tar: Buffer) => tar.write('Z00', tar.indexOf('Zo\u00eb')), 'people.jsonl is not what was backed up: its checksum differs.'],
    ['a file', (tar: Buffer) => tar.writeUInt8(7, tar.indexOf(Buffer.from([0, 1, 2, 255])) + 1), 'one.png is not what was backed up'],
    [
      'the name of a file',
      (tar: Buffer) => tar.write('../..', tar.lastIndexOf('files/pictures') + 6),
      'is not a whole backup: Invalid tar header. Use another backup.',
    ],
  ]),
)('an archive with %s altered is refused, and nothing changes', async (_what, alter, sentence) => {
  const before = await content()
  await closeDatabase()
  await writeWhole()
  const tar = gunzipSync(readFileSync(file))
  alter(tar)
  writeFileSync(file, gzipSync(tar))

  await expect(restore(file, { force: true })).rejects.toThrow(sentence)
  expect(readdirSync(env.DATA_DIR)).not.toContain('restoring')
  await openDatabase()
  expect(await content()).toEqual(before)
  expect(existsSync(upload)).toBe(true)
})

test.each(
  some([
    ['cut short', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
    ['of something else', () => gzipSync('hello')],
    ['no archive at all', () => Buffer.from('hello')],
    ['with something behind it', (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('hello')])],
    ['with zeros behind it', (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(600)])],
  ]),
)('a file %s is refused in one sentence', async (_what, spoil) => {
  await closeDatabase()
  await writeWhole()
  writeFileSync(file, spoil(readFileSync(file)))
  await expect(restore(file, { force: true })).rejects.toThrow(`${file} is not a whole backup: `)
})

test.each(
  some([
    ['two archives, one after the other', (bytes: Buffer) => Buffer.concat([bytes, bytes])],
    ['two archives that were compressed together', (bytes: Buffer) => gzipSync(Buffer.concat([gunzipSync(bytes), gunzipSync(bytes)]))],
    [
      'something behind the archive inside of the compression',
      (bytes: Buffer) => gzipSync(Buffer.concat([gunzipSync(bytes), Buffer.from('hello')])),
    ],
  ]),
)('a backup file with %s is refused, and nothing changes', async (_what, spoil) => {
  const before = await content()
  await closeDatabase()
  await writeWhole()
  writeFileSync(file, spoil(readFileSync(file)))
  await expect(restore(file, { force: true })).rejects.toThrow(`${file} is not a whole backup: `)
  await openDatabase()
  expect(await content()).toEqual(before)
})

test('a finished backup outlives a power cut: its content is on the disk before its name, and its folder after', async () => {
  await closeDatabase()
  const steps = await traceFiles(() => backUp(file))
  expect(isContentDurable(steps, file, /backup\.tar\.gz\.unfinished$/)).toBe(true)
  expect(isNameDurable(steps, file)).toBe(true)
})

test('a backup does not overwrite a file, and leaves nothing half-written', async () => {
  await closeDatabase()
  writeFileSync(file, 'mine')
  await expect(backUp(file)).rejects.toThrow('exists already')
  expect(readFileSync(file, 'utf8')).toBe('mine')
  expect(readdirSync(folder)).toEqual(['backup.tar.gz'])
})

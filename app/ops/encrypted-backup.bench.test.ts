import { Decrypter } from 'age-encryption'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { closeDatabase, openDatabase } from '#app/platform/database/open.server.ts'
import { db, insert } from '#app/platform/database/db.server.ts'
import { env } from '#app/platform/env.server.ts'
import { mac } from '#app/platform/guard/keys.server.ts'
import { backUp } from './backup.server.ts'
import { restore } from './restore.server.ts'
import { drill } from './stored-backup.server.ts'

const PASSPHRASE = vi.hoisted(() => (process.env.BACKUP_PASSPHRASE = 'correct horse battery staple'))
const NAME = 'Zoë "Z" O\'Neil \\N 雪'

const folder = mkdtempSync(path.join(tmpdir(), 'winnow-encrypted-backup-'))
const file = path.join(folder, 'backup.tar.gz.age')
const uploads = path.join(env.DATA_DIR, 'files')
const long = path.join(uploads, 'a'.repeat(90), `${'b'.repeat(50)}.txt`)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function names() {
  await openDatabase()
  const people = await db.selectFrom('people').select('name').execute()
  return people.map(({ name }) => name)
}

test('backups of before November 2026 are read: one is restored, and an encrypted one passes a drill', async () => {
  await restore(path.join(import.meta.dirname, 'earlier-backup.test.tar.gz'), { force: true })
  expect(await names()).toEqual([NAME])
  expect(mac('test', 'the same key').toString('hex')).toMatch(/^0dc40117395c78d9/)
  await closeDatabase()
  expect(readFileSync(path.join(uploads, 'pictures/one.png'))).toEqual(Buffer.from([0, 1, 2, 255]))
  expect(readFileSync(long, 'utf8')).toBe('long')

  const { tables } = await drill(path.join(import.meta.dirname, 'earlier-backup.test.tar.gz.enc'), () => undefined)
  expect(tables.find(({ name }) => name === 'people')?.rows).toBe(1)
})

test('an encrypted backup opens without this product, is restored with its passphrase, and a damaged one changes nothing', async () => {
  await openDatabase()
  await db.deleteFrom('people').execute()
  await insert(db, 'people', { name: NAME, email: 'zoe@example.com' })
  await closeDatabase()
  const wide = path.join(uploads, 'größe/雪.txt')
  mkdirSync(path.dirname(wide), { recursive: true })
  writeFileSync(wide, 'wide')
  await backUp(file)

  // What `age -d backup.tar.gz.age | tar xz` does.
  const decrypter = new Decrypter()
  decrypter.addPassphrase(PASSPHRASE)
  const opened = path.join(folder, 'opened')
  mkdirSync(opened)
  execFileSync('tar', ['xz', '-C', opened], { input: await decrypter.decrypt(readFileSync(file)) })
  expect(readdirSync(opened).toSorted()).toEqual(['files', 'keys', 'manifest.json', 'tables'])
  const [row = ''] = readFileSync(path.join(opened, 'tables/people.jsonl'), 'utf8').trim().split('\n')
  expect(JSON.parse(row)).toContain(NAME)
  expect(readFileSync(path.join(opened, 'files/größe/雪.txt'), 'utf8')).toBe('wide')

  const whole = readFileSync(file)
  writeFileSync(file, whole.subarray(0, -100))
  await openDatabase()
  await db.updateTable('people').set({ name: 'Grace Hopper' }).execute()
  await closeDatabase()
  await expect(restore(file, { force: true })).rejects.toThrow('BACKUP_PASSPHRASE is another one, or the file is damaged.')
  expect(await names()).toEqual(['Grace Hopper'])
  await closeDatabase()
  writeFileSync(file, whole)
  rmSync(wide)
  await restore(file, { force: true })
  expect(await names()).toEqual([NAME])
  await closeDatabase()
  expect(readFileSync(wide, 'utf8')).toBe('wide')
})

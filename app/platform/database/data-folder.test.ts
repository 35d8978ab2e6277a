import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { acceptRestore, finishRestore, lockFolder, makeFolder } from './data-folder.server.ts'

let folder: string

beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'winnow-folder-'))))
afterEach(() => rmSync(folder, { recursive: true }))

const at = (...parts: string[]) => path.join(folder, ...parts)

/** Writes files, given as content by path. */
function write(files: Record<string, string>) {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(at(file)), { recursive: true })
    writeFileSync(at(file), text)
  }
}

const read = (file: string) => readFileSync(at(file), 'utf8')

test('one process holds the folder; the next one reads which, and what to do', () => {
  const unlock = lockFolder(folder)
  expect(() => lockFolder(folder)).toThrow(`Another process is using ${folder}. Stop it first, or give this one a DATA_DIR of its own.`)
  unlock()
  lockFolder(folder)()
})

test('a path that cannot be a folder is refused', () => {
  write({ file: 'no folder' })
  for (const place of [at('file'), at('file', 'below')]) {
    expect(() => makeFolder(place)).toThrow(`DATA_DIR must be a folder that this process may write to, and ${place} is none.`)
  }
  makeFolder(at('new', 'one'))
  expect(existsSync(at('new', 'one'))).toBe(true)
})

test('releasing twice does not harm the next holder', () => {
  const unlock = lockFolder(folder)
  unlock()
  const next = lockFolder(folder)
  unlock()
  expect(() => lockFolder(folder)).toThrow('Another process')
  next()
})

test('without a restore nothing is moved', () => {
  write({ 'pg18/data': 'present', 'keys/master.key': 'key' })
  finishRestore(folder)
  expect(readdirSync(folder).toSorted()).toEqual(['keys', 'pg18'])
})

test('an accepted restore replaces the installation, which is moved aside', () => {
  write({ 'pg18/data': 'old', 'keys/master.key': 'old key', 'coming/pg18/data': 'new', 'coming/keys/master.key': 'new key' })
  acceptRestore(folder, at('coming'))
  expect([read('pg18/data'), read('restored/pg18/data')]).toEqual(['old', 'new'])
  finishRestore(folder)
  expect([read('pg18/data'), read('keys/master.key')]).toEqual(['new', 'new key'])
  expect([read('replaced/pg18/data'), read('replaced/keys/master.key')]).toEqual(['old', 'old key'])
  expect(existsSync(at('restored'))).toBe(false)
})

test('a restore into an empty folder moves nothing aside', () => {
  write({ 'coming/pg18/data': 'new' })
  acceptRestore(folder, at('coming'))
  finishRestore(folder)
  expect(readdirSync(folder)).toEqual(['pg18'])
})

test.each([
  ['before anything was moved', { 'pg18/data': 'old', 'keys/k': 'old', 'restored/pg18/data': 'new', 'restored/keys/k': 'new' }],
  [
    'after the old part was put aside',
    { 'replaced/pg18/data': 'old', 'keys/k': 'old', 'restored/pg18/data': 'new', 'restored/keys/k': 'new' },
  ],
  ['between two parts', { 'replaced/pg18/data': 'old', 'pg18/data': 'new', 'keys/k': 'old', 'restored/keys/k': 'new' }],
  ['after the last part', { 'replaced/pg18/data': 'old', 'replaced/keys/k': 'old', 'pg18/data': 'new', 'restored/keys/k': 'new' }],
])('a restore that was cut off %s is finished at the next start', (_when, files) => {
  write(files)
  finishRestore(folder)
  finishRestore(folder)
  expect([read('pg18/data'), read('keys/k')]).toEqual(['new', 'new'])
  expect([read('replaced/pg18/data'), read('replaced/keys/k')]).toEqual(['old', 'old'])
  expect(existsSync(at('restored'))).toBe(false)
})

test('an installation moved aside by an earlier restore makes room for this one', () => {
  write({ 'replaced/pg18/data': 'oldest', 'replaced/pg18/more': 'oldest', 'pg18/data': 'old', 'restored/pg18/data': 'new' })
  finishRestore(folder)
  expect([read('pg18/data'), read('replaced/pg18/data')]).toEqual(['new', 'old'])
  expect(existsSync(at('replaced/pg18/more'))).toBe(false)
})

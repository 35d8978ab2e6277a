import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makePrivate } from './private-files.server.ts'

let folder: string

beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'winnow-private-'))))
afterEach(() => rmSync(folder, { recursive: true }))

const at = (...parts: string[]) => path.join(folder, ...parts)
const modeOf = (place: string) => (statSync(at(place)).mode & 0o777).toString(8)

/** Creates a folder with one file that everyone may read. */
function addOpenFile(name: string, folderMode: number) {
  mkdirSync(at(name))
  writeFileSync(at(name, 'file'), 'secret')
  chmodSync(at(name, 'file'), 0o644)
  chmodSync(at(name), folderMode)
}

test.each(['pg18', 'pg18.initialising', 'files', 'keys', 'cache', 'unfinished', 'restored', 'replaced'])(
  'open files in the open folder %s are closed, and DATA_DIR with them',
  (name) => {
    addOpenFile(name, 0o755)
    chmodSync(folder, 0o755)
    makePrivate(folder)
    expect([modeOf('.'), modeOf(name), modeOf(`${name}/file`)]).toEqual(['700', '700', '600'])
  },
)

test('of closed folders, those of the database, the files and the cache are not walked', () => {
  const names = ['pg18', 'files', 'cache', 'keys', 'replaced']
  for (const name of names) addOpenFile(name, 0o700)
  makePrivate(folder)
  expect(names.map((name) => modeOf(`${name}/file`))).toEqual(['644', '644', '644', '600', '600'])
})

test('files of the operator and files behind links stay as they are', () => {
  addOpenFile('notes', 0o755)
  addOpenFile('keys', 0o755)
  symlinkSync(at('notes', 'file'), at('keys', 'link'))
  makePrivate(folder)
  expect([modeOf('notes'), modeOf('notes/file'), modeOf('keys/file')]).toEqual(['755', '644', '600'])
})

test('a folder that all users share is refused', () => {
  chmodSync(folder, 0o1777)
  expect(() => makePrivate(folder)).toThrow(`${folder} is shared by all users of this machine.`)
})

import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { env } from '#app/platform/env.server.ts'
import { isContentDurable, isNameDurable, traceFiles } from '#test/trace-files.ts'
import { openFile, putFile, removeFile, type StoredFile } from './storage.server.ts'

const read = async (file: StoredFile | undefined) =>
  file && { size: file.size, text: Buffer.concat(await Array.fromAsync(file.stream)).toString() }
const unfinished = () => readdirSync(path.join(env.DATA_DIR, 'unfinished'))

describe.each([['on disk', async () => ({ openFile, putFile, removeFile })]])('%s', (where, store) => {
  test('a file is kept, read as a whole or in part, replaced and removed', async () => {
    const files = await store()
    await files.putFile('images/a/480.webp', Buffer.from('0123456789'))
    expect(await read(await files.openFile('images/a/480.webp'))).toEqual({ size: 10, text: '0123456789' })
    expect(await read(await files.openFile('images/a/480.webp', { start: 2, end: 4 }))).toEqual({ size: 10, text: '234' })
    await files.putFile('images/a/480.webp', Buffer.from('other'))
    expect(await read(await files.openFile('images/a/480.webp'))).toEqual({ size: 5, text: 'other' })
    await files.removeFile('images/a/480.webp')
    await files.removeFile('images/a/480.webp')
    expect(await files.openFile('images/a/480.webp')).toBeUndefined()
    expect(await files.openFile('images/never/there')).toBeUndefined()
  })

  test.each([
    '',
    '../keys/master.key',
    'a/../b',
    '/etc/passwd',
    'a//b',
    'a/',
    '.a',
    'a/.hidden',
    String.raw`a\b`,
    'a\0',
    'ä',
    'x'.repeat(201),
  ])('no file has the name %j', async (key) => {
    const files = await store()
    const tries = [files.putFile(key, Buffer.from('x')), files.openFile(key), files.removeFile(key)]
    for (const one of await Promise.allSettled(tries)) expect([where, one.status]).toEqual([where, 'rejected'])
  })
})

test('on disk a file is readable by its owner alone, and of many that write one name at once each is whole', async () => {
  const texts = Array.from({ length: 20 }, (_, at) => String(at).repeat(50_000))
  await Promise.all(texts.map((text) => putFile('same', Buffer.from(text))))
  const place = path.join(env.DATA_DIR, 'files/same')
  expect(statSync(place).mode & 0o777).toBe(0o600)
  expect(texts).toContain(readFileSync(place, 'utf8'))
  expect(unfinished()).toEqual([])
})

test('a stored file outlives a power cut: its content is on the disk before its name, and then each new folder above it', async () => {
  const place = path.join(env.DATA_DIR, 'files/new-folder/deeper/picture')
  const steps = await traceFiles(() => putFile('new-folder/deeper/picture', Buffer.from('x')))
  expect(isContentDurable(steps, place, /unfinished\/[\da-f-]{36}$/)).toBe(true)
  expect(isNameDurable(steps, place)).toBe(true)
  const synced = steps.filter(({ what }) => what === 'sync').map((step) => step.place)
  expect(synced).toEqual(expect.arrayContaining(['files/new-folder', 'files'].map((folder) => path.resolve(env.DATA_DIR, folder))))
})

test('a disk that is full is told, and leaves the old file and nothing half', async () => {
  await putFile('kept', Buffer.from('old'))
  const handle = await open(path.join(env.DATA_DIR, 'files/kept'))
  const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  vi.spyOn(Object.getPrototypeOf(handle), 'writeFile').mockRejectedValue(full)
  await handle.close()
  await expect(putFile('kept', Buffer.from('new'))).rejects.toMatchObject({ status: 503, data: expect.stringContaining('no room left') })
  vi.restoreAllMocks()
  expect(await read(await openFile('kept'))).toEqual({ size: 3, text: 'old' })
  expect(unfinished()).toEqual([])
})

test('what else goes wrong on the disk is a bug, not a missing file', async () => {
  rmSync(path.join(env.DATA_DIR, 'files'), { recursive: true, force: true })
  mkdirSync(path.join(env.DATA_DIR, 'files/folder'), { recursive: true })
  await expect(putFile('folder', Buffer.from('x'))).rejects.toThrow(/EISDIR|EEXIST|ENOTEMPTY/)
  expect(unfinished()).toEqual([])
})

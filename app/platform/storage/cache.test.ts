import { existsSync, readdirSync, readFileSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, expect, test } from 'vitest'
import { rm } from 'node:fs/promises'
import { env } from '#app/platform/env.server.ts'
import { copyHere, forgetCopy } from './cache.server.ts'
import { localFile, putFile } from './storage.server.ts'

const folder = path.resolve(env.DATA_DIR, 'cache/files')
const HOUR_MS = 3_600_000

afterEach(async () => rm(folder, { recursive: true, force: true }))

/** A file elsewhere, and how often it was fetched. */
function elsewhere(text: string) {
  const fetched = { times: 0 }
  const open = async () => {
    fetched.times += 1
    return { size: Buffer.byteLength(text), stream: Readable.from([Buffer.from(text)]) }
  }
  return { fetched, open }
}

const lastUsed = (place: string | undefined, ago: number) => utimesSync(place ?? '', (Date.now() - ago) / 1000, 1_700_000_000)
const read = (place: string | undefined) => readFileSync(place ?? '', 'utf8')

test('a file on this machine is where it lies; what lies elsewhere is copied once, however many ask at once, and again after it was forgotten', async () => {
  await putFile('datasets/a/data.parquet', Buffer.from('rows'))
  expect(read(await localFile('datasets/a/data.parquet'))).toBe('rows')
  expect(await localFile('datasets/b/data.parquet')).toBeUndefined()
  await expect(localFile('../keys/master.key')).rejects.toThrow('no name')

  const { fetched, open } = elsewhere('many rows')
  const places = await Promise.all(Array.from({ length: 20 }, () => copyHere('datasets/c', open)))
  expect([new Set(places).size, fetched.times, read(places[0])]).toEqual([1, 1, 'many rows'])
  await copyHere('datasets/c', open)
  expect(fetched.times).toBe(1)
  await forgetCopy('datasets/c')
  expect(read(await copyHere('datasets/c', open))).toBe('many rows')
  expect(fetched.times).toBe(2)
  expect(await copyHere('datasets/d', async () => undefined)).toBeUndefined()
})

test('copies take no more room than they may: the one that was not used for longest goes first, and none that somebody reads', async () => {
  const copy = (key: string) => copyHere(key, elsewhere('0123456789').open, 35)
  const [oldest, old, fresh] = [await copy('one'), await copy('two'), await copy('three')]
  lastUsed(oldest, 3 * HOUR_MS)
  lastUsed(old, 2 * HOUR_MS)
  const fourth = await copy('four')
  expect([oldest, old, fresh, fourth].map((place) => existsSync(place ?? ''))).toEqual([false, true, true, true])
  // Asking again counts as use.
  await copy('two')
  await copy('five')
  expect([old, fresh, fourth].map((place) => existsSync(place ?? ''))).toEqual([true, true, true])
})

test('a copy that does not come whole is not kept, nor what it left, and the next one who asks gets it', async () => {
  const short = async () => ({ size: 100, stream: Readable.from([Buffer.from('half')]) })
  await expect(copyHere('datasets/e', short)).rejects.toThrow('short')
  const broken = async () => ({
    size: 8,
    stream: Readable.from(
      (async function* () {
        yield Buffer.from('half')
        throw new Error('the line is cut')
      })(),
    ),
  })
  await expect(copyHere('datasets/e', broken)).rejects.toThrow('the line is cut')
  expect(readdirSync(folder)).toEqual([])
  expect(read(await copyHere('datasets/e', elsewhere('whole').open))).toBe('whole')
})

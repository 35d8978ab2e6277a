import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { isDiskFull } from '#app/platform/files/disk-room.server.ts'
import { renameDurably } from '#app/platform/files/durable-rename.server.ts'
import { env } from '#app/platform/env.server.ts'
import { log } from '#app/platform/process/log.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { StoredFile } from './disk.server.ts'

/** Bytes that copies of files may take on this machine. */
const MOST_BYTES = 8 * 2 ** 30
/** A copy stays at least this long after its last use, so that its user has time to open it. */
const IN_USE_MS = 15 * 60_000
/** Unfinished files of killed processes are deleted after this time. */
const STALE_MS = 24 * 3600 * 1000

const making = new Map<string, Promise<string | undefined>>()

/** A local copy of a remote file that is never replaced. Concurrent requests share one download; the least recently used copy is evicted first. */
export function copyHere(key: string, open: () => Promise<StoredFile | undefined>, most = MOST_BYTES): Promise<string | undefined> {
  const place = placeOf(key)
  const made = making.get(key) ?? make(place, open, most).finally(() => making.delete(key))
  making.set(key, made)
  return made
}

export async function forgetCopy(key: string): Promise<void> {
  await rm(placeOf(key), { force: true })
}

function placeOf(key: string): string {
  return path.join(folder(), createHash('sha256').update(key).digest('hex'))
}

function folder(): string {
  return path.resolve(env.DATA_DIR, 'cache', 'files')
}

async function make(place: string, open: () => Promise<StoredFile | undefined>, most: number): Promise<string | undefined> {
  if (await touchCopy(place)) return place
  const file = await open()
  if (!file) return undefined
  const unfinished = `${place}.${randomUUID()}`
  try {
    await mkdir(folder(), { recursive: true, mode: 0o700 })
    await makeRoom(folder(), most - file.size)
    await pipeline(file.stream, createWriteStream(unfinished, { mode: 0o600 }))
    if ((await stat(unfinished)).size !== file.size) throw new Error('A copy of a file came in short.')
    await renameDurably(unfinished, place)
    return place
  } catch (error) {
    file.stream.destroy()
    if (!isDiskFull(error)) throw error
    log.error('disk full: there is no room left for copies of files')
    return stop('unavailable', 'There is no room left to read this file. Please try again later.', { retryAfter: 60 })
  } finally {
    await rm(unfinished, { force: true })
  }
}

/**
 * Marks a copy as used through its access time; the modification time stays, because it identifies the content. Returns whether it is
 * there.
 */
export async function touchCopy(place: string): Promise<boolean> {
  const found = await stat(place).catch(() => undefined)
  if (!found) return false
  if (Date.now() - found.atimeMs > 60_000) await utimes(place, new Date(), found.mtime).catch(() => undefined)
  return true
}

/**
 * Deletes the least recently used files of a folder until at most so many bytes are left. Files with a dot in their names are unfinished
 * ones, and those that were used in the last minutes stay.
 */
export async function makeRoom(folder: string, most: number): Promise<void> {
  const names = await readdir(folder)
  const copies = (await Promise.all(names.map((name) => measured(path.join(folder, name))))).toSorted(
    (one, other) => one.usedMs - other.usedMs,
  )
  let bytes = copies.reduce((sum, copy) => sum + copy.bytes, 0)
  for (const { place, bytes: own, usedMs } of copies) {
    const age = Date.now() - usedMs
    const isHalf = path.basename(place).includes('.')
    if (isHalf ? age < STALE_MS : bytes <= most || age < IN_USE_MS) continue
    await rm(place, { force: true })
    bytes -= own
  }
}

async function measured(place: string) {
  const found = await stat(place).catch(() => undefined)
  return { place, bytes: found?.size ?? 0, usedMs: found?.atimeMs ?? Date.now() }
}

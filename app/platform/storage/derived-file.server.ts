import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, statfs } from 'node:fs/promises'
import path from 'node:path'
import { LRUCache } from 'lru-cache'
import { renameDurably } from '#app/platform/files/durable-rename.server.ts'
import { env } from '#app/platform/env.server.ts'
import { log } from '#app/platform/process/log.server.ts'
import { makeRoom, touchCopy } from './cache.server.ts'

/** Bytes that derived files may take on this machine. */
const MOST_BYTES = 8 * 2 ** 30
/** Space that derived files leave to others. */
const SPARED_BYTES = 2 ** 30
/** A failed one is not tried again for this time. */
const PAUSE_MS = 10 * 60_000

const making = new Set<string>()
const failedAt = new LRUCache<string, number>({ max: 1000 })

/**
 * Files that are made from a version to read it faster. They can be made again at any time, so they are in the cache of this machine, and
 * the least recently used ones are deleted. `name` begins with the id of the version and has no dot.
 */
export async function findDerived(name: string): Promise<string | undefined> {
  const place = placeOf(name)
  return (await touchCopy(place)) ? place : undefined
}

export async function listDerived(start: string): Promise<string[]> {
  return (await readdir(folder()).catch(() => [])).filter((name) => name.startsWith(start) && !name.includes('.'))
}

/**
 * Makes one in the background, once at a time, unless the signal aborts. Never throws: without it, rows are read from the file of the
 * version. Returns whether it was made.
 */
export async function makeDerived(
  name: string,
  bytes: number,
  signal: AbortSignal,
  make: (unfinished: string) => Promise<void>,
): Promise<boolean> {
  if (making.has(name) || Date.now() - (failedAt.get(name) ?? -Infinity) < PAUSE_MS) return false
  making.add(name)
  const unfinished = `${placeOf(name)}.${randomUUID()}`
  try {
    await mkdir(folder(), { recursive: true, mode: 0o700 })
    await makeRoom(folder(), MOST_BYTES - bytes)
    const { bavail, bsize } = await statfs(folder())
    if (bavail * bsize < bytes + SPARED_BYTES) throw new Error('There is not enough room for a derived file.')
    await make(unfinished)
    await renameDurably(unfinished, placeOf(name))
    return true
  } catch (error) {
    failedAt.set(name, Date.now())
    if (!signal.aborted) log.warn({ err: error }, 'a file that makes reading rows faster was not made')
    return false
  } finally {
    making.delete(name)
    await rm(unfinished, { force: true }).catch(() => undefined)
  }
}

/** Deletes one that turned out to be unusable. */
export async function dropDerived(name: string): Promise<void> {
  failedAt.set(name, Date.now())
  await removeDerived(name)
}

export async function forgetDerived(versionId: string): Promise<void> {
  for (const name of await listDerived(versionId)) await removeDerived(name)
}

export async function removeDerived(name: string): Promise<void> {
  await rm(placeOf(name), { force: true })
}

function placeOf(name: string): string {
  return path.join(folder(), name)
}

function folder(): string {
  return path.resolve(env.DATA_DIR, 'cache', 'rows')
}

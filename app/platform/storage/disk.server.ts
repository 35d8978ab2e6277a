import { randomUUID } from 'node:crypto'
import { createReadStream, existsSync, fstat, open as openFile } from 'node:fs'
import { chmod, copyFile, link, mkdir, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { isDiskFull } from '#app/platform/files/disk-room.server.ts'
import { syncFile } from '#app/platform/files/durable-rename.server.ts'
import { env } from '#app/platform/env.server.ts'
import { log } from '#app/platform/process/log.server.ts'
import { propertyOf } from '#app/platform/errors/property.ts'
import { stop } from '#app/platform/errors/stop.ts'

export type Range = { start: number; end: number }

/** `size` is that of the whole file, in bytes. */
export type StoredFile = { size: number; stream: Readable }

/** Files by name. Each is stored as a whole or not at all. */
export type FileStore = {
  put: (key: string, bytes: Uint8Array) => Promise<void>
  /** Moves a local file into the store. */
  putFrom: (key: string, file: string) => Promise<void>
  open: (key: string, range?: Range) => Promise<StoredFile | undefined>
  remove: (key: string) => Promise<void>
  /** The path of the file on this machine. */
  local: (key: string) => Promise<string | undefined>
  /** A URL for a direct download, when the store has one. */
  address?: (key: string, file: Fetching) => Promise<string>
  /** Files that arrive in parts, when the store joins them itself. */
  parts?: PartStore
}

/** Multipart uploads. There is no file until `complete`. */
export type PartStore = {
  /** Returns the id of the upload. */
  begin: (key: string) => Promise<string>
  /** Stores a part under its number, from 1, and returns its tag. All but the last part have at least 5 MiB. */
  put: (key: string, uploadId: string, number: number, bytes: Uint8Array) => Promise<string>
  /** Succeeds even when it was completed before. */
  complete: (key: string, uploadId: string, tags: readonly string[]) => Promise<void>
  /** Succeeds even when there was none. */
  abort: (key: string, uploadId: string) => Promise<void>
}

/** A download by URL: file name, media type and lifetime. */
export type Fetching = { fileName: string; mediaType: string; seconds: number }

const openDescriptor = promisify(openFile)
const statDescriptor = promisify(fstat)

/** Unfinished files are in a folder beside the others, so that no backup includes them. */
const UNFINISHED = 'unfinished'

/** Files in DATA_DIR, on this machine. */
export function onDisk(): FileStore {
  const dataDir = path.resolve(env.DATA_DIR)
  const placeOf = (key: string) => path.join(dataDir, 'files', key)
  return {
    put: async (key, bytes) => keep(placeOf(key), path.join(dataDir, UNFINISHED), (unfinished) => write(unfinished, bytes)),
    async putFrom(key, file) {
      await keep(placeOf(key), path.join(dataDir, UNFINISHED), (unfinished) => takeOver(file, unfinished))
      await rm(file, { force: true })
    },
    async open(key, range) {
      const fd = await ifThere(() => openDescriptor(placeOf(key), 'r'))
      return fd === undefined ? undefined : readFrom(fd, range)
    },
    remove: async (key) => rm(placeOf(key), { force: true }),
    // A few microseconds, where a turn of another thread takes ten times as long.
    local: async (key) => (existsSync(placeOf(key)) ? placeOf(key) : undefined),
  }
}

/** Writes aside, syncs to the disk, and only then renames: a power cut leaves the old file or the new one. */
async function keep(place: string, aside: string, make: (unfinished: string) => Promise<void>) {
  const unfinished = path.join(aside, randomUUID())
  try {
    await mkdir(aside, { recursive: true, mode: 0o700 })
    const made = await mkdir(path.dirname(place), { recursive: true, mode: 0o700 })
    await make(unfinished)
    await rename(unfinished, place)
    for (const folder of foldersFrom(path.dirname(place), made)) await syncFile(folder)
  } catch (error) {
    if (!isDiskFull(error)) throw error
    log.error('disk full: there is no room left for files')
    stop('unavailable', 'There is no room left to keep files. Nothing has been changed.', { retryAfter: 60 })
  } finally {
    await rm(unfinished, { force: true })
  }
}

/**
 * Reads by file descriptor. A `FileHandle` that a caller forgets to close ends the whole process when it is
 * garbage collected.
 */
async function readFrom(fd: number, range: Range | undefined): Promise<StoredFile> {
  const stream = createReadStream('', { fd, ...range })
  try {
    const { size } = await statDescriptor(fd)
    return { size, stream }
  } catch (error) {
    stream.destroy()
    throw error
  }
}

async function write(unfinished: string, bytes: Uint8Array) {
  await using file = await open(unfinished, 'wx', 0o600)
  await file.writeFile(bytes)
  await file.sync()
}

/** Hard-links the file where it is on the same disk, so that one of its names always exists; else copies it. */
async function takeOver(given: string, unfinished: string) {
  await link(given, unfinished).catch(async () => copyFile(given, unfinished))
  await chmod(unfinished, 0o600)
  await syncFile(unfinished)
}

/** The folders to sync: a new name outlives a power cut once its folder is synced, a new folder once its parent is. */
function foldersFrom(folder: string, firstMade: string | undefined): string[] {
  if (!firstMade || folder === path.dirname(firstMade)) return [folder]
  return [folder, ...foldersFrom(path.dirname(folder), firstMade)]
}

async function ifThere<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read()
  } catch (error) {
    if (/^(ENOENT|ENOTDIR)$/.test(propertyOf(error, 'code'))) return undefined
    throw error
  }
}

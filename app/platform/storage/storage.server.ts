import { env } from '#app/platform/env.server.ts'
import { copyHere, forgetCopy } from './cache.server.ts'
import { type Fetching, type FileStore, onDisk, type PartStore, type Range, type StoredFile } from './disk.server.ts'

export type { StoredFile } from './disk.server.ts'

let store: Promise<FileStore> | undefined

/** Stores a file under its name, whole or not at all, and replaces an existing one. Stops when there is no room for it. */
export async function putFile(key: string, bytes: Uint8Array): Promise<void> {
  return (await opened()).put(checked(key), bytes)
}

/** Moves a local file into the store: it is gone from its old path. */
export async function putFileFrom(key: string, file: string): Promise<void> {
  return (await opened()).putFrom(checked(key), file)
}

/** A file, or the bytes of it from `start` to `end` (both included); undefined where there is none. Read or destroy its stream. */
export async function openFile(key: string, range?: Range): Promise<StoredFile | undefined> {
  return (await opened()).open(checked(key), range)
}

/** A local path of a file that is never replaced, for libraries that read paths; undefined where there is none. It is valid for minutes only. */
export async function localFile(key: string): Promise<string | undefined> {
  return (await opened()).local(checked(key))
}

/**
 * A URL of the bucket by which anyone can download a file for so many seconds, under the given name; undefined where files are on this
 * machine. The file may not exist.
 */
export async function storageUrl(key: string, file: Fetching): Promise<string | undefined> {
  return (await opened()).address?.(checked(key), file)
}

/** Multipart uploads of the bucket; undefined where files are on this machine. */
export async function partStore(): Promise<PartStore | undefined> {
  return (await opened()).parts
}

/** Succeeds even when there was none. */
export async function removeFile(key: string): Promise<void> {
  return (await opened()).remove(checked(key))
}

/** The S3 client is loaded only where it is used. */
function opened(): Promise<FileStore> {
  store ??= env.S3_ENDPOINT
    ? import('./s3.server.ts').then(({ inBucket }) => inBucket({ copyHere, forgetCopy }))
    : Promise.resolve(onDisk())
  return store
}

const KEY = /^[a-z\d][\w-]*(\.[\w-]+)*(\/[a-z\d][\w-]*(\.[\w-]+)*)*$/

/** The product generates all names, so an invalid one is a bug. */
function checked(key: string): string {
  if (key.length > 200 || !KEY.test(key)) throw new Error('This is no name for a file.')
  return key
}

import { env } from '#app/platform/env.server.ts'
import { copyHere, forgetCopy } from './cache.server.ts'
import { type Fetching, type FileStore, onDisk, type Range, type StoredFile } from './disk.server.ts'

export type { StoredFile } from './disk.server.ts'

let store: Promise<FileStore> | undefined

/** Keeps a file under its name, whole or not at all; another one of that name is replaced. Stops when there is no room for it. */
export async function putFile(key: string, bytes: Uint8Array): Promise<void> {
  return (await opened()).put(checked(key), bytes)
}

/** The same for a file that lies on this machine, which is taken over: it is gone from where it was. */
export async function putFileFrom(key: string, file: string): Promise<void> {
  return (await opened()).putFrom(checked(key), file)
}

/** A file, or the bytes of it from `start` to `end` (both included); nothing where there is none. Its stream has to be read or destroyed. */
export async function openFile(key: string, range?: Range): Promise<StoredFile | undefined> {
  return (await opened()).open(checked(key), range)
}

/** Where a file that is never replaced can be read on this machine, for what reads paths; nothing where there is none. It stays there for minutes, not for ever. */
export async function localFile(key: string): Promise<string | undefined> {
  return (await opened()).local(checked(key))
}

/**
 * An address of the bucket by which anyone can fetch a file for so many seconds, under a name of its own; nothing where files lie on this machine. Whether the
 * file is there is not looked at.
 */
export async function addressOf(key: string, file: Fetching): Promise<string | undefined> {
  return (await opened()).address?.(checked(key), file)
}

/** Done also when there was none. */
export async function removeFile(key: string): Promise<void> {
  return (await opened()).remove(checked(key))
}

/** What speaks S3 is loaded only where it is used. */
function opened(): Promise<FileStore> {
  store ??= env.S3_ENDPOINT
    ? import('./s3.server.ts').then(({ inBucket }) => inBucket({ copyHere, forgetCopy }))
    : Promise.resolve(onDisk())
  return store
}

const KEY = /^[a-z\d][\w-]*(\.[\w-]+)*(\/[a-z\d][\w-]*(\.[\w-]+)*)*$/

/** Names are made by us: what is no plain path below the folder is a mistake of ours. */
function checked(key: string): string {
  if (key.length > 200 || !KEY.test(key)) throw new Error('This is no name for a file.')
  return key
}

import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { env } from '#app/platform/env.server.ts'
import { openFile } from '#app/storage/storage.server.ts'

/** Beside the files, so that no backup takes what is unfinished for one. */
export function workFolder(name: string): string {
  return path.resolve(env.DATA_DIR, 'unfinished', `reading-${name}`)
}

/** A file of the storage as one of this machine. */
export async function localCopy(key: string, folder: string): Promise<string> {
  const stored = await openFile(key)
  if (!stored) throw new Error('The file of a version is not there.')
  await mkdir(path.join(folder, 'given'), { recursive: true, mode: 0o700 })
  const file = path.join(folder, 'given', path.basename(key))
  await pipeline(stored.stream, createWriteStream(file, { mode: 0o600 }))
  return file
}

import { mkdir, open, rm } from 'node:fs/promises'
import path from 'node:path'
import { syncFile } from '#app/platform/files/durable-rename.server.ts'
import { env } from '#app/platform/env.server.ts'
import type { Row } from '#db/tables.ts'
import { PART_BYTES, type StoredParts } from './upload.ts'

/** The place of a partial upload. `stored` is what outlives a power cut; a new one is worth recording after `write` returns true. */
export type UploadTarget = AsyncDisposable & {
  write: (chunk: Uint8Array) => Promise<boolean>
  /** Stores what `write` still holds. */
  flush: () => Promise<void>
  stored: () => { received: number; parts?: StoredParts }
}

/** The partial file of an upload, in the folder that the processes share. */
export function uploadFile(id: string): string {
  return path.resolve(env.DATA_DIR, 'unfinished', `upload-${id}`)
}

/** Opens the file at its recorded end. A killed process may have written more than it recorded: that is overwritten. */
export async function openUploadFile({ id, received }: Row<'datasetUploads'>): Promise<UploadTarget> {
  const file = uploadFile(id)
  const folder = path.dirname(file)
  const isNewFolder = await mkdir(folder, { recursive: true, mode: 0o700 })
  const handle = await open(file, received > 0 ? 'r+' : 'w', 0o600)
  const start = Math.min(received, (await handle.stat()).size)
  let written = start
  let synced = start
  async function flush() {
    if (written === synced) return
    await handle.sync()
    // Only a new file's name still needs to be synced.
    if (synced === 0) await syncFile(folder)
    if (synced === 0 && isNewFolder) await syncFile(path.dirname(folder))
    synced = written
  }
  return {
    async write(chunk) {
      // A nearly full disk takes a part of it.
      for (let at = 0; at < chunk.length;) {
        const { bytesWritten } = await handle.write(chunk, at, chunk.length - at, written)
        at += bytesWritten
        written += bytesWritten
      }
      if (written - synced < PART_BYTES) return false
      await flush()
      return true
    },
    flush,
    stored: () => ({ received: synced }),
    [Symbol.asyncDispose]: () => handle.close(),
  }
}

export async function removeUploadFile(id: string): Promise<void> {
  await rm(uploadFile(id), { force: true })
}

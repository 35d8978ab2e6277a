import { mkdir, open, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { isDiskFull } from '#app/platform/disk-room.server.ts'
import { syncFile } from '#app/platform/durable-rename.server.ts'
import { env } from '#app/platform/env.server.ts'
import { log } from '#app/platform/log.server.ts'
import { stop } from '#app/platform/stop.ts'
import { MOST_PIECE } from './piece.ts'

/** The outcome of a chunk: complete, interrupted, too long, or out of disk space. */
type End = 'whole' | 'cut' | 'tooMuch' | 'full'

/** The partial file of an upload. */
export function uploadFile(id: string): string {
  return path.resolve(env.DATA_DIR, 'unfinished', `upload-${id}`)
}

/**
 * Appends a chunk. Returns what is safely on disk, however the chunk ended; a chunk that is too long leaves nothing. Throws if another
 * process has the start of the file.
 */
export async function writePiece(
  { id, received, bytes }: { id: string; received: number; bytes: number },
  piece: AsyncIterable<unknown>,
): Promise<{ received: number; end: End }> {
  const file = uploadFile(id)
  const folder = path.dirname(file)
  const isNewFolder = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (received > 0 && (await sizeOf(file)) < received) {
    stop('unavailable', 'Another server has the beginning of this file. Try again, or start the upload over.', { retryAfter: 1 })
  }
  await using handle = await open(file, received > 0 ? 'r+' : 'w', 0o600)
  // A killed process may have written more than it recorded.
  await handle.truncate(received)
  const most = Math.min(bytes - received, MOST_PIECE)
  const { written, end } = await pour(piece, most, async (chunk, at) => void (await handle.write(chunk, 0, chunk.length, received + at)))
  const kept = end === 'tooMuch' ? 0 : written
  await handle.truncate(received + kept)
  await handle.sync()
  // Only a new file's name still needs to be synced.
  if (received === 0) await syncFile(folder)
  if (isNewFolder) await syncFile(path.dirname(folder))
  return { received: received + kept, end }
}

async function pour(
  piece: AsyncIterable<unknown>,
  most: number,
  write: (chunk: Buffer, at: number) => Promise<void>,
): Promise<{ written: number; end: End }> {
  let written = 0
  const chunks = piece[Symbol.asyncIterator]()
  for (;;) {
    const next = await chunks.next().catch(() => 'cut' as const)
    if (next === 'cut') return { written, end: 'cut' }
    if (next.done) return { written, end: 'whole' }
    const chunk = Buffer.isBuffer(next.value) ? next.value : Buffer.from(String(next.value))
    if (written + chunk.length > most) {
      await leaveRest(chunks)
      return { written, end: 'tooMuch' }
    }
    try {
      await write(chunk, written)
    } catch (error) {
      if (!isDiskFull(error)) throw error
      log.error('disk full: there is no room left for an upload')
      await leaveRest(chunks)
      return { written, end: 'full' }
    }
    written += chunk.length
  }
}

/** Unread data would precede the next request on the same connection. */
async function leaveRest(chunks: AsyncIterator<unknown>): Promise<void> {
  let isOver: boolean | undefined = false
  while (!isOver)
    isOver = await chunks.next().then(
      ({ done }) => done,
      () => true,
    )
}

async function sizeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  )
}

export async function removeUploadFile(id: string): Promise<void> {
  await rm(uploadFile(id), { force: true })
}

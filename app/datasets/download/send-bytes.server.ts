import { open } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { env } from '#app/platform/env.server.ts'
import type { ByteRange } from './byte-range.ts'

/** Large enough for few calls, small enough for many connections. */
const CHUNK = 256 * 1024

/** The location of `DATA_DIR/files` in the configuration of nginx. It is internal, so that no client can open it. */
const INTERNAL = '/stored-files/'

/** Headers that tell a reverse proxy to send a stored file, and its range, in place of this process. Files in a bucket are not on its disk. */
export function offloadHeaders(storageKey: string, place: string): Record<string, string> | undefined {
  if (!env.FILE_OFFLOAD || env.S3_ENDPOINT) return undefined
  return env.FILE_OFFLOAD === 'x-accel' ? { 'x-accel-redirect': INTERNAL + storageKey } : { 'x-sendfile': place }
}

/**
 * Sends a range of a file, no faster than the client reads it. A file that is shorter than announced closes the connection, because the
 * client would wait.
 */
export async function sendBytes(place: string, response: ServerResponse, { start, end }: ByteRange): Promise<void> {
  if (end < start) return void response.end()
  try {
    await using file = await open(place)
    const bytes = file.createReadStream({ start, end, highWaterMark: CHUNK, autoClose: false })
    await pipeline(bytes, response, { end: false })
    if (bytes.bytesRead < end - start + 1) response.destroy()
    else response.end()
  } catch (error) {
    // The client has disconnected.
    if (response.destroyed) return
    response.destroy()
    throw error
  }
}

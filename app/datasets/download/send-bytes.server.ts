import { open } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
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
 * client would wait. One buffer serves the whole response: a stream would leave a new one to the garbage collector for each chunk.
 */
export async function sendBytes(place: string, response: ServerResponse, { start, end }: ByteRange): Promise<void> {
  if (end < start) return void response.end()
  try {
    await using file = await open(place)
    const buffer = Buffer.allocUnsafeSlow(Math.min(CHUNK, end - start + 1))
    for (let at = start; at <= end;) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, end - at + 1), at)
      if (bytesRead === 0) return void response.destroy()
      if (!(await written(response, buffer.subarray(0, bytesRead)))) return
      at += bytesRead
    }
    response.end()
  } catch (error) {
    // The client has disconnected.
    if (response.destroyed) return
    response.destroy()
    throw error
  }
}

/**
 * Resolves when the system has taken the bytes, so that nothing reads their buffer any more, with whether it has: false once the
 * connection has closed, when the system may still read it.
 */
function written(response: ServerResponse, bytes: Buffer): Promise<boolean> {
  return new Promise((resolve) => {
    if (response.destroyed) return resolve(false)
    const leave = () => resolve(false)
    response.once('close', leave)
    response.write(bytes, (error) => {
      response.off('close', leave)
      resolve(!error && !response.destroyed)
    })
  })
}

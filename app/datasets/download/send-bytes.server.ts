import { open } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { ByteRange } from './byte-range.ts'

/** Large enough for few calls, small enough for many connections. */
const CHUNK = 256 * 1024

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

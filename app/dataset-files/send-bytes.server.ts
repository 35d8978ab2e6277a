import { open } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import type { ByteRange } from './byte-range.ts'

/** Large enough for few calls, small enough for many readers at once: each of them has one. */
const PIECE = 512 * 1024

/**
 * Sends a part of a file. One piece of memory serves for all of it: it is filled again when the system has taken what was in it, so a reader who stops reading
 * holds no more than that. A file that is shorter than was said ends the connection, because the reader would wait.
 */
export async function sendBytes(place: string, response: ServerResponse, { start, end }: ByteRange): Promise<void> {
  const file = await open(place)
  try {
    const piece = Buffer.allocUnsafeSlow(Math.max(1, Math.min(PIECE, end - start + 1)))
    let at = start
    while (at <= end && !response.destroyed) {
      const { bytesRead } = await file.read(piece, 0, Math.min(piece.length, end - at + 1), at)
      if (bytesRead === 0) return void response.destroy()
      await taken(response, bytesRead === piece.length ? piece : piece.subarray(0, bytesRead))
      at += bytesRead
    }
    response.end()
  } catch (error) {
    response.destroy()
    throw error
  } finally {
    await file.close()
  }
}

/** Done when the system has the bytes, or the reader has gone. */
function taken(response: ServerResponse, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    response.write(bytes, () => resolve())
  })
}

import { type FileHandle, open } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import type { ByteRange } from './byte-range.ts'
import type { SystemSend } from './system-send.server.ts'

/** Large enough for few calls, small enough for many connections: each has one buffer. */
const PIECE = 512 * 1024
/** Between two parts sent by `sendfile`: just enough to learn when the connection accepts more. */
const SMALL_PIECE = 16 * 1024

/**
 * Sends a range of a file. Parts in the page cache go by `sendfile`. The rest uses one buffer per connection, refilled once the system
 * has taken it, so a stalled client holds no more memory than that. A file that is shorter than announced closes the connection, because
 * the client would wait.
 */
export async function sendBytes(
  place: string,
  response: ServerResponse,
  { start, end }: ByteRange,
  system: SystemSend | undefined,
): Promise<void> {
  await using file = await open(place)
  try {
    const read = reader(file, system)
    let at = start
    while (at <= end && !response.destroyed) {
      const bytes = await read(at, end - at + 1)
      if (bytes.length === 0) return void response.destroy()
      await taken(response, bytes)
      at += bytes.length
      at += system?.send(descriptorOf(response), file.fd, at, end - at + 1) ?? 0
    }
    response.end()
  } catch (error) {
    response.destroy()
    throw error
  }
}

/**
 * Reads the next bytes from an offset: few if they are cached, because `sendfile` sends the following ones. They are valid until the next
 * read.
 */
function reader(file: FileHandle, system: SystemSend | undefined) {
  const small = Buffer.allocUnsafeSlow(SMALL_PIECE)
  let large: Buffer | undefined
  return async (at: number, length: number): Promise<Buffer> => {
    const atHand = system?.read(file.fd, at, small.subarray(0, length)) ?? 0
    if (atHand > 0) return small.subarray(0, atHand)
    large ??= Buffer.allocUnsafeSlow(Math.min(PIECE, length))
    const { bytesRead } = await file.read(large, 0, Math.min(large.length, length), at)
    return large.subarray(0, bytesRead)
  }
}

/** Resolves when the system has the bytes or the client has disconnected: writing to a closed connection reports nothing. */
function taken(response: ServerResponse, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('close', done)
      resolve()
    }
    response.once('close', done)
    response.write(bytes, done)
  })
}

/** The connection's file descriptor; below zero if it has none. */
function descriptorOf({ socket }: ServerResponse): number {
  const handle: unknown = socket && Reflect.get(socket, '_handle')
  const descriptor: unknown = typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'fd') : undefined
  return typeof descriptor === 'number' ? descriptor : -1
}

import { type FileHandle, open } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import type { ByteRange } from './byte-range.ts'
import type { SystemSend } from './system-send.server.ts'

/** Large enough for few calls, small enough for many readers at once: each of them has one. */
const PIECE = 512 * 1024
/** Between two parts that the system sends: just enough to be told when the connection takes more. */
const SMALL_PIECE = 16 * 1024

/**
 * Sends a part of a file. What of it is in memory is sent by the system itself. For the rest one piece of memory serves: it is filled again when the system has
 * taken what was in it, so a reader who stops reading holds no more than that. A file that is shorter than was said ends the connection, because the
 * reader would wait.
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

/** Answers the next bytes from a place on: few when they are at hand, for more of them follow without us. They are good until the next ones are asked for. */
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

/** Done when the system has the bytes, or the reader has gone: a connection that ended says nothing of what is written to it then. */
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

/** Of the connection; below zero when there is none of the system's. */
function descriptorOf({ socket }: ServerResponse): number {
  const handle: unknown = socket && Reflect.get(socket, '_handle')
  const descriptor: unknown = typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'fd') : undefined
  return typeof descriptor === 'number' ? descriptor : -1
}

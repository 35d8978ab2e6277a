import type { FastifyReply, FastifyRequest } from 'fastify'
import { PackedText, release } from '#app/datasets/rows/packed-text.server.ts'
import type { WrittenPage } from '#app/datasets/rows/rows.server.ts'
import { beginRawResponse, written } from '#app/platform/http/raw-response.server.ts'
import { acceptedEncodings } from '#app/platform/page-cache/static-content.server.ts'
import type { Caller } from './caller.server.ts'
import { quotaHeaders } from './quota-headers.ts'

/** More is sent in pieces: joining them would cost as much as reading them. */
const WHOLE_BYTES = 256 * 1024

/** A body in parts. It can be read once, and its buffers belong to the reader. */
export type PageBody = { bytes: number; pieces: () => Iterable<Buffer>; isGzip: boolean }

/** A page of rows as JSON: the rows as the engine wrote them and, for a client that accepts gzip, as they are stored. */
export function pageBody({ json, nextCursor }: WrittenPage, version: number, acceptEncoding: string | undefined): PageBody {
  const start = Buffer.from('{"data":[')
  const end = Buffer.from(`],"nextCursor":${JSON.stringify(nextCursor)},"version":${version}}`)
  const isStored = json instanceof PackedText
  const packed = isStored && acceptEncoding && acceptedEncodings(acceptEncoding).gzip ? json.gzip(start, end) : undefined
  if (packed) return { bytes: packed.reduce((sum, { length }) => sum + length, 0), pieces: () => packed, isGzip: true }
  const pieces = function* () {
    yield start
    yield* isStored ? json.pieces() : [json]
    yield end
  }
  return { bytes: start.length + (isStored ? json.bytes : json.length) + end.length, pieces, isGzip: false }
}

/** Sends a body no faster than the client reads it. At any time, one piece of it is unpacked. */
export async function sendPageBody(request: FastifyRequest, reply: FastifyReply, body: PageBody, { key, used }: Caller) {
  if (body.isGzip) reply.header('content-encoding', 'gzip')
  if (body.bytes <= WHOLE_BYTES) {
    const pieces = [...body.pieces()]
    const whole = Buffer.concat(pieces)
    for (const piece of pieces) release(piece)
    return reply.send(whole)
  }
  // A raw response bypasses the hook that adds them elsewhere.
  if (key) reply.headers(quotaHeaders(used, key.monthlyQuota))
  const response = beginRawResponse(request, reply.header('content-length', body.bytes))
  try {
    for (const piece of request.method === 'HEAD' ? [] : body.pieces()) {
      // A piece that the system has not taken yet must stay, even after the client has left.
      if (!(await written(response, piece))) return reply
      release(piece)
    }
    response.end()
  } catch (error) {
    response.destroy()
    throw error
  }
  return reply
}

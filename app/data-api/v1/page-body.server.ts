import { negotiate } from '@fastify/accept-negotiator'
import { PackedText } from '#app/datasets/rows/packed-text.server.ts'
import type { WrittenPage } from '#app/datasets/rows/rows.server.ts'

/** A body in parts. It can be read once, and its buffers belong to the reader. */
export type PageBody = { bytes: number; pieces: () => Iterable<Buffer>; isGzip: boolean }

/** A page of rows as JSON: the rows as the engine wrote them and, for a client that accepts gzip, as they are stored. */
export function pageBody({ json, nextCursor }: WrittenPage, version: number, acceptEncoding: string | undefined): PageBody {
  const start = Buffer.from('{"data":[')
  const end = Buffer.from(`],"nextCursor":${JSON.stringify(nextCursor)},"version":${version}}`)
  const isStored = json instanceof PackedText
  const packed = isStored && acceptEncoding && negotiate(acceptEncoding, ['gzip']) ? json.gzip(start, end) : undefined
  if (packed) return { bytes: packed.reduce((sum, { length }) => sum + length, 0), pieces: () => packed, isGzip: true }
  const pieces = function* () {
    yield start
    yield* isStored ? json.pieces() : [json]
    yield end
  }
  return { bytes: start.length + (isStored ? json.bytes : json.length) + end.length, pieces, isGzip: false }
}

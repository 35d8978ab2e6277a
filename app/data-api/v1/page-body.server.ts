import { negotiate } from '@fastify/accept-negotiator'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { WrittenPage } from '#app/datasets/rows/rows.server.ts'

/** A body in parts, and its length in bytes. */
export type PageBody = { bytes: number; pieces: () => Iterable<string> }

const pack = promisify(gzip)

/** A shorter page is sent in a few packets anyway. */
const PACKED_FROM = 4096

/** A page of rows as JSON: the rows as they are stored, with a comma after each but the last. */
export function pageBody({ lines, rows, nextCursor }: WrittenPage, version: number): PageBody {
  const start = '{"data":['
  const end = `],"nextCursor":${JSON.stringify(nextCursor)},"version":${version}}`
  const between = ',\n'
  const pieces = function* () {
    yield start
    let before = ''
    for (const piece of lines.pieces()) {
      yield before + piece.slice(0, -1).replaceAll('\n', between)
      before = between
    }
    yield end
  }
  const rowBytes = rows === 0 ? 0 : lines.bytes + (rows - 1) * (between.length - 1) - 1
  return { bytes: start.length + rowBytes + end.length, pieces }
}

export function isPacked({ bytes }: PageBody, acceptEncoding: string | undefined): boolean {
  return bytes >= PACKED_FROM && acceptEncoding !== undefined && negotiate(acceptEncoding, ['gzip']) === 'gzip'
}

export function whole({ pieces }: PageBody): string {
  return [...pieces()].join('')
}

/** The fastest level, because a page is packed again for each request. */
export function packed(body: PageBody): Promise<Buffer> {
  return pack(whole(body), { level: 1 })
}

import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { StaticContent } from './static-content.server.ts'

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

/** One page that is the same for every anonymous visitor. */
export type CachedPage = {
  path: string
  tags: readonly string[]
  freshUntil: number
  /** Whether it was requested since the last eviction pass. */
  used: boolean
  content: StaticContent
}

/** An upper limit, so that a missed invalidation corrects itself. */
const LIFE_MS = 10 * 60_000

/** Prepares a rendered page, with its final headers, to be sent many times. */
export async function toCachedPage(path: string, response: Response, tags: readonly string[]): Promise<CachedPage> {
  const plain = Buffer.from(await response.arrayBuffer())
  const [br, zipped] = await Promise.all([
    compressBrotli(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length } }),
    compressGzip(plain, { level: 9 }),
  ])
  const headers = { ...Object.fromEntries(response.headers), vary: 'Accept-Encoding, Cookie, Authorization' }
  const content = new StaticContent(headers, { identity: plain, br, gzip: zipped })
  return { path, tags, freshUntil: Date.now() + LIFE_MS, used: false, content }
}

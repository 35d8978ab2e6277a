import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { ReadyContent } from './ready-content.server.ts'

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

/** One page that is the same for every stranger. */
export type KeptPage = {
  path: string
  tags: readonly string[]
  freshUntil: number
  /** Whether someone has asked for it since it was last looked at for room. */
  used: boolean
  content: ReadyContent
}

/** Pages live this long even when nobody clears them: whatever else went wrong, they right themselves. */
const LIFE_MS = 10 * 60_000

/** What was rendered, with every header that it is to have, made ready to be sent many times. */
export async function toKeptPage(path: string, response: Response, tags: readonly string[]): Promise<KeptPage> {
  const plain = Buffer.from(await response.arrayBuffer())
  const [br, zipped] = await Promise.all([
    compressBrotli(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length } }),
    compressGzip(plain, { level: 9 }),
  ])
  const headers = { ...Object.fromEntries(response.headers), vary: 'Accept-Encoding, Cookie, Authorization' }
  const content = new ReadyContent(headers, { identity: plain, br, gzip: zipped })
  return { path, tags, freshUntil: Date.now() + LIFE_MS, used: false, content }
}

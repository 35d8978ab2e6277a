import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import { isHost } from '#app/platform/http/host-header.server.ts'

/** A typical browser request: a GET without a body, on a keep-alive connection. Of its headers, only those that affect the response. */
export type PlainRequest = { method: 'GET'; url: string; headers: IncomingHttpHeaders; socket: Socket }

/** Bytes. Browsers need far less; longer requests are rare enough for the ordinary path. */
const LONGEST = 4096

const SHAPE = /^GET (\/[!-~]*) HTTP\/1\.1\r\n(?:[\w-]+: [!-~][ -~]*\r\n)+\r\n$/

/** Read, each at most once. */
const read = new Set([
  'host',
  'cookie',
  'authorization',
  'accept-encoding',
  'if-none-match',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
])

/** A request with one of these wants more from the connection than a response. */
const careful = new Set(['content-length', 'transfer-encoding', 'upgrade', 'expect', 'te', 'trailer', 'http2-settings'])

/**
 * Reads a piece of a connection that is exactly one plain request, whole and nothing after it. Everything else, and everything ambiguous,
 * is `undefined`: it belongs to Node's own parser. So this recognizes, and never interprets.
 */
export function readPlainRequest(bytes: Buffer, socket: Socket): PlainRequest | undefined {
  if (bytes.length > LONGEST) return undefined
  const text = bytes.toString('latin1')
  const url = SHAPE.exec(text)?.[1]
  if (url === undefined) return undefined
  const headers = headersIn(text)
  return headers?.host === undefined || !isHost(headers.host) ? undefined : { method: 'GET', url, headers, socket }
}

/** The text has the right shape: each line ends, and has its colon. */
function headersIn(text: string): IncomingHttpHeaders | undefined {
  const headers: IncomingHttpHeaders = {}
  for (let start = text.indexOf('\r\n') + 2; start < text.length - 2;) {
    const [colon, end] = [text.indexOf(':', start), text.indexOf('\r\n', start)]
    const name = text.slice(start, colon).toLowerCase()
    if (careful.has(name)) return undefined
    // Node reads both in the same way.
    if (/^(?:proxy-)?connection$/.test(name) && text.slice(colon + 2, end).toLowerCase() !== 'keep-alive') return undefined
    if (read.has(name)) {
      if (name in headers) return undefined
      headers[name] = text.slice(colon + 2, end).trimEnd()
    }
    start = end + 2
  }
  return headers
}

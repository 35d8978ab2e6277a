import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { PlainRequest } from './plain-request.server.ts'
import { StaticResponse } from './static-response.server.ts'

/** The same content in each encoding. Content that does not shrink has one form only. */
export type Encoded = { identity: Buffer; br?: Buffer; gzip?: Buffer }

/** A page or a file in each encoding, ready to be sent without further work. */
export class StaticContent {
  readonly bytes: number
  readonly etag: string
  #plain: Buffer
  #unchanged: StaticResponse
  #identity: StaticResponse
  #br: StaticResponse | undefined
  #gzip: StaticResponse | undefined

  constructor(given: Readonly<Record<string, string>>, { identity, br, gzip }: Encoded) {
    this.#plain = identity
    this.bytes = identity.length + (br?.length ?? 0) + (gzip?.length ?? 0)
    // Weak, because one tag covers all encodings.
    this.etag = `W/"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`
    const headers = { ...given, etag: this.etag }
    this.#unchanged = new StaticResponse(304, headers)
    this.#identity = new StaticResponse(200, headers, identity)
    this.#br = br && new StaticResponse(200, { ...headers, 'content-encoding': 'br' }, br)
    this.#gzip = gzip && new StaticResponse(200, { ...headers, 'content-encoding': 'gzip' }, gzip)
  }

  get text(): string {
    return this.#plain.toString()
  }

  /** Sends it, or 304 when the browser has it already. Returns the status. */
  send({ headers, method }: IncomingMessage, response: ServerResponse, requestId: string): number {
    return this.#answerTo(headers).send(response, requestId, { withBody: method !== 'HEAD' })
  }

  /** `send`, directly on the connection. */
  write({ headers, socket }: PlainRequest, requestId: string): number {
    return this.#answerTo(headers).write(socket, requestId)
  }

  #answerTo(headers: IncomingHttpHeaders): StaticResponse {
    const known = headers['if-none-match']
    return known !== undefined && this.#isKnown(known) ? this.#unchanged : this.#formFor(headers['accept-encoding'])
  }

  #isKnown(known: string): boolean {
    if (known === this.etag || known === '*') return true
    return known.split(',').some((one) => one.trim() === this.etag || `W/${one.trim()}` === this.etag)
  }

  #formFor(accept: string | string[] | undefined): StaticResponse {
    const { br, gzip } = typeof accept === 'string' ? acceptedEncodings(accept) : nothing
    return (br && this.#br) || (gzip && this.#gzip) || this.#identity
  }
}

type Accepted = { br: boolean; gzip: boolean }

const nothing: Accepted = { br: false, gzip: false }

/** Browsers send a handful of different headers, so each is parsed once. */
const understood = new Map<string, Accepted>()

/** The encodings in a header `Accept-Encoding`. */
export function acceptedEncodings(accept: string): Accepted {
  const known = understood.get(accept)
  if (known) return known
  const accepted = { br: accepts(accept, 'br'), gzip: accepts(accept, 'gzip') }
  if (understood.size < 200) understood.set(accept, accepted)
  return accepted
}

function accepts(accept: string, encoding: 'br' | 'gzip'): boolean {
  return new RegExp(`(^|[\\s,])${encoding}\\s*(;\\s*q=(?!0(\\.0*)?\\s*(,|$))|,|$)`, 'i').test(accept)
}

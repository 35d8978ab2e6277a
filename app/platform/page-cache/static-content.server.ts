import { negotiate } from '@fastify/accept-negotiator'
import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** The same content in each encoding. Content that does not shrink has one form only. */
export type Encoded = { identity: Buffer; br?: Buffer; gzip?: Buffer }

type Form = { headers: readonly string[]; body: Buffer }

/** A page or a file in each encoding, ready to be sent without further work. */
export class StaticContent {
  readonly bytes: number
  readonly etag: string
  readonly #unchanged: readonly string[]
  readonly #identity: Form
  readonly #compressed: ReadonlyMap<string, Form>
  readonly #encodings: string[]

  constructor(given: Readonly<Record<string, string>>, { identity, br, gzip }: Encoded) {
    this.bytes = identity.length + (br?.length ?? 0) + (gzip?.length ?? 0)
    // Weak, because one tag covers all encodings.
    this.etag = `W/"${createHash('sha256').update(identity).digest('base64url').slice(0, 22)}"`
    this.#unchanged = Object.entries({ ...given, etag: this.etag }).flat()
    this.#identity = this.#formOf(identity)
    this.#compressed = new Map(
      Object.entries({ br, gzip }).flatMap(([name, body]) => (body ? [[name, this.#formOf(body, 'content-encoding', name)]] : [])),
    )
    this.#encodings = [...this.#compressed.keys()]
  }

  get text(): string {
    return this.#identity.body.toString()
  }

  /** Sends it, or 304 when the browser has it already. Returns the status. */
  send({ headers, method }: IncomingMessage, response: ServerResponse, requestId: string): number {
    const known = headers['if-none-match']
    if (known !== undefined && this.#isKnown(known)) {
      response.writeHead(304, ['x-request-id', requestId, ...this.#unchanged]).end()
      return 304
    }
    const { headers: lines, body } = this.#formFor(headers['accept-encoding'])
    response.writeHead(200, ['x-request-id', requestId, ...lines]).end(method === 'HEAD' ? undefined : body)
    return 200
  }

  #isKnown(known: string): boolean {
    if (known === this.etag || known === '*') return true
    return known.split(',').some((one) => one.trim() === this.etag || `W/${one.trim()}` === this.etag)
  }

  #formOf(body: Buffer, ...encoding: string[]): Form {
    return { body, headers: [...this.#unchanged, ...encoding, 'content-length', String(body.length)] }
  }

  #formFor(accept: string | string[] | undefined): Form {
    const encoding = typeof accept === 'string' ? negotiate(accept, this.#encodings) : null
    return (encoding && this.#compressed.get(encoding)) || this.#identity
  }
}

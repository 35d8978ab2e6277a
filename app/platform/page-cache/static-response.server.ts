import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Seconds for which an idle connection stays open; part of each response. */
export const KEEP_ALIVE_SECONDS = 72

/** A response that is sent many times, with all its headers. */
export class StaticResponse {
  #status: number
  #start: string
  #headers: readonly string[]
  #body: Buffer
  #bytes = Buffer.alloc(0)
  #bytesOf = { second: 0, idLength: 0 }

  constructor(status: 200 | 304, headers: Readonly<Record<string, string>>, body: Buffer = Buffer.alloc(0)) {
    const length = status === 304 ? {} : { 'content-length': String(body.length) }
    this.#status = status
    this.#start = `HTTP/1.1 ${status} ${status === 200 ? 'OK' : 'Not Modified'}\r\nx-request-id: `
    this.#headers = Object.entries({ ...headers, ...length }).flat()
    this.#body = body
  }

  /** Sends it through Node's own response. */
  send(response: ServerResponse, requestId: string, { withBody }: { withBody: boolean }): number {
    response.writeHead(this.#status, ['x-request-id', requestId, ...this.#headers])
    if (withBody) response.end(this.#body)
    else response.end()
    return this.#status
  }

  /**
   * Writes it, headers and body in one piece, on a keep-alive connection. Responses of one second differ only in their IDs, so they share
   * their bytes.
   */
  write(socket: Socket, requestId: string): number {
    const second = Math.floor(Date.now() / 1000)
    if (this.#bytesOf.second !== second || this.#bytesOf.idLength !== requestId.length) this.#make(second, requestId)
    else this.#bytes.write(requestId, this.#start.length, 'latin1')
    socket.write(this.#bytes)
    // Bytes that are queued for a slow client must not be reused.
    if (socket.writableLength > 0) this.#bytesOf.second = 0
    return this.#status
  }

  #make(second: number, requestId: string) {
    const lines = [`${this.#start}${requestId}`]
    for (let at = 0; at < this.#headers.length; at += 2) lines.push(`${this.#headers[at]}: ${this.#headers[at + 1]}`)
    lines.push(`Date: ${new Date(second * 1000).toUTCString()}`, 'Connection: keep-alive', `Keep-Alive: timeout=${KEEP_ALIVE_SECONDS}`)
    this.#bytes = Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), this.#body])
    this.#bytesOf = { second, idLength: requestId.length }
  }
}

import { type RequestListener, Server, type ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import { closePort } from '#app/platform/http/close-port.server.ts'
import { LoopTurn } from './loop-turn.server.ts'
import { type PlainRequest, readPlainRequest } from './plain-request.server.ts'

/** Sends a response immediately, or returns `false`: then the request is read again in the ordinary way. */
export type RespondDirectly = (request: PlainRequest) => boolean

/**
 * An HTTP server that sends cached responses to plain requests without the machinery for everything else, which costs more than twice as
 * much. A connection stays plain until the first piece that is anything else, and goes over to Node's own parser with that piece, permanently.
 */
export class PlainServer extends Server {
  #plain = new Set<Socket>()
  #respond: RespondDirectly
  #readers: ReturnType<Server['listeners']>
  readonly #turn: LoopTurn

  constructor(options: ServerOptions & { keepAliveTimeout: number }, listener: RequestListener, respond: RespondDirectly) {
    const turn = new LoopTurn()
    super(options, (request, response) => turn.run(() => response.destroyed || listener(request, response)))
    this.#turn = turn
    this.#respond = respond
    // Node documents that a connection may be emitted by hand; here that happens later than usual, or never.
    this.#readers = this.listeners('connection')
    this.removeAllListeners('connection')
    this.on('connection', (socket) => {
      turn.onConnection()
      this.#take(socket)
    })
  }

  /** Accepts no new connections. Open ones stay open, unlike with `close`. */
  async stopListening(): Promise<void> {
    await closePort(this)
  }

  /** Also called by `close`: a plain connection is between two requests, or its response is on the way. */
  override closeIdleConnections() {
    super.closeIdleConnections()
    for (const socket of this.#plain) socket.end()
  }

  override closeAllConnections() {
    super.closeAllConnections()
    for (const socket of this.#plain) socket.destroy()
  }

  #take(socket: Socket) {
    const leave = () => {
      this.#plain.delete(socket)
      socket.setTimeout(0)
      socket.off('data', hear).off('end', endToo).off('close', leave).off('timeout', cut).off('error', ignore)
    }
    const hear = (piece: Buffer) => {
      if (this.#turn.isOpen) return read(piece)
      socket.pause()
      this.#turn.run(() => {
        socket.resume()
        if (this.#plain.has(socket)) read(piece)
      })
    }
    const read = (piece: Buffer) => {
      // A client that has not read the last response gets no immediate one.
      const request = socket.writableLength === 0 ? readPlainRequest(piece, socket) : undefined
      if (request && this.#respond(request)) return
      leave()
      for (const reader of this.#readers) Reflect.apply(reader, this, [socket])
      socket.emit('data', piece)
    }
    const endToo = () => socket.end()
    const cut = () => socket.destroy()
    this.#plain.add(socket)
    socket.setTimeout(this.keepAliveTimeout)
    socket.on('data', hear).on('end', endToo).on('close', leave).on('timeout', cut).on('error', ignore)
  }
}

/** A broken connection is closed, and there is no client to notify. */
function ignore() {}

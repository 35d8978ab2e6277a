import { type RequestListener, Server, type ServerOptions } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { type PlainRequest, readPlainRequest } from './plain-request.server.ts'

/** Answers a request at once, on its connection, or answers `false`: then it is read again in the ordinary way. */
export type AnswerAtOnce = (request: PlainRequest) => boolean

/**
 * A server of HTTP that answers plain requests for what is ready without the machinery for everything else, which costs more than twice as much.
 * A connection stays plain until the first piece that is anything but such a request, and goes over to Node's own reader with that piece, for good.
 */
export class PlainServer extends Server {
  #plain = new Set<Socket>()
  #answer: AnswerAtOnce
  #readers: ReturnType<Server['listeners']>

  constructor(options: ServerOptions & { keepAliveTimeout: number }, listener: RequestListener, answer: AnswerAtOnce) {
    super(options, listener)
    this.#answer = answer
    // Node documents that a connection may come to it by this event; here it comes later than usual, or never.
    this.#readers = this.listeners('connection')
    this.removeAllListeners('connection')
    this.on('connection', (socket) => this.#take(socket))
  }

  /** Takes no new connections. Those that are open stay open, which `close` would not leave them. */
  stopListening() {
    NetServer.prototype.close.call(this)
  }

  /** Also called by `close`: a plain connection is between two requests, or has its answer on the way. */
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
      // Who does not read what was sent gets nothing more at once.
      const request = socket.writableLength === 0 ? readPlainRequest(piece, socket) : undefined
      if (request && this.#answer(request)) return
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

/** A connection that breaks is closed, and there is nobody to tell. */
function ignore() {}

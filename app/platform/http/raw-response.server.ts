import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ServerResponse } from 'node:http'
import { endTurn } from './load.server.ts'

/**
 * Writes status and headers, and leaves the body to the caller. The framework would pass each piece through more layers, and would count
 * the bytes of a response without any. Its hooks that set headers do not run.
 */
export function beginRawResponse(request: FastifyRequest, reply: FastifyReply): ServerResponse {
  endTurn(request)
  reply.hijack()
  reply.raw.writeHead(reply.statusCode, Object.fromEntries(Object.entries(reply.getHeaders()).filter(([, value]) => value !== undefined)))
  return reply.raw
}

/**
 * Resolves when the system has taken the bytes, so that nothing reads their buffer any more, with whether it has: false once the
 * connection has closed, when the system may still read it.
 */
export function written(response: ServerResponse, bytes: Buffer): Promise<boolean> {
  return new Promise((resolve) => {
    if (response.destroyed) return resolve(false)
    const leave = () => resolve(false)
    response.once('close', leave)
    response.write(bytes, (error) => {
      response.off('close', leave)
      resolve(!error && !response.destroyed)
    })
  })
}

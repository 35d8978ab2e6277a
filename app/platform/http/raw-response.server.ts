import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ServerResponse } from 'node:http'
import { endTurn } from './load.server.ts'

/**
 * Writes status and headers, and leaves the body to the caller. The framework would count the bytes of a response without a body. Its hooks
 * that set headers do not run.
 */
export function beginRawResponse(request: FastifyRequest, reply: FastifyReply): ServerResponse {
  endTurn(request)
  reply.hijack()
  reply.raw.writeHead(reply.statusCode, Object.fromEntries(Object.entries(reply.getHeaders()).filter(([, value]) => value !== undefined)))
  return reply.raw
}

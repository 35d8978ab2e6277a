import type { FastifyInstance, FastifyReply, RouteOptions } from 'fastify'
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { perVisitor } from '#app/platform/http/http.server.ts'
import { findDescription, noteEndpoints } from './description.server.ts'
import type { Endpoint } from './openapi.server.ts'
import { unchanged as unchangedAnswer } from '#app/platform/http/response-schema.ts'

export const OPENAPI = '/api/openapi.json'

/** Describes every endpoint that is registered on this server after it. */
export function addDescription(app: FastifyInstance) {
  const endpoints: Endpoint[] = []
  noteEndpoints(endpoints)
  app.addHook('onRoute', (route) => void (isDescribed(route) && endpoints.push(route)))
  let made: Promise<{ body: string; tag: string }> | undefined
  app.get(OPENAPI, {
    schema: {
      summary: 'This OpenAPI description',
      tags: ['data'],
      response: { 200: z.record(z.string(), z.unknown()), 304: unchangedAnswer },
    },
    config: { limit: perVisitor('openapi', 120, '1 minutes'), isPublic: true },
    async handler({ headers }, reply) {
      made ??= make()
      const { body, tag } = await made.catch((error: unknown) => {
        made = undefined
        throw error
      })
      reply.headers({ etag: tag, 'cache-control': 'public, max-age=0, must-revalidate', 'access-control-allow-origin': '*' })
      if (headers['if-none-match'] === tag) return unchanged(reply)
      return reply.type('application/json; charset=utf-8').serializer(String).send(body)
    },
  })
}

function unchanged(reply: FastifyReply) {
  return reply.status(304).send()
}

async function make() {
  const body = JSON.stringify(await findDescription())
  return { body, tag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"` }
}

/** HEAD comes with GET. Routes for every method only refuse, and hidden ones are for development. */
function isDescribed({ method, url, schema }: RouteOptions): boolean {
  return ![method].flat().some((each) => each === 'HEAD' || each === 'OPTIONS') && !isHidden(schema) && url !== '*'
}

function isHidden(schema: RouteOptions['schema']): boolean {
  return Boolean(schema && 'hide' in schema && schema.hide)
}

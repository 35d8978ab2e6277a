import type { FastifyReply, FastifyRequest } from 'fastify'
import { isListedOrigin } from '#app/auth/protocol/redirect-target.server.ts'
import { refuse } from '#app/auth/protocol/refusal.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { isSameOrigin } from '#app/platform/http/origin.server.ts'

const METHODS = 'GET, POST, PUT, PATCH, DELETE'
const HEADERS = 'Accept, Apikey, Authorization, Content-Type, X-Client-IP, X-Client-Info, X-JWT-AUD, X-Supabase-Api-Version'
const EXPOSED = 'X-Total-Count, Link, X-Supabase-Api-Version'
const PREFLIGHT_SECONDS = 600

/**
 * Lets pages of the origins in URI_ALLOW_LIST call the auth service (CORS). They never get credentials:
 * a cookie on such a request is ignored, and none is set. Writes from any other foreign page are refused.
 */
export function allowListedOrigins(app: Parameters<Api>[0]): void {
  const open = new Set<string>()
  app.addHook('onRoute', (route) => {
    if (route.config?.allowForeignOrigin) open.add(route.url)
    // The platform would refuse every foreign write before this hook can check its origin.
    route.config = { ...route.config, allowForeignOrigin: true }
  })
  app.addHook('onRequest', async (request, reply) => {
    const { headers, method, routeOptions } = request
    if (isListed(request)) allow(request, reply)
    if (method === 'OPTIONS') return reply.status(204).send()
    if (isListed(request)) return
    const isWrite = !/^(GET|HEAD)$/.test(method)
    if (isWrite && !open.has(routeOptions.url ?? '') && isSameOrigin(headers) === false) refuse('foreign_origin')
  })
  app.addHook('onSend', async (request, reply) => {
    appendVary(reply)
    if (isListed(request)) reply.removeHeader('set-cookie')
  })
}

function isListed({ headers }: FastifyRequest): boolean {
  return isSameOrigin(headers) === false && isListedOrigin(headers.origin)
}

function allow(request: FastifyRequest, reply: FastifyReply) {
  request.requestContext = { ...request.requestContext, cookies: {} }
  request.cookies = {}
  delete request.headers.cookie
  reply.headers({ 'access-control-allow-origin': request.headers.origin, 'access-control-expose-headers': EXPOSED })
  if (request.method === 'OPTIONS') {
    reply.headers({
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers': HEADERS,
      'access-control-max-age': PREFLIGHT_SECONDS,
    })
  }
}

function appendVary(reply: FastifyReply) {
  const known = reply.getHeader('vary')
  reply.header('vary', known ? `${String(known)}, Origin` : 'Origin')
}

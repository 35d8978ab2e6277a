import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { stop } from '#app/platform/errors/stop.ts'

type Endpoint = { url: string; methods: readonly string[]; address?: URLPattern }

/**
 * Handles requests without an endpoint: 405 with the allowed methods at a known address, 404 elsewhere. Register it before all endpoints,
 * because it collects them.
 */
export function answerUnknownEndpoints(http: FastifyInstance, ...prefixes: string[]) {
  const endpoints: Endpoint[] = []
  http.addHook('onRoute', ({ url, method }) => {
    if (!url.endsWith('/*')) endpoints.push({ url, methods: [method].flat() })
  })
  for (const prefix of prefixes) http.all(`${prefix}/*`, { schema: { hide: true } }, (request, reply) => refuse(endpoints, request, reply))
}

function refuse(endpoints: readonly Endpoint[], request: FastifyRequest, reply: FastifyReply): never {
  const [pathname] = request.url.split('?')
  // Making hundreds of patterns would delay the start, and few requests need them.
  const isAt = (endpoint: Endpoint) => (endpoint.address ??= new URLPattern({ pathname: endpoint.url })).test({ pathname })
  const possible = endpoints.filter(isAt).flatMap(({ methods }) => methods)
  // The method is allowed, so a part of the address is too long.
  if (possible.length === 0 || possible.includes(request.method)) stop('notFound', 'There is nothing at this address.')
  reply.header('allow', [...new Set(possible)].join(', '))
  stop('methodNotAllowed', `This address does not take ${request.method}.`)
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { stop } from './stop.ts'

type Endpoint = { address: URLPattern; methods: readonly string[] }

/**
 * Answers what no endpoint does: 405 with what would be possible where the address is known, 404 elsewhere. Has to hear of all endpoints,
 * so it comes before them.
 */
export function answerUnknownEndpoints(http: FastifyInstance, ...prefixes: string[]) {
  const endpoints: Endpoint[] = []
  http.addHook('onRoute', ({ url, method }) => {
    if (!url.endsWith('/*')) endpoints.push({ address: new URLPattern({ pathname: url }), methods: [method].flat() })
  })
  for (const prefix of prefixes) http.all(`${prefix}/*`, { schema: { hide: true } }, (request, reply) => refuse(endpoints, request, reply))
}

function refuse(endpoints: readonly Endpoint[], request: FastifyRequest, reply: FastifyReply): never {
  const [pathname] = request.url.split('?')
  const possible = endpoints.filter(({ address }) => address.test({ pathname })).flatMap(({ methods }) => methods)
  // Where the method would do, something in the address is longer than any name of ours.
  if (possible.length === 0 || possible.includes(request.method)) stop('notFound', 'There is nothing at this address.')
  reply.header('allow', [...new Set(possible)].join(', '))
  stop('methodNotAllowed', `This address does not take ${request.method}.`)
}

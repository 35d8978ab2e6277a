import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** The default of every response: it is for one person, and no cache may store it. */
export const privateAnswer = { 'cache-control': 'no-store', vary: 'Cookie, Authorization' }

/**
 * Sets that default on every response, whatever its handler sets. A response for everyone has to be declared: endpoints set `isPublic` in
 * their config, pages set `cache` in their handle. Files and cached pages bypass the framework and have headers of their own.
 */
export function keepAnswersPrivate(http: FastifyInstance) {
  http.addHook('onSend', async (request, reply, payload) => {
    // Naming the class loads Node's HTTP client, which would delay the first response after a start.
    const body = typeof payload === 'object' && payload instanceof Response ? unwrap(reply, payload) : payload
    if (isForEveryone(request, reply)) {
      if (reply.getHeader('vary') === privateAnswer.vary) reply.removeHeader('vary')
      return body
    }
    const said = String(reply.getHeader('cache-control'))
    if (!/\b(no-store|private)\b/i.test(said)) reply.header('cache-control', privateAnswer['cache-control'])
    reply.header('vary', withVisitor(reply.getHeader('vary')))
    return body
  })
}

/** The headers of a page's Response would otherwise replace ours after all hooks. */
function unwrap(reply: FastifyReply, { status, headers, body }: Response): Response['body'] {
  reply.status(status)
  for (const [name, value] of headers) reply.header(name, value)
  return body
}

/** An error or a cookie is for one visitor, even at a public address. */
function isForEveryone({ routeOptions, requestContext }: FastifyRequest, reply: FastifyReply): boolean {
  const isDeclared = routeOptions.config.isPublic || requestContext.isPublic
  return Boolean(isDeclared) && reply.statusCode < 400 && !reply.hasHeader('set-cookie')
}

/** Adds the headers that identify a visitor to `Vary`. */
function withVisitor(vary: ReturnType<FastifyReply['getHeader']>): string {
  if (vary === privateAnswer.vary) return vary
  const names = [vary ?? [], privateAnswer.vary]
    .flat()
    .flatMap((list) => `${list}`.split(','))
    .map((name) => name.trim())
    .filter(Boolean)
  return [...new Map(names.map((name) => [name.toLowerCase(), name])).values()].join(', ')
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** The default for every answer: it is for the person who asked, and no cache may keep it. */
export const privateAnswer = { 'cache-control': 'no-store', vary: 'Cookie, Authorization' }

/**
 * Holds every answer to that default, whatever its handler says. An answer for everyone has to be declared: endpoints set `isPublic` in their
 * config, pages set `kept` in their handle. Files and kept pages that are sent before the framework have headers of their own.
 */
export function keepAnswersPrivate(http: FastifyInstance) {
  http.addHook('onSend', async (request, reply, payload) => {
    const body = payload instanceof Response ? unwrap(reply, payload) : payload
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

/** What a page says in its Response would otherwise replace our headers after all hooks. */
function unwrap(reply: FastifyReply, { status, headers, body }: Response): Response['body'] {
  reply.status(status)
  for (const [name, value] of headers) reply.header(name, value)
  return body
}

/** An error or a cookie is for one visitor, also at an address for everyone. */
function isForEveryone({ routeOptions, visit }: FastifyRequest, reply: FastifyReply): boolean {
  const isDeclared = routeOptions.config.isPublic || visit.isPublic
  return Boolean(isDeclared) && reply.statusCode < 400 && !reply.hasHeader('set-cookie')
}

/** Adds what tells visitors apart to what an answer depends on already. */
function withVisitor(vary: ReturnType<FastifyReply['getHeader']>): string {
  const names = [vary ?? [], privateAnswer.vary]
    .flat()
    .flatMap((list) => `${list}`.split(','))
    .map((name) => name.trim())
    .filter(Boolean)
  return [...new Map(names.map((name) => [name.toLowerCase(), name])).values()].join(', ')
}

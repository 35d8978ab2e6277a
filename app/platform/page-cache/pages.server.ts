import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { ServerResponse } from 'node:http'
import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router'
import { Busy } from '#app/platform/http/work-queue.server.ts'
import { busyPage } from '#app/platform/http/busy-page.server.ts'
import { env } from '#app/platform/env.server.ts'
import { toStop } from '#app/platform/http/errors.server.ts'
import { themeOfStranger } from './cache-server.server.ts'
import { inTurn, render as renderQueue, waits } from '#app/platform/http/load.server.ts'
import { hasOwnPage, type PageCache, pageKey } from './page-cache.server.ts'
import { type CachePolicy, PageRoutes } from './page-routes.server.ts'
import { securityHeaders } from '#app/platform/http/security-headers.server.ts'
import { setRequestContext, type RequestContext } from '#app/platform/http/request-context.server.ts'

/** Hooks around a page: before its lookup, and after there was none. */
export type PageSurroundings = {
  /** The pages at the time of a request, where they can change. */
  newest?: ServerBuild | (() => Promise<ServerBuild>)
  /** The redirect of a visitor; `placeOf` gives the proper spelling of an address. */
  sendOn?: (
    url: string,
    method: string,
    placeOf: (url: string) => string | undefined,
  ) => { location: string; statusCode: number } | undefined
  /** There was no page. */
  onMissing?: (requestContext: RequestContext) => void
}

/** Seconds for which a browser may cache a permanent redirect. */
const REMEMBERED = 300

/** The pages, on the same server as the API: React Router handles every request without an endpoint. */
export function pages(
  build: ServerBuild,
  cache: PageCache,
  { newest = build, sendOn, onMissing }: PageSurroundings = {},
): FastifyPluginAsync {
  const handle = createRequestHandler(newest, import.meta.env.MODE)
  const routes = new PageRoutes(build)
  const rules = speculationRules(routes)

  async function render(request: Request, requestContext: RequestContext): Promise<Response> {
    const context = new RouterContextProvider()
    setRequestContext(context, requestContext)
    const response = await handle(request, context)
    // The data of a live page has no document around it.
    if (!requestContext.failure || response.status !== 500) return response
    return new Response(response.body, { headers: response.headers, status: requestContext.failure.status })
  }

  /** Sends the page of an anonymous visitor, which is cached for the next one. */
  async function answerKept(request: FastifyRequest, reply: FastifyReply, key: string, policy: CachePolicy) {
    // Rendered without this visitor's headers and cookies, and to the end even when they leave. A later copy is rendered in the same way.
    const question = `${env.SITE_URL}${request.url}`
    const common = { ...request.requestContext, headers: {}, cookies: {} }
    const page = await cache.obtain(key, policy, async () => {
      return withHeaders(await renderQueue.run(waits.cachedPage, () => render(new Request(question), { ...common })))
    })
    if (page instanceof Response) return answerOnce(request, reply, page)
    reply.hijack()
    page.content.send(request.raw, reply.raw, request.id)
    return reply
  }

  function answerOnce({ method, requestContext }: FastifyRequest, reply: FastifyReply, page: Response) {
    if (page.status === 404 && method === 'GET') onMissing?.(requestContext)
    return reply.send(page)
  }

  return async (app) => {
    // Read here, so that the limit for bodies holds for forms as well; React Router parses them.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_FORM }, (_request, body, done) => done(null, body))

    app.setErrorHandler(async (error, request, reply) => {
      // An error page would be one more to render.
      if (error instanceof Busy) {
        const { html, headers } = busyPage(error, request)
        return reply.status(error.status).headers(headers).send(html)
      }
      return reply.send(await render(toRefused(request), { ...request.requestContext, refusal: toStop(error, request) }))
    })

    app.get(RULES, (_request, reply) =>
      reply.header('cache-control', 'public, max-age=3600').type('application/speculationrules+json').send(rules),
    )

    app.route({
      method: METHODS,
      url: '/*',
      // Before a body is read: a redirect that preserves the method has no use for it.
      onRequest: async (request, reply) => {
        const { requestContext, url, method } = request
        const sent = sendOn?.(requestContext.path, method, (path) => routes.placeOf(path))
        if (!sent) return
        // A live page has its own form of a redirect.
        if (requestContext.path !== url) requestContext.sentOn = sent
        else return answerSentOn(request, reply, sent)
      },
      handler: async (request, reply) => {
        request.requestContext.route = routes.patternAt(request.url)
        const isRead = request.method === 'GET' || request.method === 'HEAD'
        const place = isRead && routes.placeOf(request.url)
        if (place) return reply.redirect(place, 301)
        const theme = isRead && themeOfStranger(request.headers)
        const { cookie } = request.headers
        request.requestContext.isPublic = theme && routes.isForEveryone(request.url, cookie)
        const keeping = theme && routes.cachePolicyOf(request.url)
        if (keeping && !hasOwnPage(keeping, cookie)) return answerKept(request, reply, pageKey(request.url, theme), keeping)
        // Fastify copies status and headers of a web Response; only headers of the page itself replace ours.
        const page = () => render(toWebRequest(request, reply.raw), request.requestContext)
        request.requestContext.isRefusedLast = !isRead && routes.isRefusedLast(request.url)
        return answerOnce(request, reply, await inTurn(request, reply.raw, page))
      },
    })
  }
}

/** A permanent redirect may change tomorrow, so browsers cache it for a while only. */
function answerSentOn(
  { requestContext }: FastifyRequest,
  reply: FastifyReply,
  { location, statusCode }: { location: string; statusCode: number },
) {
  requestContext.route = 'redirect'
  const isForGood = statusCode === 301 || statusCode === 308
  requestContext.isPublic = isForGood
  return reply.header('cache-control', isForGood ? `public, max-age=${REMEMBERED}` : 'no-store').redirect(location, statusCode)
}

/** Bytes. Larger than the longest form in percent-encoded three-byte characters; parsing and repeating costs far more than sending. */
const MAX_FORM = 256 * 1024

/** The rules by which a browser prepares the next page; every cached page names this address. */
const RULES = '/speculation-rules.json'

/** Every method of a page, except TRACE: a web Request cannot carry it. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/**
 * Lets a browser prerender the next page while the pointer rests on its link. Only pages that are the same for every anonymous visitor:
 * a request for another one could have side effects.
 */
function speculationRules(routes: PageRoutes): string {
  const where = { href_matches: routes.cachedPatterns() }
  return JSON.stringify({ prerender: [{ where, eagerness: 'moderate' }] })
}

/** The headers of a page that is cached. */
function withHeaders(response: Response): Response {
  if (response.headers.get('content-type')?.startsWith('text/html')) response.headers.set('speculation-rules', `"${RULES}"`)
  for (const [name, value] of Object.entries(securityHeaders)) if (!response.headers.has(name)) response.headers.set(name, value)
  return response
}

/** Replaces a refused request: the root shows why before any page is loaded. A live page needs a response in its own format. */
function toRefused({ url, method }: FastifyRequest): Request {
  const isData = /^[^?]+\.data(\?|$)/.test(url)
  return new Request(`${env.SITE_URL}${isData ? url : '/'}`, { method: isData ? method : 'GET' })
}

function toWebRequest(request: FastifyRequest, response: ServerResponse): Request {
  const aborted = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) aborted.abort()
  })
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    for (const one of [value].flat()) if (one !== undefined && !name.startsWith(':')) headers.append(name, one)
  }
  // The origin has been checked; React Router would compare it with an address that a proxy may have changed.
  headers.delete('origin')
  const body = request.body instanceof Uint8Array ? new Uint8Array(request.body) : null
  return new Request(`${env.SITE_URL}${request.url}`, { method: request.method, headers, body, signal: aborted.signal })
}

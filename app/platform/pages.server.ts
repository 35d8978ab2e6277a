import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { ServerResponse } from 'node:http'
import { createRequestHandler, RouterContextProvider, type ServerBuild } from 'react-router'
import { Busy } from './bounded-queue.server.ts'
import { env } from './env.server.ts'
import { toStop } from './errors.server.ts'
import { type ReadFile, withFilesInside } from './files-inside.server.ts'
import { themeOfStranger } from './front.server.ts'
import { renderings } from './load.server.ts'
import { type PageCache, pageKey } from './page-cache.server.ts'
import { PageRoutes } from './page-routes.server.ts'
import { securityHeaders } from './security-headers.server.ts'
import { rememberVisit, type Visit } from './visit.server.ts'

/** What others have to say of an address, before its page and after there was none. */
export type Surroundings = {
  readFile?: ReadFile
  /** Where a visitor is sent instead; `placeOf` tells how a page of ours spells an address. */
  sendOn?: (
    url: string,
    method: string,
    placeOf: (url: string) => string | undefined,
  ) => { location: string; statusCode: number } | undefined
  /** There was no page. */
  onMissing?: (visit: Visit) => void
}

/** In seconds: so long a browser does not ask again whether a redirect for good is still one. */
const REMEMBERED = 300

/** The pages, on the same server as the API: what no endpoint answers goes to React Router. */
export function pages(
  build: ServerBuild,
  cache: PageCache,
  { readFile = noFile, sendOn, onMissing }: Surroundings = {},
): FastifyPluginAsync {
  const handle = createRequestHandler(build, import.meta.env.MODE)
  const routes = new PageRoutes(build)
  const rules = speculationRules(routes)

  async function render(request: Request, visit: Visit): Promise<Response> {
    const context = new RouterContextProvider()
    rememberVisit(context, visit)
    const response = await handle(request, context)
    // The data of a live page, which no document of ours is written around.
    if (!visit.failure || response.status !== 500) return response
    return new Response(response.body, { headers: response.headers, status: visit.failure.status })
  }

  /** A stranger's page, which is the next one's as well. */
  async function answerKept(request: FastifyRequest, reply: FastifyReply, key: string, tags: readonly string[]) {
    // Nothing of this visitor's own may colour it, and it is written to the end even when they leave.
    const question = new Request(`${env.SITE_URL}${request.url}`)
    const page = await cache.obtain(key, tags, async () => {
      const rendered = await renderings.run(() => render(question, { ...request.visit, headers: {}, cookies: {} }))
      return withHeaders(await withFilesInside(rendered, readFile, rules))
    })
    if (page instanceof Response) return answerOnce(request, reply, page)
    reply.hijack()
    page.content.send(request.raw, reply.raw, request.id)
    return reply
  }

  function answerOnce({ method, visit }: FastifyRequest, reply: FastifyReply, page: Response) {
    if (page.status === 404 && method === 'GET') onMissing?.(visit)
    return reply.send(page)
  }

  return async (app) => {
    // Read here, so that the limit for bodies holds for forms as well; React Router makes sense of them.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_FORM }, (_request, body, done) => done(null, body))

    app.setErrorHandler(async (error, request, reply) => {
      // A page that says so would be one more to render.
      if (error instanceof Busy) return reply.status(error.status).headers(busyHeaders).send(busyPage)
      return reply.send(await render(toRefused(request), { ...request.visit, refusal: toStop(error, request) }))
    })

    app.route({
      method: METHODS,
      url: '/*',
      // Before a body is read: a redirect that keeps the method has no use for it.
      onRequest: async (request, reply) => {
        const { visit, url, method } = request
        const sent = sendOn?.(visit.path, method, (path) => routes.placeOf(path))
        if (!sent) return
        // A live page has its own words for being sent on.
        if (visit.path !== url) visit.sentOn = sent
        else return answerSentOn(request, reply, sent)
      },
      handler: async (request, reply) => {
        request.visit.route = routes.patternAt(request.url)
        const isRead = request.method === 'GET' || request.method === 'HEAD'
        const place = isRead && routes.placeOf(request.url)
        if (place) return reply.redirect(place, 301)
        const theme = isRead && themeOfStranger(request.headers)
        request.visit.isPublic = theme && routes.isForEveryone(request.url)
        const keeping = theme && routes.keepingOf(request.url)
        if (keeping) return answerKept(request, reply, pageKey(request.url, theme), keeping.tags)
        // Fastify copies status and headers of a web Response; only what the page itself says replaces ours.
        const page = () => render(toWebRequest(request, reply.raw), request.visit)
        return answerOnce(request, reply, isRead ? await renderings.run(page, () => reply.raw.destroyed) : await page())
      },
    })
  }
}

/** One that is for good today may be changed tomorrow, so browsers keep it for a while only. */
function answerSentOn({ visit }: FastifyRequest, reply: FastifyReply, { location, statusCode }: { location: string; statusCode: number }) {
  visit.route = 'redirect'
  const isForGood = statusCode === 301 || statusCode === 308
  visit.isPublic = isForGood
  return reply.header('cache-control', isForGood ? `public, max-age=${REMEMBERED}` : 'no-store').redirect(location, statusCode)
}

const busy = new Busy()
const busyHeaders = { 'content-type': 'text/html; charset=utf-8', 'retry-after': String(busy.extra.retryAfter) }
const busyPage = `<!doctype html><html lang="en"><title>${busy.statusText}</title><h1>${busy.statusText}</h1><p>${busy.data}</p></html>`

/** While developing, Vite serves them. */
function noFile(_address: string): undefined {
  return undefined
}

/** In bytes. The longest form full of letters that take three bytes, each written as nine, is shorter; reading and repeating costs far more than sending. */
const MAX_FORM = 256 * 1024

/** All that a page could be asked by; TRACE is none of them, because a web Request cannot carry it. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/**
 * Lets a browser have the next page ready while the pointer still rests on its link. Only pages that are the same for every stranger: asking
 * for another one could do something.
 */
function speculationRules(routes: PageRoutes): string {
  const where = { href_matches: routes.keptPatterns() }
  return JSON.stringify({ prerender: [{ where, eagerness: 'moderate' }] })
}

function withHeaders(response: Response): Response {
  for (const [name, value] of Object.entries(securityHeaders)) if (!response.headers.has(name)) response.headers.set(name, value)
  return response
}

/** What stands in for a request that was refused: the root shows why before any page is asked. A live page wants an answer in its own terms. */
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
  // Whether a foreign page sent it has been decided; React Router would compare with an address that a proxy may have changed.
  headers.delete('origin')
  const body = request.body instanceof Uint8Array ? new Uint8Array(request.body) : null
  return new Request(`${env.SITE_URL}${request.url}`, { method: request.method, headers, body, signal: aborted.signal })
}

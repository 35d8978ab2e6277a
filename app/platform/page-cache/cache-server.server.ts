import type { FastifyServerFactory } from 'fastify'
import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import { logCachedResponse, nextRequestId } from '#app/platform/http/access-log.server.ts'
import { namesOneHost } from '#app/platform/http/host-header.server.ts'
import { log } from '#app/platform/process/log.server.ts'
import { countStaticResponse } from '#app/platform/http/metrics.server.ts'
import { placeUnderOurName, sendTo } from '#app/platform/http/one-host.server.ts'
import { inertPolicy, securityHeaders } from '#app/platform/http/security-headers.server.ts'
import { ACCESS_COOKIE } from '#app/platform/http/session-cookie.server.ts'
import type { Theme } from '#app/platform/http/request-context.server.ts'
import { hasOwnPage, PageCache, pageKey } from './page-cache.server.ts'
import type { StaticContent } from './static-content.server.ts'
import { LRUCache } from 'lru-cache'
import { env } from '#app/platform/env.server.ts'
import { visitorKey } from '#app/platform/guard/limits.server.ts'
import { clientAddress } from '#app/platform/http/peer.server.ts'

const starting = plainRefusal(503, 'Starting', 'This site is just starting. Please try again in a few seconds.', 2)
const alive = {
  ...securityHeaders,
  'content-security-policy': inertPolicy,
  'cache-control': 'no-store',
  'content-type': 'application/json; charset=utf-8',
}
const tooOften = plainRefusal(429, 'Too many requests', 'That was too often. Please try again in a few seconds.', 10)

/** Milliseconds. A proxy that keeps connections to us open closes idle ones earlier. */
const limits = {
  headersTimeout: 20_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 72_000,
  connectionsCheckingInterval: 5000,
  maxHeaderSize: 16 * 1024,
  // Nearly every request has no body; this spares them the machinery of reading one.
  optimizeEmptyRequests: true,
} satisfies ServerOptions

/** The HTTP server. It sends cached public pages and files, most of all responses, before the framework sees the request. */
export class CacheServer {
  readonly cache = new PageCache()
  readonly #files: Pick<ReadonlyMap<string, StaticContent>, 'get'>
  #framework: RequestListener | undefined
  #isOpen = false
  #isLeaving = false
  readonly #limit = new CachedPageLimit()
  readonly #server = createServer(limits, (request, response) => this.handle(request, response))

  constructor(files: Pick<ReadonlyMap<string, StaticContent>, 'get'> = new Map()) {
    this.#files = files
  }

  handle(request: IncomingMessage, response: ServerResponse) {
    if (this.#isLeaving) response.setHeader('connection', 'close')
    if (!this.#answer(request, response)) this.#framework?.(request, response)
  }

  /** Makes Fastify use this server, and handle all requests that have no cached response. */
  readonly serverFactory: FastifyServerFactory = (framework) => {
    this.#framework = framework
    return this.#server
  }

  /** Listens. Until it is opened, it responds with 503. */
  async listen(port: number, host: string): Promise<void> {
    this.#server.listen(port, host)
    await once(this.#server, 'listening')
  }

  open() {
    this.#isOpen = true
  }

  /** From now on each response is the last one on its connection, and `/readyz` says 503, so that a balancer sends requests elsewhere. */
  leave() {
    this.#isLeaving = true
  }

  /** `leave`, and no page is cached any more. */
  retire() {
    this.leave()
    this.cache.close()
  }

  /** Accepts no new connections and resolves when the last one has ended. After `patience` milliseconds, the rest are cut. */
  async close(patience: number): Promise<void> {
    this.leave()
    const cut = setTimeout(() => {
      log.warn({ patience }, 'answers that took too long were cut')
      this.#server.closeAllConnections()
    }, patience)
    await new Promise<void>((resolve) => void this.#server.close(() => resolve()))
    clearTimeout(cut)
  }

  #answer(request: IncomingMessage, response: ServerResponse): boolean {
    const { method } = request
    if (!this.#isOpen) return this.#answerTooEarly(request, response)
    if (this.#isLeaving && request.url === '/readyz') return this.#answerLeaving(response)
    // The framework refuses a second host.
    if ((method !== 'GET' && method !== 'HEAD') || !namesOneHost(request.rawHeaders)) return false
    return (
      this.#answerElsewhere(request, response, method) || this.#answerPage(request, response, method) || this.#answerFile(request, response)
    )
  }

  /** Search engines list a site with two names as two sites. */
  #answerElsewhere(request: IncomingMessage, response: ServerResponse, method: string): boolean {
    const place = placeUnderOurName(request)
    if (place === undefined) return false
    const id = nextRequestId()
    const status = sendTo(place, response, id)
    countStaticResponse('page', status)
    logCachedResponse(id, method, 'another host', status)
    return true
  }

  #answerTooEarly({ url }: IncomingMessage, response: ServerResponse): boolean {
    const id = nextRequestId()
    if (url === '/healthz') response.writeHead(200, { ...alive, 'x-request-id': id }).end('{"status":"starting"}')
    else starting.send(response, id)
    return true
  }

  #answerLeaving(response: ServerResponse): boolean {
    response.writeHead(503, { ...alive, 'retry-after': '5', 'x-request-id': nextRequestId() }).end('{"status":"ending"}')
    return true
  }

  #answerPage(request: IncomingMessage, response: ServerResponse, method: string): boolean {
    const theme = themeOfStranger(request.headers)
    const page = theme && this.cache.find(pageKey(request.url ?? '', theme))
    if (!page || hasOwnPage(page, request.headers.cookie)) return false
    const id = nextRequestId()
    const status = this.#limit.isTooOften(request) ? tooOften.send(response, id) : page.content.send(request, response, id)
    countStaticResponse('page', status)
    logCachedResponse(id, method, page.path, status)
    return true
  }

  #answerFile(request: IncomingMessage, response: ServerResponse): boolean {
    const file = this.#files.get(request.url ?? '')
    if (file) countStaticResponse('file', file.send(request, response, nextRequestId()))
    return file !== undefined
  }
}

/** The theme of an anonymous visitor. Undefined for anyone who is, or was ever, signed in: their pages are personal. */
export function themeOfStranger({ cookie, authorization }: IncomingHttpHeaders): Theme | undefined {
  if (authorization !== undefined) return undefined
  if (cookie === undefined) return 'system'
  if (cookie.includes(ACCESS_COOKIE)) return undefined
  const [, theme] = /(?:^|;\s*)theme=(light|dark)(?:;|$)/.exec(cookie) ?? []
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

/** A refusal that must cost next to nothing, or comes before anything else can be shown. `retryAfter` in seconds. */
function plainRefusal(status: number, title: string, sentence: string, retryAfter: number) {
  const page = Buffer.from(`<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1><p>${sentence}</p></html>`)
  const headers = Object.entries({
    ...securityHeaders,
    'content-security-policy': inertPolicy,
    'cache-control': 'no-store',
    'content-type': 'text/html; charset=utf-8',
    'content-length': String(page.length),
    'retry-after': String(retryAfter),
  }).flat()
  return {
    /** Returns the status. */
    send(response: ServerResponse, requestId: string): number {
      response.writeHead(status, ['x-request-id', requestId, ...headers]).end(page)
      return status
    },
  }
}

/** Far above the use of a whole office, far below a noticeable load: a cached page costs next to nothing. */
const MOST = 500
const PER_SECONDS = 10
const MOST_VISITORS = 20_000

type Tally = { count: number; since: number }

/** Limits how often each visitor requests cached pages. Each server counts for itself, because the limit protects that server. */
class CachedPageLimit {
  readonly #tallies = new LRUCache<string, Tally>({ max: MOST_VISITORS })

  /** Counts this request, and returns whether its visitor is over the limit. */
  isTooOften(request: Pick<IncomingMessage, 'headers' | 'socket'>): boolean {
    if (env.RATE_LIMITS === 'off') return false
    const tally = this.#tallyOf(visitorKey(clientAddress(request)))
    tally.count += 1
    return tally.count > MOST
  }

  #tallyOf(visitor: string): Tally {
    const known = this.#tallies.get(visitor)
    if (known && Date.now() - known.since <= PER_SECONDS * 1000) return known
    const tally = { count: 0, since: Date.now() }
    this.#tallies.set(visitor, tally)
    return tally
  }
}

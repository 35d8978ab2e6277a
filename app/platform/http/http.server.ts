import accepts from '@fastify/accepts'
import cookie from '@fastify/cookie'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerFactory,
  LogController,
} from 'fastify'
import { type FastifyPluginAsyncZod, serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { answerProblem, EMPTY_BODY } from './errors.server.ts'
import { consume, type Limit, visitorKey } from '#app/platform/guard/limits.server.ts'
import { log } from '#app/platform/process/log.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { traceRequests } from '#app/platform/process/tracing.server.ts'
import { propertyOf } from '#app/platform/errors/property.ts'
import { keepAnswersPrivate, privateAnswer } from './cache-policy.server.ts'
import { jsonReader } from './json-body.server.ts'
import { boundEndpoints } from './load.server.ts'
import { noteAnswer } from './metrics.server.ts'
import { isSameOrigin } from './origin.server.ts'
import { MAX_PARAM_LENGTH, readableAddress, refuseUnreadable } from './readable-request.server.ts'
import { inertPolicy, securityHeaders } from './security-headers.server.ts'
import { answerUnknownEndpoints } from './unknown-endpoint.server.ts'
import { type RequestContext, toRequestContext } from './request-context.server.ts'

/** A group of endpoints: the Fastify plugin that a `*.api.ts` file exports. */
export type Api = FastifyPluginAsyncZod

export type Http = ReturnType<typeof createHttp>

declare module 'fastify' {
  interface FastifyRequest {
    requestContext: RequestContext
  }
  interface FastifyContextConfig {
    /** The audit log's entry for each success. */
    audit?: string
    /** The rate limit of one visitor. */
    limit?: Limit
    /** Allows writes from other origins: endpoints that ignore our cookies. */
    allowForeignOrigin?: boolean
    /** Media types of the body, where it is not JSON; part of the API description. */
    takes?: readonly string[]
    /** Not logged: machines poll this so often that it would fill the log. */
    quiet?: boolean
    /** The same response for everyone, so its `Cache-Control` may allow shared caches. */
    isPublic?: boolean
    /** A refusal would lose a visitor's text: under load, all other requests are refused first. */
    isRefusedLast?: boolean
    /** Another service does the work and has bounds of its own: calls to it would fill ours. */
    isBoundElsewhere?: boolean
  }
}

const MAX_BODY = 1024 * 1024

/** The server before any endpoint is registered: IDs, logs, headers, limits and errors. */
export function createHttp(serverFactory?: FastifyServerFactory) {
  const logger: FastifyBaseLogger = log
  const http = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: MAX_BODY,
    requestTimeout: 60_000,
    // A timer for each group of endpoints would take 3 % of the start.
    pluginTimeout: 0,
    genReqId: () => randomUUID(),
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    // The compilers of zod are set below.
    schemaController: { compilersFactory: noCompilers },
    rewriteUrl: ({ url }) => ownAddress(url),
    clientErrorHandler: answerUnreadable,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    frameworkErrors(error, request, reply) {
      reply.headers(headersOf(request.id))
      void answerProblem(error, request, reply)
    },
    ...(serverFactory && { serverFactory }),
  })

  http.setValidatorCompiler(validatorCompiler)
  http.setSerializerCompiler(serializerCompiler)
  http.register(accepts)
  http.register(cookie)
  // Fastify's own text parser accepts any text, and the error would only name the missing fields.
  http.removeContentTypeParser('text/plain')
  http.removeContentTypeParser('application/json')
  http.addContentTypeParser('application/json', { parseAs: 'string' }, jsonReader(http))

  http.addHook('onRequest', async (request, reply) => {
    request.requestContext = toRequestContext(request)
    reply.headers(headersOf(request.id))
    refuseUnreadable(request)
    forgetEmptyContent(request)
    refuseForeignWrite(request)
    const { limit } = request.routeOptions.config
    if (limit) await consume(limit, visitorKey(request.requestContext.address))
  })
  traceRequests(http)
  keepAnswersPrivate(http)
  boundEndpoints(http)
  endConnectionsWithTheServer(http)
  http.addHook('onResponse', async (request, reply) => noteEnd(request, reply))
  http.setErrorHandler(answerProblem)
  answerUnknownEndpoints(http, '/api', '/auth', '/assets')
  http.setNotFoundHandler(() => stop('notFound', 'There is nothing at this address.'))
  return http.withTypeProvider<ZodTypeProvider>()
}

function noCompiler(): never {
  throw new Error('Schemas are compiled by zod alone.')
}

/** Without these, Fastify loads its own compilers, which would take a tenth of the start and are not in the bundle. */
export const noCompilers = { buildValidator: noCompiler, buildSerializer: noCompiler }

/** A proxy's client may send an absolute URL, or `*` for the server itself. Only the path on this site counts. */
function ownAddress(url = '/'): string {
  if (url.startsWith('/')) return readableAddress(withoutSlash(url))
  const whole = URL.parse(url)
  return whole ? readableAddress(`/${whole.pathname.replace(/^[/\\]+/, '')}${whole.search}`) : '/'
}

/** Clients of the auth protocol may end a path with a slash, as its servers allow. */
function withoutSlash(url: string): string {
  return url.startsWith('/auth/v1/') ? url.replace(/^(\/auth\/v1\/[^?#]*?)\/+(?=[?#]|$)/, '$1') : url
}

/** Closes the connection of a request that was in progress when the shutdown began. */
function endConnectionsWithTheServer(http: FastifyInstance) {
  let ending = false
  http.addHook('preClose', async () => {
    ending = true
  })
  http.addHook('onSend', async (_request, reply) => {
    if (ending) reply.header('connection', 'close')
  })
}

const seconds = { seconds: 1, minutes: 60, hours: 3600 }

/** A rate limit per visitor in a time such as `10 minutes`. Limits with one name share a count. */
export function perVisitor(name: string, requests: number, per: `${number} ${keyof typeof seconds}`): Limit {
  const [, count, unit] = /^(\d+) (seconds|minutes|hours)$/.exec(per) ?? []
  if (unit !== 'seconds' && unit !== 'minutes' && unit !== 'hours') throw new Error(`${per} is no length of time.`)
  return { name, points: requests, seconds: Number(count) * seconds[unit] }
}

function noteEnd(request: FastifyRequest, reply: FastifyReply) {
  const { id, method, routeOptions } = request
  const route = request.requestContext.route ?? routeOptions.url ?? ''
  const status = reply.statusCode
  noteAnswer(method, route, status, reply.elapsedTime)
  if (!routeOptions.config.quiet) log.info({ request: id, method, route, status, ms: Math.round(reply.elapsedTime) }, 'request completed')
}

function headersOf(requestId: string) {
  return { ...securityHeaders, ...privateAnswer, 'content-security-policy': inertPolicy, 'x-request-id': requestId }
}

/** Drops the content type of a missing body: its parser would hang, because the server has already seen the end. */
function forgetEmptyContent({ headers, routeOptions }: FastifyRequest) {
  const { 'content-type': type, 'content-length': length, 'transfer-encoding': encoding } = headers
  if (type === undefined || length !== undefined || encoding !== undefined) return
  if (routeOptions.schema?.body) stop('badRequest', EMPTY_BODY, { code: 'bad_json' })
  delete headers['content-type']
}

/** Browsers send the origin of a request. A write from a foreign page is refused before anything is read. */
function refuseForeignWrite(request: FastifyRequest) {
  if (/^(GET|HEAD|OPTIONS)$/.test(request.method) || request.routeOptions.config.allowForeignOrigin) return
  if (isSameOrigin(request.headers) === false) stop('forbidden', 'This request came from another site.', { code: 'foreign_origin' })
}

const tooLong = answer('431 Request Header Fields Too Large', 'This address, or what came with it, is longer than we read.')
const tooSlow = answer('408 Request Timeout', 'This took too long to arrive. Please try again.')
const unreadable = answer('400 Bad Request', 'This request cannot be understood.')

/** Sends a page even for invalid HTTP: a person who typed a long address gets a readable error. */
function answerUnreadable(error: Error, socket: Socket) {
  const code = propertyOf(error, 'code')
  if (code === 'ECONNRESET' || !socket.writable) return void socket.destroy(error)
  socket.end(code === 'HPE_HEADER_OVERFLOW' ? tooLong : code === 'ERR_HTTP_REQUEST_TIMEOUT' ? tooSlow : unreadable)
}

function answer(status: string, sentence: string): string {
  const title = status.slice(4)
  const page = `<!doctype html><html lang="en"><title>${title}</title><h1>${title}</h1><p>${sentence}</p><p><a href="/">Home page</a></p></html>`
  const headers = {
    ...securityHeaders,
    'content-security-policy': inertPolicy,
    'cache-control': 'no-store',
    'content-type': 'text/html; charset=utf-8',
    'content-length': page.length,
    connection: 'close',
  }
  return [`HTTP/1.1 ${status}`, ...Object.entries(headers).map((entry) => entry.join(': ')), '', page].join('\r\n')
}

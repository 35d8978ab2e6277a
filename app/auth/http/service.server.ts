import { errorCodes } from 'fastify'
import { refuse } from '#app/auth/protocol/refusal.ts'
import { env } from '#app/platform/env.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { jsonReader } from '#app/platform/http/json-body.server.ts'
import { answerUnknownEndpoints } from '#app/platform/http/unknown-endpoint.server.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { noteDenied } from './bearer.server.ts'
import { toErrorAnswer } from './error-response.server.ts'

/** Clients that wait longer have given up or retried. */
const PATIENCE_MS = 10_000

/** The auth endpoints with the protocol's errors, bodies and headers. Register it under `/auth/v1`. */
export function authService(endpoints: Api[], { patience = PATIENCE_MS } = {}): Api {
  return async (app) => {
    speakAuth(app)
    app.addHook('onRoute', (route) => void (route.handlerTimeout ??= patience))
    app.addHook('onError', async ({ requestContext }, _reply, error) => noteDenied(requestContext, error))
    answerUnknownEndpoints(app, '')
    for (const endpoint of endpoints) await app.register(endpoint)
  }
}

/** Applies the protocol's bodies, headers and errors, for our own service and for the proxy. */
export function speakAuth(app: Parameters<Api>[0]): void {
  const parse = jsonReader(app)
  app.removeContentTypeParser('application/json')
  // Clients declare JSON even without a body.
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) =>
    body.length === 0 ? done(null, undefined) : parse(request, body.toString(), done),
  )
  app.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'))
  // Some clients send JSON as text or as a form. With an API key and no cookie, it cannot be a forged browser request.
  app.addContentTypeParser('*', { parseAs: 'string' }, (request, body, done) =>
    isProgram(request) ? parse(request, body.toString(), done) : done(new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE()),
  )
  app.addHook('onRequest', async ({ headers }) => {
    const audience = headers['x-jwt-aud']
    if (audience && audience !== env.JWT_AUD) refuse('unexpected_audience')
  })
  app.addHook('preValidation', async (request) => {
    const { body, routeOptions } = request
    if (body === undefined && routeOptions.schema?.body) refuse('bad_json')
    // The protocol's servers treat `null` as an empty body.
    if (body === null) request.body = {}
  })
  app.setErrorHandler((error, request, reply) => {
    const { status, headers, body } = toErrorAnswer(error, request.requestContext)
    return reply.status(status).headers(headers).type('application/json; charset=utf-8').serializer(JSON.stringify).send(body)
  })
}

function isProgram({ headers }: { headers: RequestContext['headers'] }): boolean {
  return headers['apikey'] !== undefined && headers['cookie'] === undefined
}

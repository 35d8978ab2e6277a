import { errorCodes } from 'fastify'
import { refuse } from '#app/auth-protocol/refusal.ts'
import { env } from '#app/platform/env.server.ts'
import type { Api } from '#app/platform/http.server.ts'
import { jsonReader } from '#app/platform/json-body.server.ts'
import { answerUnknownEndpoints } from '#app/platform/unknown-endpoint.server.ts'
import type { Visit } from '#app/platform/visit.server.ts'
import { noteDenied } from './bearer.server.ts'
import { toErrorAnswer } from './error-answer.server.ts'

/** Who waits longer has given up, or asks again. */
const PATIENCE_MS = 10_000

/** The auth service: its endpoints with the errors, bodies and headers of its protocol. To be registered under `/auth/v1`. */
export function authService(endpoints: Api[], { patience = PATIENCE_MS } = {}): Api {
  return async (app) => {
    speakAuth(app)
    app.addHook('onRoute', (route) => void (route.handlerTimeout ??= patience))
    app.addHook('onError', async ({ visit }, _reply, error) => noteDenied(visit, error))
    answerUnknownEndpoints(app, '')
    for (const endpoint of endpoints) await app.register(endpoint)
  }
}

/** Bodies, headers and errors as the protocol has them, whoever answers in the end. */
export function speakAuth(app: Parameters<Api>[0]): void {
  const parse = jsonReader(app)
  app.removeContentTypeParser('application/json')
  // Its clients name JSON also where they send no body at all.
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) =>
    body.length === 0 ? done(null, undefined) : parse(request, body.toString(), done),
  )
  app.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'))
  // Some clients send JSON as text or as a form. Without a cookie and with an API key, no foreign page can have made the browser send it.
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
    // To the protocol's servers `null` is a body without fields.
    if (body === null) request.body = {}
  })
  app.setErrorHandler((error, request, reply) => {
    const { status, headers, body } = toErrorAnswer(error, request.visit)
    return reply.status(status).headers(headers).type('application/json; charset=utf-8').serializer(JSON.stringify).send(body)
  })
}

function isProgram({ headers }: { headers: Visit['headers'] }): boolean {
  return headers['apikey'] !== undefined && headers['cookie'] === undefined
}

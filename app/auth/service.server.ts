import { refuse } from '#app/auth-protocol/refusal.ts'
import type { Api } from '#app/platform/http.server.ts'
import { jsonReader } from '#app/platform/json-body.server.ts'
import { toErrorAnswer } from './error-answer.server.ts'

/** Who waits longer has given up, or asks again. */
const PATIENCE_MS = 10_000

/** The auth service: its endpoints with the errors, bodies and headers of its protocol. To be registered under `/auth/v1`. */
export function authService(endpoints: Api[], { patience = PATIENCE_MS } = {}): Api {
  return async (app) => {
    speakAuth(app)
    app.addHook('onRoute', (route) => void (route.handlerTimeout ??= patience))
    for (const endpoint of endpoints) await app.register(endpoint)
    // What is not served is refused in the protocol's words, too.
    app.all('/*', { schema: { hide: true } }, () => refuse('not_found'))
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
  app.addHook('preValidation', async ({ body, routeOptions }) => {
    if (body === undefined && routeOptions.schema?.body) refuse('bad_json')
  })
  app.setErrorHandler((error, request, reply) => {
    const { status, headers, body } = toErrorAnswer(error, request.visit)
    return reply.status(status).headers(headers).type('application/json; charset=utf-8').serializer(JSON.stringify).send(body)
  })
}

import { noteUsage, keepUsage } from '#app/data-api/keys/usage.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { findCaller, meetCaller, noteDeniedKey } from './caller.server.ts'
import { quotaHeaders } from './quota-headers.ts'

/** Everything below this path is for authenticated callers. */
const PLACE = '/api/v1'

const SHOWN =
  'csv-note, etag, link, ratelimit, ratelimit-policy, ratelimit-limit, ratelimit-remaining, ratelimit-reset, retry-after, x-request-id'

/**
 * The Data API: endpoints that authenticate the caller first. Pages of other sites may call it too, with an API key only. Without
 * `access-control-allow-credentials`, browsers neither send our cookies on purpose nor expose the response.
 */
export function callersOnly(endpoints: Api[]): Api {
  return async (app) => {
    app.addHook('onRequest', async (_request, reply) => {
      reply.headers({ 'access-control-allow-origin': '*', 'access-control-expose-headers': SHOWN })
    })
    // Browsers send this preflight before a key from another site's page.
    app.options(`${PLACE}/*`, { schema: { hide: true }, config: { quiet: true } }, async (_request, reply) =>
      reply
        .status(204)
        .headers({
          'access-control-allow-methods': 'GET, HEAD',
          'access-control-allow-headers': 'authorization, if-none-match',
          'access-control-max-age': '86400',
        })
        .send(),
    )
    app.register(known(endpoints))
  }
}

function known(endpoints: Api[]): Api {
  return async (app) => {
    app.addHook('onRequest', async ({ requestContext }, reply) => {
      // A response is for its caller only; a shared cache must revalidate it.
      reply.headers({ 'cache-control': 'private, no-cache', vary: 'accept, authorization, cookie' })
      await meetCaller(requestContext)
    })
    app.addHook('onError', async ({ requestContext }, _reply, error) => noteDeniedKey(requestContext, error))
    app.addHook('onSend', async ({ requestContext }, reply) => {
      const caller = findCaller(requestContext)
      if (caller?.key) reply.headers(quotaHeaders(caller.used, caller.key.monthlyQuota))
      if (reply.statusCode === 401) reply.header('www-authenticate', 'Bearer realm="Data API"')
    })
    app.addHook('onResponse', async ({ requestContext }, reply) => {
      const key = findCaller(requestContext)?.key
      if (key && reply.statusCode >= 400) noteUsage(key, { refused: 1 })
    })
    app.addHook('onClose', keepUsage)
    for (const endpoint of endpoints) await app.register(endpoint)
  }
}

import { noteUsage, keepUsage } from '#app/api-keys/usage.server.ts'
import type { Api } from '#app/platform/http.server.ts'
import { findCaller, meetCaller, noteDenied } from './caller.server.ts'
import { quotaHeaders } from './quota-headers.ts'

/** Under this stands what keys open, and nothing else. */
const PLACE = '/api/v1'

const SHOWN =
  'csv-note, etag, link, ratelimit, ratelimit-policy, ratelimit-limit, ratelimit-remaining, ratelimit-reset, retry-after, x-request-id'

/**
 * The Data API: endpoints to which whoever asks is known before anything else. Pages of other sites may ask too: for them a key is the only way in, because
 * without `access-control-allow-credentials` a browser neither sends our cookies there on purpose nor shows the answer to what it sent with them.
 */
export function callersOnly(endpoints: Api[]): Api {
  return async (app) => {
    app.addHook('onRequest', async (_request, reply) => {
      reply.headers({ 'access-control-allow-origin': '*', 'access-control-expose-headers': SHOWN })
    })
    // A browser asks this before it sends a key for another site's page.
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
    app.addHook('onRequest', async ({ visit }, reply) => {
      // What a key is answered is for its holder alone; a cache in between may keep nothing without asking.
      reply.headers({ 'cache-control': 'private, no-cache', vary: 'accept, authorization, cookie' })
      await meetCaller(visit)
    })
    app.addHook('onError', async ({ visit }, _reply, error) => noteDenied(visit, error))
    app.addHook('onSend', async ({ visit }, reply) => {
      const caller = findCaller(visit)
      if (caller?.key) reply.headers(quotaHeaders(caller.used, caller.key.monthlyQuota))
      if (reply.statusCode === 401) reply.header('www-authenticate', 'Bearer realm="Data API"')
    })
    app.addHook('onResponse', async ({ visit }, reply) => {
      const key = findCaller(visit)?.key
      if (key && reply.statusCode >= 400) noteUsage(key, { refused: 1 })
    })
    app.addHook('onClose', keepUsage)
    for (const endpoint of endpoints) await app.register(endpoint)
  }
}

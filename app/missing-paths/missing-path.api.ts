import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import type { Api } from '#app/platform/http.server.ts'
import { stop } from '#app/platform/stop.ts'
import { missingPathEnd, missingPathMark, missingPathPage, missingPathQuery } from './missing-path.ts'
import { forgetMissingPaths, listMissingPaths, markMissingPath } from './missing-path.server.ts'

const tags = ['redirects']
const bodyLimit = 16 * 1024

/** Paths at which visitors found nothing, for staff. */
export const missingPathApi: Api = async (app) => {
  app.addHook('onRequest', async ({ visit }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(visit, 'redirects.write')
  })

  app.get('/api/missing-paths', {
    schema: { summary: 'List paths at which there was nothing', tags, querystring: missingPathQuery, response: { 200: missingPathPage } },
    handler: async ({ query }) => listMissingPaths(query),
  })

  app.post('/api/missing-paths/ignore', {
    schema: { summary: 'Say that nothing is to be done about a path', tags, body: missingPathMark, response: { 204: z.null() } },
    bodyLimit,
    async handler({ body }, reply) {
      if (!(await markMissingPath(body.path, body.ignored))) stop('notFound', 'Nobody has missed this path.')
      return reply.status(204).send(null)
    },
  })

  app.delete('/api/missing-paths', {
    schema: { summary: 'Forget a path, or all', tags, querystring: missingPathEnd, response: { 204: z.null() } },
    async handler({ query }, reply) {
      await forgetMissingPaths('path' in query ? query.path : undefined)
      return reply.status(204).send(null)
    },
  })
}

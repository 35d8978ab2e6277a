import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { changedPaths, notFoundBulk, notFoundDelete, notFoundIgnore, notFoundPage, notFoundQuery } from './not-found.ts'
import { changeNotFound, deleteNotFound, listNotFound, ignoreNotFound } from './not-found.server.ts'

const tags = ['redirects']
const bodyLimit = 16 * 1024
/** 200 paths of the longest. */
const BULK_LIMIT = 512 * 1024

export const notFoundApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'redirects.write')
  })

  app.get('/api/missing-paths', {
    schema: { summary: 'List paths that were not found', tags, querystring: notFoundQuery, response: { 200: notFoundPage } },
    handler: async ({ query }) => listNotFound(query),
  })

  app.post('/api/missing-paths/ignore', {
    schema: { summary: 'Ignore a path, or stop ignoring it', tags, body: notFoundIgnore, response: { 204: z.null() } },
    bodyLimit,
    async handler({ body }, reply) {
      if (!(await ignoreNotFound(body.path, body.ignored))) stop('notFound', 'This path is not in the log.')
      return reply.status(204).send(null)
    },
  })

  app.post('/api/missing-paths/bulk', {
    schema: {
      summary: 'Ignore, restore or delete paths: some, or all that match',
      tags,
      body: notFoundBulk,
      response: { 200: changedPaths },
    },
    bodyLimit: BULK_LIMIT,
    handler: async ({ body }) => ({ paths: await changeNotFound(body) }),
  })

  app.delete('/api/missing-paths', {
    schema: { summary: 'Delete one path, or all', tags, querystring: notFoundDelete, response: { 204: z.null() } },
    async handler({ query }, reply) {
      await deleteNotFound('path' in query ? query.path : undefined)
      return reply.status(204).send(null)
    },
  })
}

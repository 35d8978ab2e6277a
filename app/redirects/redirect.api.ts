import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import { type Api, perVisitor } from '#app/platform/http.server.ts'
import { stop } from '#app/platform/stop.ts'
import { collapseChain } from './collapse.server.ts'
import { checkRedirect, listProblems } from './check.server.ts'
import { orderRedirects } from './order.server.ts'
import { redirect } from './redirect.ts'
import {
  checkedRedirect,
  redirectCheck,
  redirectOrder,
  redirectSave,
  redirectTest,
  redirectWay,
  resolvedRedirect,
  resolveQuery,
  savedRedirect,
} from './redirect-request.ts'
import { listRedirects } from './redirect-list.server.ts'
import { changeRedirect, createRedirect, deleteRedirect } from './redirect.server.ts'
import { resolvePath, testAddress } from './way.server.ts'

const params = z.object({ id: z.uuid('There is no such redirect.') })
const tags = ['redirects']
const bodyLimit = 32 * 1024

/** Redirects, for staff: the list in its order, what is wrong with it, and what it does with an address. */
export const redirectApi: Api = async (app) => {
  app.addHook('onRequest', async ({ visit }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(visit, 'redirects.write')
  })

  app.get('/api/redirects', {
    schema: { summary: 'List redirects in the order in which they are tried', tags, response: { 200: z.array(redirect) } },
    async handler(_request, reply) {
      const list = await listRedirects()
      reply.header('x-total-count', list.length)
      return list
    },
  })

  app.post('/api/redirects', {
    schema: { summary: 'Add a redirect at the end of the list', tags, body: redirectSave, response: { 201: savedRedirect } },
    config: { audit: 'redirect_created' },
    bodyLimit,
    handler: async ({ body: { confirm, ...body } }, reply) => reply.status(201).send(await createRedirect(body, confirm)),
  })

  app.put('/api/redirects/:id', {
    schema: { summary: 'Change a redirect', tags, params, body: redirectSave, response: { 200: savedRedirect } },
    config: { audit: 'redirect_changed' },
    bodyLimit,
    handler: async ({ params, body: { confirm, ...body } }) => changeRedirect(params.id, body, confirm),
  })

  app.delete('/api/redirects/:id', {
    schema: { summary: 'Delete a redirect', tags, params, response: { 204: z.null() } },
    config: { audit: 'redirect_removed' },
    async handler({ params }, reply) {
      if (!(await deleteRedirect(params.id))) stop('notFound', 'There is no such redirect.')
      return reply.status(204).send(null)
    },
  })

  app.patch('/api/redirects/order', {
    schema: { summary: 'Put the list in another order', tags, body: redirectOrder, response: { 204: z.null() } },
    config: { audit: 'redirects_ordered' },
    async handler({ body }, reply) {
      await orderRedirects(body)
      return reply.status(204).send(null)
    },
  })

  app.get('/api/redirects/problems', {
    schema: { summary: 'List what is wrong between redirects', tags, response: { 200: checkedRedirect } },
    handler: async () => ({ problems: await listProblems() }),
  })

  app.post('/api/redirects/check', {
    schema: { summary: 'Look for problems without saving', tags, body: redirectCheck, response: { 200: checkedRedirect } },
    bodyLimit,
    handler: async ({ body }) => ({ problems: await checkRedirect(body) }),
  })

  app.post('/api/redirects/test', {
    schema: { summary: 'Say what becomes of an address', tags, body: redirectTest, response: { 200: redirectWay } },
    bodyLimit,
    handler: async ({ body }) => testAddress(body.url),
  })

  app.post('/api/redirects/:id/collapse', {
    schema: { summary: 'Lead to the end of a chain at once', tags, params, response: { 200: redirect } },
    config: { audit: 'redirect_changed' },
    handler: async ({ params }) => collapseChain(params.id),
  })
}

/** For whoever shows pages without asking the server for each of them. */
export const resolveApi: Api = async (app) => {
  app.get('/api/redirects/resolve', {
    schema: { summary: 'Say where a path leads', tags, querystring: resolveQuery, response: { 200: resolvedRedirect } },
    config: { limit: perVisitor('redirects.resolve', 120, '1 minutes') },
    async handler({ query }, reply) {
      reply.header('cache-control', 'no-store')
      return { redirect: resolvePath(query.path) }
    },
  })
}

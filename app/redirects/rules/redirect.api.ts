import { z } from 'zod'
import { sql } from 'kysely'
import { allow } from '#app/access.server.ts'
import { type Api, perVisitor } from '#app/platform/http/http.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { changeMany, changeRedirect, collapseChain, createRedirect, deleteRedirect, restoreRedirects } from './redirect.server.ts'
import { checkRedirect, listProblems } from './check.server.ts'
import { redirect } from './redirect.ts'
import {
  changedRedirects,
  checkedRedirect,
  redirectBulk,
  redirectRestore,
  redirectCheck,
  redirectOrder,
  type RedirectOrder,
  redirectResolution,
  redirectSave,
  redirectTest,
  resolvedRedirect,
  resolveQuery,
  savedRedirect,
} from './redirect-request.ts'
import { changeRedirects, listRedirects } from './redirect-list.server.ts'
import { resolvePath, testAddress } from './resolution.server.ts'
import { refuseNewCircles } from './problems.server.ts'

const params = z.object({ id: z.uuid('Redirect not found.') })
const tags = ['redirects']
const bodyLimit = 32 * 1024

export const redirectApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'redirects.write')
  })

  app.get('/api/redirects', {
    schema: { summary: 'List redirects in matching order', tags, response: { 200: z.array(redirect) } },
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
      if (!(await deleteRedirect(params.id))) stop('notFound', 'Redirect not found.')
      return reply.status(204).send(null)
    },
  })

  app.post('/api/redirects/bulk', {
    schema: { summary: 'Activate, deactivate or delete several redirects', tags, body: redirectBulk, response: { 200: changedRedirects } },
    config: { audit: 'redirects_changed' },
    handler: async ({ body }) => ({ ids: await changeMany(body) }),
  })

  app.post('/api/redirects/restore', {
    schema: { summary: 'Undo the deletion of redirects', tags, body: redirectRestore, response: { 200: changedRedirects } },
    config: { audit: 'redirects_restored' },
    handler: async ({ body }) => ({ ids: await restoreRedirects(body.ids) }),
  })

  app.patch('/api/redirects/order', {
    schema: { summary: 'Reorder the list', tags, body: redirectOrder, response: { 204: z.null() } },
    config: { audit: 'redirects_ordered' },
    async handler({ body }, reply) {
      await orderRedirects(body)
      return reply.status(204).send(null)
    },
  })

  app.get('/api/redirects/problems', {
    schema: { summary: 'List problems between redirects', tags, response: { 200: checkedRedirect } },
    handler: async () => ({ problems: await listProblems() }),
  })

  app.post('/api/redirects/check', {
    schema: { summary: 'Check a redirect for problems without saving', tags, body: redirectCheck, response: { 200: checkedRedirect } },
    bodyLimit,
    handler: async ({ body }) => ({ problems: await checkRedirect(body) }),
  })

  app.post('/api/redirects/test', {
    schema: { summary: 'Resolve a URL step by step', tags, body: redirectTest, response: { 200: redirectResolution } },
    bodyLimit,
    handler: async ({ body }) => testAddress(body.url),
  })

  app.post('/api/redirects/:id/collapse', {
    schema: { summary: 'Collapse a chain into one redirect', tags, params, response: { 200: redirect } },
    config: { audit: 'redirect_changed' },
    handler: async ({ params }) => collapseChain(params.id),
  })
}

/** For clients that render pages without a request per page. */
export const resolveApi: Api = async (app) => {
  app.get('/api/redirects/resolve', {
    schema: { summary: 'Resolve a path', tags, querystring: resolveQuery, response: { 200: resolvedRedirect } },
    config: { limit: perVisitor('redirects.resolve', 120, '1 minutes') },
    async handler({ query }, reply) {
      reply.header('cache-control', 'no-store')
      return { redirect: resolvePath(query.path) }
    },
  })
}

/** Reorders the whole list, or moves one redirect before another one (or to the end). Stops with a conflict if the list has changed. */
async function orderRedirects(order: RedirectOrder): Promise<void> {
  await changeRedirects(async (trx) => {
    const before = await listRedirects(trx)
    const ids =
      'ids' in order
        ? order.ids
        : moved(
            before.map(({ id }) => id),
            order.id,
            order.before,
          )
    const places = new Map(ids.map((id, place) => [id, place]))
    if (places.size !== before.length || before.some(({ id }) => !places.has(id))) {
      stop('conflict', 'The list has changed in the meantime. Reload it and try again.', { code: 'list_changed' })
    }
    const after = before.toSorted((one, other) => (places.get(one.id) ?? 0) - (places.get(other.id) ?? 0))
    await refuseNewCircles(before, after)
    await sql`UPDATE redirects SET position = wanted.position FROM unnest(${ids}::uuid[]) WITH ORDINALITY AS wanted(id, position)
      WHERE redirects.id = wanted.id AND redirects.position <> wanted.position`.execute(trx)
  })
}

function moved(ids: readonly string[], id: string, before: string | null): string[] {
  const others = ids.filter((other) => other !== id)
  const place = before === null ? others.length : others.indexOf(before)
  if (others.length === ids.length || place < 0)
    stop('conflict', 'The list has changed in the meantime. Reload it and try again.', { code: 'list_changed' })
  return others.toSpliced(place, 0, id)
}

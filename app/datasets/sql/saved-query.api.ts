import { z } from 'zod'
import { allow, may } from '#app/access.server.ts'
import type { CurrentUser } from '#app/account/session/current-user.ts'
import { allowMember } from '#app/organizations/organization/membership.server.ts'
import { accessTo } from '#app/datasets/access/access.server.ts'
import { PRODUCTS } from '#app/datasets/catalog/addresses.ts'
import { findCatalogEntry } from '#app/datasets/catalog/published-product.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { consume, type Limit } from '#app/platform/guard/limits.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { queryLimits } from './query.ts'
import { pastQueries, SAVED_QUERIES, savedQueries, savedQuery, savedQueryBody, savedQueryChange } from './saved-query.ts'
import {
  changeSavedQuery,
  forgetPastQueries,
  isSharedBy,
  listPastQueries,
  listSavedQueries,
  removeSavedQuery,
  saveQuery,
} from './saved-query.server.ts'

const product = z.object({ id: z.string().max(80, 'There is no such dataset.') })
const one = z.object({ id: z.uuid('There is no such saved query.') })
const unknown = () => stop('notFound', 'There is no such saved query.')
const tags = ['data']
// Each character escaped.
const bodyLimit = 6 * queryLimits.characters + 10_000
/** Per person. */
const often: Limit = { name: 'saved-queries', points: 120, seconds: 60 }

/**
 * Saved queries and the history of a person. They stay theirs when their access to the dataset ends; running one is what needs access.
 */
export const savedQueryApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await consume(often, (await allow(requestContext, 'workspace.enter')).id)
  })

  app.get(`${PRODUCTS}/:id/queries`, {
    schema: {
      summary: 'List your saved queries of a dataset',
      description: 'With those that staff share, if you may query the dataset.',
      tags,
      params: product,
      response: { 200: savedQueries },
    },
    async handler({ requestContext, params: { id } }) {
      const currentUser = await allowMember(requestContext, 'workspace.enter')
      const found = await findDataset(id, currentUser)
      const shared = (await accessTo(found, currentUser)) === 'granted'
      return listSavedQueries(found.id, currentUser.id, { shared })
    },
  })

  app.post(`${PRODUCTS}/:id/queries`, {
    schema: { summary: 'Save a query', tags, params: product, body: savedQueryBody, response: { 201: savedQuery } },
    bodyLimit,
    async handler({ requestContext, params: { id }, body }, reply) {
      const currentUser = await allow(requestContext, 'workspace.enter')
      if (body.isShared) allowSharing(currentUser)
      const { id: productId } = await findDataset(id, currentUser)
      return reply.status(201).send(await saveQuery(productId, currentUser.id, body))
    },
  })

  app.patch(`${SAVED_QUERIES}/:id`, {
    schema: { summary: 'Change a saved query', tags, params: one, body: savedQueryChange, response: { 200: savedQuery } },
    bodyLimit,
    async handler({ requestContext, params: { id }, body }) {
      const currentUser = await allow(requestContext, 'workspace.enter')
      if (body.isShared ?? (await isSharedBy(id, currentUser.id))) allowSharing(currentUser)
      return (await changeSavedQuery(id, currentUser.id, body)) ?? unknown()
    },
  })

  app.delete(`${SAVED_QUERIES}/:id`, {
    schema: {
      summary: 'Delete a saved query',
      description: 'Returns it, so that it can be saved again.',
      tags,
      params: one,
      response: { 200: savedQuery },
    },
    handler: async ({ requestContext, params: { id } }) =>
      (await removeSavedQuery(id, (await allow(requestContext, 'workspace.enter')).id)) ?? unknown(),
  })

  app.get(`${PRODUCTS}/:id/past-queries`, {
    schema: { summary: 'List your last queries of a dataset', tags, params: product, response: { 200: pastQueries } },
    async handler({ requestContext, params: { id } }) {
      const currentUser = await allow(requestContext, 'workspace.enter')
      return listPastQueries((await findDataset(id, currentUser)).id, currentUser.id)
    },
  })

  app.delete(`${PRODUCTS}/:id/past-queries`, {
    schema: { summary: 'Clear your last queries of a dataset', tags, params: product, response: { 204: z.null() } },
    async handler({ requestContext, params: { id } }, reply) {
      const currentUser = await allow(requestContext, 'workspace.enter')
      await forgetPastQueries((await findDataset(id, currentUser)).id, currentUser.id)
      return reply.status(204).send(null)
    },
  })
}

async function findDataset(id: string, { role }: CurrentUser) {
  const found = await findCatalogEntry(id, { hidden: role !== 'customer' })
  return (found ?? stop('notFound', 'There is no such dataset.')).product
}

function allowSharing(currentUser: CurrentUser): void {
  if (!may(currentUser, 'products.write')) stop('forbidden', 'Only staff can share a query.')
}

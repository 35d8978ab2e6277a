import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import { PRODUCTS } from '#app/datasets/catalog/addresses.ts'
import { findShelved } from '#app/datasets/catalog/published-product.server.ts'
import { type Api, perVisitor } from '#app/platform/http/http.server.ts'
import { stop } from '#app/platform/stop.ts'
import { ownAccess } from './own-access.ts'
import { findOwnAccess } from './own-access.server.ts'

const product = z.object({ id: z.string().max(80, 'There is no such dataset.') })

export const ownAccessApi: Api = async (app) => {
  app.get(`${PRODUCTS}/:id/own-access`, {
    schema: {
      summary: 'Show your own access to a dataset: request, outcome, expiry',
      tags: ['data'],
      params: product,
      response: { 200: ownAccess },
    },
    config: { limit: perVisitor('own-access', 300, '1 minutes') },
    async handler({ requestContext, params: { id } }, reply) {
      reply.header('cache-control', 'no-store')
      const { id: userId } = await allow(requestContext, 'workspace.enter')
      const found = (await findShelved(id)) ?? stop('notFound', 'There is no such dataset.')
      return findOwnAccess(found.product.id, userId)
    },
  })
}

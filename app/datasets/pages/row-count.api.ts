import { z } from 'zod'
import { allowMember } from '#app/organizations/organization/membership.server.ts'
import { readChoice } from '#app/datasets/rows/row-choice.ts'
import { countRows } from '#app/datasets/rows/rows.server.ts'
import { PRODUCTS } from '#app/datasets/catalog/addresses.ts'
import { findCatalogEntry } from '#app/datasets/catalog/published-product.server.ts'
import { allowEntry } from '#app/datasets/access/access.server.ts'
import { type Api, perVisitor } from '#app/platform/http/http.server.ts'
import { leaving } from '#app/platform/http/leaving.server.ts'
import { stop } from '#app/platform/errors/stop.ts'

const product = z.object({ id: z.string().max(80, 'There is no such dataset.') })
const query = z.object({}).catchall(z.union([z.string(), z.array(z.string())]))

export const rowCountApi: Api = async (app) => {
  app.get(`${PRODUCTS}/:id/count`, {
    schema: {
      summary: 'Count the rows of a dataset that match filters',
      tags: ['data'],
      params: product,
      querystring: query,
      response: { 200: z.object({ rows: z.number() }) },
    },
    config: { limit: perVisitor('row-counts', 300, '1 minutes') },
    async handler({ requestContext, params: { id }, query: asked }, reply) {
      reply.header('cache-control', 'no-store')
      const currentUser = await allowMember(requestContext, 'workspace.enter')
      const found =
        (await findCatalogEntry(id, { hidden: currentUser.role !== 'customer' })) ?? stop('notFound', 'There is no such dataset.')
      const { version: served } = await allowEntry(found, currentUser, 'see')
      const version = served ?? stop('conflict', 'This dataset is not published yet.')
      return {
        rows: await countRows(version, readChoice(asked, version.columns).filters, { signal: leaving(reply.raw), person: currentUser.id }),
      }
    },
  })
}

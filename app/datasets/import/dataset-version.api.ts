import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import { type Api } from '#app/platform/http/http.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { PRODUCTS } from '#app/datasets/catalog/addresses.ts'
import { staffVersion } from '#app/datasets/catalog/version.ts'
import { columnNames, publishing, readingChange } from '#app/datasets/catalog/version-change.ts'
import { mendColumns, rereadColumns } from './mend-columns.server.ts'
import { publishVersion, removeVersion, rollBack } from './publish.server.ts'
import { findVersionId, listStaffVersions } from './staff-version.server.ts'

const tags = ['data marketplace']
const ofProduct = z.object({ id: z.uuid('There is no such product.') })
const ofVersion = z.object({ ...ofProduct.shape, number: z.coerce.number().int().min(1).max(1_000_000_000) })
const done = { 204: z.null() }
const place = `${PRODUCTS}/:id/versions`

/** The versions of a product, for staff. */
export const datasetVersionApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'products.write')
  })

  app.get(place, {
    schema: {
      summary: 'List the versions of a data product, newest first',
      tags,
      params: ofProduct,
      response: { 200: z.array(staffVersion) },
    },
    handler: async ({ params }) => (await listStaffVersions(params.id)) ?? stop('notFound', 'There is no such product.'),
  })

  app.post(`${place}/:number/publish`, {
    schema: {
      summary: 'Publish a version; with force and a reason, even if the quality checks hold it',
      tags,
      params: ofVersion,
      body: publishing,
      response: done,
    },
    async handler({ requestContext, params, body }, reply) {
      await publishVersion(await idOf(params), await allow(requestContext, 'products.write'), body)
      return reply.status(204).send(null)
    },
  })

  app.post(`${place}/:number/current`, {
    schema: { summary: 'Roll back to an earlier version', tags, params: ofVersion, response: done },
    async handler({ requestContext, params }, reply) {
      await rollBack(params.id, params.number, await allow(requestContext, 'products.write'))
      return reply.status(204).send(null)
    },
  })

  app.post(`${place}/:number/columns`, {
    schema: {
      summary: 'Give columns of a rejected version other names, and import its file again',
      tags,
      params: ofVersion,
      body: columnNames,
      response: done,
    },
    async handler({ requestContext, params, body }, reply) {
      await mendColumns(await idOf(params), body.names, await allow(requestContext, 'products.write'))
      return reply.status(204).send(null)
    },
  })

  app.post(`${place}/:number/readings`, {
    schema: {
      summary: 'Read columns of a version that is not published in another way, and import its file again',
      description:
        'A text column can be read as numbers with a decimal point or comma, as dates by the order of their parts, as yes and no, or stay text; null takes a choice back. columnOffers of the version names the readings that fit, how many values they leave out, and an example. Rows with a value that does not fit are rejected. The choices are kept: the next file of the product is read in the same way where they fit, and a note of its version tells where they do not.',
      tags,
      params: ofVersion,
      body: readingChange,
      response: done,
    },
    async handler({ requestContext, params, body }, reply) {
      await rereadColumns(await idOf(params), body.readings, await allow(requestContext, 'products.write'))
      return reply.status(204).send(null)
    },
  })

  app.delete(`${place}/:number`, {
    schema: { summary: 'Delete a version that was never published', tags, params: ofVersion, response: done },
    async handler({ requestContext, params }, reply) {
      await removeVersion(await idOf(params), await allow(requestContext, 'products.write'))
      return reply.status(204).send(null)
    },
  })
}

async function idOf({ id, number }: z.infer<typeof ofVersion>): Promise<string> {
  return (await findVersionId(id, number)) ?? stop('notFound', 'There is no such version.')
}

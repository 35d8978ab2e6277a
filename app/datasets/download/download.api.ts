import { z } from 'zod'
import { allow, may } from '#app/access.server.ts'
import { allowMember } from '#app/organizations/organization/membership.server.ts'
import { findCurrentUser } from '#app/account/session/current-user.server.ts'
import { OWN_DOWNLOADS, PRODUCTS } from '#app/datasets/catalog/addresses.ts'
import { rawOf } from '#app/datasets/catalog/format.ts'
import { findCatalogEntry, type CatalogEntry } from '#app/datasets/catalog/published-product.server.ts'
import { allowEntry } from '#app/datasets/access/access.server.ts'
import { type Api, perVisitor } from '#app/platform/http/http.server.ts'
import { consume, type Limit } from '#app/platform/guard/limits.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { downloadAnswer, downloadBody, downloadManifest, ownDownload, rawText } from './download.ts'
import { findManifest, listOwnDownloads, startDownload } from './download.server.ts'

const tags = ['data']
const params = z.object({ id: z.string().max(80, 'There is no such dataset.') })
const perPerson: Limit = { name: 'downloads', points: 120, seconds: 600 }

/** Downloads of datasets: links, the user's own downloads, and checksums. */
export const downloadApi: Api = async (app) => {
  app.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'))

  app.get(`${PRODUCTS}/:id/manifest`, {
    schema: {
      summary: 'The files of a dataset with their sizes and SHA-256 checksums',
      tags,
      params,
      querystring: z.object({ version: z.coerce.number().int().optional() }),
      response: { 200: downloadManifest },
    },
    config: { limit: perVisitor('manifests', 300, '1 minutes') },
    handler: async ({ requestContext, params: { id }, query: { version } }) => findManifest(await find(requestContext, id), version),
  })

  app.register(signedIn)
}

const signedIn: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }) => void (await allow(requestContext, 'workspace.enter')))

  app.post(`${PRODUCTS}/:id/download`, {
    schema: {
      summary: 'Download a dataset: returns a personal URL, valid for 15 minutes',
      tags,
      params,
      querystring: z.object({ raw: rawText }),
      body: downloadBody,
      response: { 200: downloadAnswer },
    },
    bodyLimit: 64 * 1024,
    async handler({ requestContext, params: { id }, query: { raw }, body }) {
      const person = await allowMember(requestContext, 'workspace.enter')
      const found = await allowEntry(await find(requestContext, id), person)
      await consume(perPerson, person.id)
      return {
        downloadUrl: await startDownload(found, person, { ...body, format: rawOf(body.format ?? 'csv', raw) }, requestContext.address),
      }
    },
  })

  app.get(OWN_DOWNLOADS, {
    schema: { summary: 'List what you have downloaded as a file', tags, response: { 200: z.array(ownDownload) } },
    async handler({ requestContext }) {
      const { id } = await allow(requestContext, 'workspace.enter')
      return listOwnDownloads(id)
    },
  })
}

/** Only staff find unpublished products. */
async function find(requestContext: RequestContext, id: string): Promise<CatalogEntry> {
  const currentUser = await findCurrentUser(requestContext)
  const hidden = currentUser !== undefined && may(currentUser, 'products.write')
  return (await findCatalogEntry(id, { hidden })) ?? stop('notFound', 'There is no such dataset.')
}

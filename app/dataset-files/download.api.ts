import { z } from 'zod'
import { allow, may } from '#app/access.server.ts'
import { findViewer } from '#app/account/viewer.server.ts'
import { OWN_DOWNLOADS, PRODUCTS } from '#app/datasets/addresses.ts'
import { rawOf } from '#app/datasets/format.ts'
import { findShelved, type Shelved } from '#app/datasets/shelf.server.ts'
import { allowData } from '#app/entitlements/access.server.ts'
import { type Api, perVisitor } from '#app/platform/http.server.ts'
import { consume, type Limit } from '#app/platform/limits.server.ts'
import { stop } from '#app/platform/stop.ts'
import type { Visit } from '#app/platform/visit.server.ts'
import { downloadAnswer, downloadBody, manifest, ownDownload, rawText } from './download.ts'
import { findManifest, listOwnDownloads, startDownload } from './download.server.ts'

const tags = ['data']
const params = z.object({ id: z.string().max(80, 'There is no such dataset.') })
const perPerson: Limit = { name: 'downloads', points: 120, seconds: 600 }

/** Taking datasets: where from, what was taken, and how to check it. */
export const downloadApi: Api = async (app) => {
  app.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'))

  app.get(`${PRODUCTS}/:id/manifest`, {
    schema: {
      summary: 'The files of a dataset with their sizes and SHA-256 checksums',
      tags,
      params,
      querystring: z.object({ version: z.coerce.number().int().optional() }),
      response: { 200: manifest },
    },
    config: { limit: perVisitor('manifests', 300, '1 minutes') },
    handler: async ({ visit, params: { id }, query: { version } }) => findManifest(await find(visit, id), version),
  })

  app.register(signedIn)
}

const signedIn: Api = async (app) => {
  app.addHook('onRequest', async ({ visit }) => void (await allow(visit, 'workspace.enter')))

  app.post(`${PRODUCTS}/:id/download`, {
    schema: {
      summary: 'Take a dataset: answers an address for you alone, for 15 minutes',
      tags,
      params,
      querystring: z.object({ raw: rawText }),
      body: downloadBody,
      response: { 200: downloadAnswer },
    },
    bodyLimit: 64 * 1024,
    async handler({ visit, params: { id }, query: { raw }, body }) {
      const person = await allow(visit, 'workspace.enter')
      const found = await find(visit, id)
      await allowData(found.product, person)
      await consume(perPerson, person.id)
      return { downloadUrl: await startDownload(found, person, { ...body, format: rawOf(body.format ?? 'csv', raw) }, visit.address) }
    },
  })

  app.get(OWN_DOWNLOADS, {
    schema: { summary: 'List what you have downloaded as a file', tags, response: { 200: z.array(ownDownload) } },
    async handler({ visit }) {
      const { id } = await allow(visit, 'workspace.enter')
      return listOwnDownloads(id)
    },
  })
}

/** What is hidden is there for staff alone. */
async function find(visit: Visit, id: string): Promise<Shelved> {
  const viewer = await findViewer(visit)
  const hidden = viewer !== undefined && may(viewer, 'products.write')
  return (await findShelved(id, { hidden })) ?? stop('notFound', 'There is no such dataset.')
}

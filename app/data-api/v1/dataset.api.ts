import { z } from 'zod'
import { productDetail } from '#app/datasets/catalog/product.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { callerOf, counted } from './caller.server.ts'
import { datasetList, DATASETS, numberOr, versionText } from './dataset.ts'
import { describeDataset, listDatasets, openVersion, rowSchema } from './dataset.server.ts'

const tags = ['data']
const params = z.object({ slug: z.string().max(100, 'There is no such dataset.') })

/** The datasets and the columns of their rows. */
export const datasetApi: Api = async (app) => {
  app.get(DATASETS, {
    schema: {
      summary: 'List the published datasets',
      description: 'Each dataset has an `access` field: `granted` (readable now) or `pay` (request access first).',
      tags,
      response: { 200: datasetList },
    },
    async handler({ requestContext }) {
      const caller = callerOf(requestContext)
      return counted(caller, async () => ({ data: await listDatasets(caller) }))
    },
  })

  app.get(`${DATASETS}/:slug`, {
    schema: { summary: 'Describe a dataset: its columns, files and versions', tags, params, response: { 200: productDetail } },
    async handler({ requestContext, params: { slug } }) {
      const caller = callerOf(requestContext)
      const detail = await describeDataset(caller, slug)
      return counted(caller, async () => detail)
    },
  })

  app.get(`${DATASETS}/:slug/schema`, {
    schema: {
      summary: 'The JSON Schema of a row',
      description: 'JSON Schema 2020-12 of the current version, or of `version`.',
      tags,
      params,
      querystring: z.object({ version: versionText }),
      response: { 200: z.record(z.string(), z.unknown()) },
    },
    async handler({ requestContext, params: { slug }, query }, reply) {
      const caller = callerOf(requestContext)
      const { product, version } = await openVersion(caller, slug, numberOr(query.version, undefined))
      reply.header('content-type', 'application/schema+json; charset=utf-8')
      return counted(caller, async () => rowSchema(product, version))
    },
  })
}

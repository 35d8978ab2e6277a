import { z } from 'zod'
import { productDetail } from '#app/datasets/catalog/product.ts'
import { env } from '#app/platform/env.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import type { Column, ColumnType } from '#app/datasets/catalog/column.ts'
import { callerOf, counted } from './caller.server.ts'
import { datasetList, DATASETS, numberOr, versionText } from './dataset.ts'
import { describeDataset, listDatasets, openVersion } from './dataset.server.ts'

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
      const id = `${env.SITE_URL}${DATASETS}/${product.slug}/schema?version=${version.number}`
      reply.header('content-type', 'application/schema+json; charset=utf-8')
      return counted(caller, async () => rowSchema(id, product.name, version.columns))
    },
  })
}

type JsonSchema = Record<string, unknown>

const WHOLE = String.raw`^-?\d+$`
const TIME = String.raw`^-?\d{4,}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?$`

/** How each type is written in JSON. Numbers that JavaScript or JSON cannot hold exactly are text. */
const shapes: Record<ColumnType, { types: string[]; rules?: JsonSchema }> = {
  text: { types: ['string'] },
  integer: { types: ['integer', 'string'], rules: { pattern: WHOLE } },
  number: { types: ['number', 'string'] },
  boolean: { types: ['boolean'] },
  date: { types: ['string'], rules: { format: 'date' } },
  timestamp: { types: ['string'], rules: { pattern: TIME } },
  list: { types: ['array'] },
  object: { types: ['object'] },
}

/** JSON Schema (2020-12) of a row in `application/json` and `application/x-ndjson`. Any value may be null. */
function rowSchema(id: string, title: string, columns: readonly Pick<Column, 'name' | 'type' | 'description'>[]): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: id,
    title,
    type: 'object',
    properties: Object.fromEntries(columns.map((column) => [column.name, valueSchema(column)])),
    required: columns.map(({ name }) => name),
    additionalProperties: false,
  }
}

function valueSchema({ type, description }: Pick<Column, 'type' | 'description'>): JsonSchema {
  const { types, rules = {} } = shapes[type]
  return { ...(description && { description }), type: [...types, 'null'], ...rules }
}

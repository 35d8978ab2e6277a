import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import { PRODUCTS } from '#app/datasets/addresses.ts'
import { findPublished, findShelved } from '#app/datasets/shelf.server.ts'
import { allowData } from '#app/entitlements/access.server.ts'
import type { Api } from '#app/platform/http.server.ts'
import { leaving } from '#app/platform/leaving.server.ts'
import { consume, type Limit } from '#app/platform/limits.server.ts'
import { stop } from '#app/platform/stop.ts'
import { localFile } from '#app/storage/storage.server.ts'
import { ask } from './query-process.server.ts'
import { inTurn } from './query-queue.server.ts'
import { question, queryLimits, queryResult } from './query.ts'

const params = z.object({ id: z.string().max(80, 'There is no such dataset.') })
const unknown = () => stop('notFound', 'There is no such dataset.')
/** Of one person. */
const often: Limit = { name: 'questions', points: 60, seconds: 60 }

/** Questions in SQL to the data of one product. */
export const queryApi: Api = async (app) => {
  app.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'))

  app.post(`${PRODUCTS}/:id/query`, {
    schema: {
      summary: 'Ask a dataset in SQL',
      description: `One SELECT over the table \`data\`, which also has the name of the dataset. It takes at most ${queryLimits.seconds} seconds and ${queryLimits.megabytes} MB; at most ${queryLimits.rows.toLocaleString('en-US')} rows are given.`,
      tags: ['data'],
      params,
      body: question,
      response: { 200: queryResult },
    },
    // Each character escaped.
    bodyLimit: 6 * queryLimits.characters + 1000,
    async handler({ visit, params: { id }, body: { sql, version } }, reply) {
      const viewer = await allow(visit, 'workspace.enter')
      const shelved = (await findShelved(id, { hidden: viewer.role !== 'customer' })) ?? unknown()
      await allowData(shelved.product, viewer)
      const asked =
        version === undefined
          ? shelved.version
          : ((await findPublished(shelved.product.id, version)) ?? stop('notFound', 'There is no such version.'))
      if (!asked) return stop('conflict', 'This dataset has not been published yet.', { code: 'not_published' })
      await consume(often, viewer.id)
      const left = leaving(reply.raw)
      const file =
        (await localFile(`datasets/${asked.id}/data.parquet`)) ?? stop('unavailable', 'The data of this version cannot be read just now.')
      const answer = await inTurn(viewer.id, left, () => ask({ file, tables: tablesOf(shelved.product.slug), sql }, left))
      return sendJson(reply, answer)
    },
  })
}

/** Its own name as it is, and as SQL takes it without quotation marks. */
function tablesOf(slug: string): string[] {
  return [...new Set(['data', slug, slug.replaceAll('-', '_')])]
}

/** It is JSON already, written by the process that was asked: to read it again would cost this one more than the question did. */
function sendJson(reply: FastifyReply, json: Buffer) {
  return reply.type('application/json; charset=utf-8').send(json)
}

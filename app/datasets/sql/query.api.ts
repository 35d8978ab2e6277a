import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import os from 'node:os'
import { allowMember } from '#app/organizations/organization/membership.server.ts'
import { PRODUCTS } from '#app/datasets/catalog/addresses.ts'
import { refuseLater } from '#app/datasets/catalog/served-version.server.ts'
import { findPublished, findCatalogEntry } from '#app/datasets/catalog/published-product.server.ts'
import { allowEntry } from '#app/datasets/access/access.server.ts'
import { noteSiteRead } from '#app/datasets/access/site-read.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { PersonPlaces } from '#app/platform/database/person-places.server.ts'
import { leaving } from '#app/platform/http/leaving.server.ts'
import { consume, type Limit } from '#app/platform/guard/limits.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { localFile } from '#app/platform/storage/storage.server.ts'
import { QueryQueue } from '#app/datasets/rows/query-queue.server.ts'
import { numberText } from '#app/platform/text/english-number.ts'
import { runQuery } from './query-process.server.ts'
import { queryLimits, queryResult, question } from './query.ts'
import { rememberQuery } from './saved-query.server.ts'

const params = z.object({ id: z.string().max(80, 'There is no such dataset.') })
const unknown = () => stop('notFound', 'There is no such dataset.')
/** Per person. */
const often: Limit = { name: 'questions', points: 60, seconds: 60 }

/** SQL queries on one dataset. */
export const queryApi: Api = async (app) => {
  app.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'))

  app.post(`${PRODUCTS}/:id/query`, {
    schema: {
      summary: 'Query a dataset with SQL',
      description: `One SELECT over the table \`data\`, which the slug of the dataset names as well. Limits: ${queryLimits.seconds} seconds, ${queryLimits.megabytes} MB of memory and ${numberText(queryLimits.rows)} rows. Times are in UTC. Write a time with an offset as \`TIMESTAMPTZ '2024-06-01T12:00:00-04:00'\`: a plain text loses its offset when it is compared.`,
      tags: ['data'],
      params,
      body: question,
      response: { 200: queryResult },
    },
    // Each character escaped.
    bodyLimit: 6 * queryLimits.characters + 1000,
    async handler({ requestContext, params: { id }, body: { sql, version } }, reply) {
      const currentUser = await allowMember(requestContext, 'workspace.enter')
      const found = (await findCatalogEntry(id, { hidden: currentUser.role !== 'customer' })) ?? unknown()
      const entry = await allowEntry(found, currentUser)
      const asked =
        version === undefined
          ? entry.version
          : ((await findPublished(entry.product.id, version)) ?? stop('notFound', 'There is no such version.'))
      if (!asked) return stop('conflict', 'This dataset has not been published yet.', { code: 'not_published' })
      refuseLater(asked, entry)
      await consume(often, currentUser.id)
      await rememberQuery(entry.product.id, currentUser.id, sql)
      const left = leaving(reply.raw)
      const file =
        (await localFile(`datasets/${asked.id}/data.parquet`)) ??
        stop('unavailable', 'The data of this version is unavailable. Try again later.')
      await noteSiteRead(entry.product.id, currentUser)
      const answer = await inTurn(currentUser.id, left, () => runQuery({ file, tables: tablesOf(entry.product.slug), sql }, left))
      return sendJson(reply, answer)
    },
  })
}

/** The slug as it is, and as an unquoted SQL name. */
function tablesOf(slug: string): string[] {
  return [...new Set(['data', slug, slug.replaceAll('-', '_')])]
}

/** The body is JSON from the query process: parsing it again would cost this process more than the query did. */
function sendJson(reply: FastifyReply, json: Buffer) {
  return reply.type('application/json; charset=utf-8').send(json)
}

/**
 * The queries that run in parallel: one processor stays free for other work, if there is more than one. With two queries on two
 * processors, other work took a seventh longer.
 */
const queryQueue = new QueryQueue(() => Math.min(2, Math.max(1, os.availableParallelism() - 1)))
/**
 * One person has at most two queries, running or queued. The queue has room for the second ones of ten people, so they never fill it for
 * the rest.
 */
const places = new PersonPlaces('sql', 2)
const MOST_WAITING = 20

/**
 * Runs the work when its turn comes: people take turns, then arrival counts. Throws when too many are queued. Aborting leaves the queue.
 */
async function inTurn<T>(person: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const leave =
    (await places.take(person)) ??
    stop('tooMany', 'Your previous queries are still running. Wait for one to finish.', { code: 'too_many_requests', retryAfter: 5 })
  try {
    return await queryQueue.pass(work, { signal, mostWaiting: MOST_WAITING, person })
  } finally {
    leave()
  }
}

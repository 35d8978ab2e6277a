import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import { type Api, perVisitor } from '#app/platform/http/http.server.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { importStatement } from './import-statement.server.ts'
import { decisionBody, payBody, statementBody, statementReport, transferPage, transferQuery, TRANSFERS } from './transfer.ts'
import { decide, listTransfers, payWith, setIgnored } from './transfer.server.ts'

const tags = ['billing']
const params = z.object({ id: z.uuid('There is no such payment.') })
const done = { 204: z.null() }
/** Bytes: the characters of the largest file can be longer in UTF-8 and as JSON. */
const LARGEST = 50 * 1024 * 1024

/** The lines of bank statements. */
export const transferApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'billing.read')
  })

  app.get(TRANSFERS, {
    schema: { summary: 'List lines of bank statements', tags, querystring: transferQuery, response: { 200: transferPage } },
    handler: async ({ query }) => listTransfers(query),
  })
}

/** Bank statements are imported, and their lines decided, by staff with the right. */
export const transferActionApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'billing.write')
  })

  app.post(`${TRANSFERS}/import`, {
    schema: {
      summary: 'Import a bank statement, or check it in a dry run',
      description: 'CAMT.053, or the CSV file of a bank. Each line counts once, also where statements overlap.',
      tags,
      querystring: z.object({ dry: z.enum(['true', 'false'], 'dry is true or false').default('false') }),
      body: statementBody,
      response: { 200: statementReport },
    },
    bodyLimit: LARGEST,
    config: { limit: perVisitor('bank-statements', 120, '10 minutes') },
    handler: async ({ requestContext, query: { dry }, body }) => importStatement(body, dry === 'true', await actorOf(requestContext)),
  })

  app.post(`${TRANSFERS}/:id/decide`, {
    schema: { summary: 'Book a line of a bank statement as proposed', tags, params, body: decisionBody, response: done },
    async handler({ requestContext, params: { id }, body }, reply) {
      await decide(id, body, await actorOf(requestContext))
      return reply.status(204).send(null)
    },
  })

  app.post(`${TRANSFERS}/:id/pay`, {
    schema: { summary: 'Pay an order with a line of a bank statement', tags, params, body: payBody, response: done },
    async handler({ requestContext, params: { id }, body: { order } }, reply) {
      await payWith(id, order, await actorOf(requestContext))
      return reply.status(204).send(null)
    },
  })

  app.post(`${TRANSFERS}/:id/ignore`, {
    schema: { summary: 'Mark a line of a bank statement as no payment of a customer', tags, params, response: done },
    async handler({ requestContext, params: { id } }, reply) {
      await setIgnored(id, true, await actorOf(requestContext))
      return reply.status(204).send(null)
    },
  })

  app.post(`${TRANSFERS}/:id/reopen`, {
    schema: { summary: 'Undo ignoring a line of a bank statement', tags, params, response: done },
    async handler({ requestContext, params: { id } }, reply) {
      await setIgnored(id, false, await actorOf(requestContext))
      return reply.status(204).send(null)
    },
  })
}

async function actorOf(requestContext: RequestContext) {
  return { id: (await allow(requestContext, 'billing.write')).id, address: requestContext.address }
}

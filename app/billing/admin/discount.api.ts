import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { listDiscounts } from './desk-list.server.ts'
import { archiveBody, discountBody, discountPage, discountQuery, DISCOUNTS } from './discount.ts'
import { archiveDiscount, makeDiscount } from './discount.server.ts'

const tags = ['billing']

/** Discount codes, for staff with the right to change billing. */
export const discountApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'billing.write')
  })

  app.get(DISCOUNTS, {
    schema: { summary: 'List discount codes', tags, querystring: discountQuery, response: { 200: discountPage } },
    async handler({ query }) {
      const { rows, nextCursor } = await listDiscounts(query)
      return { discounts: rows, nextCursor }
    },
  })

  app.post(DISCOUNTS, {
    schema: {
      summary: 'Create a discount code',
      description:
        'It takes off a share, in hundredths of a percent, or an amount in the smallest unit of its currency. An organization uses it once.',
      tags,
      body: discountBody,
      response: { 201: z.object({ id: z.string() }) },
    },
    async handler({ requestContext, body }, reply) {
      const { id } = await allow(requestContext, 'billing.write')
      return reply.status(201).send({ id: await makeDiscount(body, { id, address: requestContext.address }) })
    },
  })

  app.put(`${DISCOUNTS}/:id/archived`, {
    schema: {
      summary: 'Archive a discount code, or use it again',
      tags,
      params: z.object({ id: z.uuid('There is no such discount code.') }),
      body: archiveBody,
      response: { 204: z.null() },
    },
    async handler({ requestContext, params, body: { archived } }, reply) {
      const { id } = await allow(requestContext, 'billing.write')
      await archiveDiscount(params.id, archived, { id, address: requestContext.address })
      return reply.status(204).send(null)
    },
  })
}

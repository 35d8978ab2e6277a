import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { offerBody, offerPrice, staffOffer, staffOffersOf } from './staff-offer.ts'
import { addOffer, archiveOffer, changeOfferPrice, listStaffOffers } from './staff-offer.server.ts'

const params = z.object({ id: z.uuid('There is no such dataset.') })
const one = z.object({ ...params.shape, offerId: z.uuid('There is no such price.') })
const tags = ['products']
const bodyLimit = 4096
const url = decodeURIComponent(staffOffersOf(':id'))

/** Prices by the month, quarter or year, and in other currencies. */
export const staffOfferApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'products.write')
  })

  app.get(url, {
    schema: {
      summary: 'List the subscription prices of a product, and those in other currencies',
      tags,
      params,
      response: { 200: z.array(staffOffer) },
    },
    handler: async ({ params: { id } }) => listStaffOffers(id),
  })

  app.post(url, {
    schema: { summary: 'Add a price to a product', tags, params, body: offerBody, response: { 204: z.null() } },
    bodyLimit,
    async handler({ requestContext, params: { id }, body }, reply) {
      await addOffer(id, body, await actorOf(requestContext))
      return reply.status(204).send(null)
    },
  })

  app.put(`${url}/:offerId`, {
    schema: {
      summary: 'Change a price of a product',
      description: 'Where there are subscriptions, the new price counts 30 days later, and subscribers are told by email.',
      tags,
      params: one,
      body: offerPrice,
      response: { 204: z.null() },
    },
    bodyLimit,
    async handler({ requestContext, params: { id, offerId }, body: { amount } }, reply) {
      await changeOfferPrice(id, offerId, amount, await actorOf(requestContext))
      return reply.status(204).send(null)
    },
  })

  app.delete(`${url}/:offerId`, {
    schema: { summary: 'Stop offering a price', tags, params: one, response: { 204: z.null() } },
    async handler({ requestContext, params: { id, offerId } }, reply) {
      await archiveOffer(id, offerId, await actorOf(requestContext))
      return reply.status(204).send(null)
    },
  })
}

async function actorOf(requestContext: RequestContext) {
  return { id: (await allow(requestContext, 'products.write')).id, address: requestContext.address }
}

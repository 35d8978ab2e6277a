import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import { PRODUCTS } from '#app/datasets/addresses.ts'
import { findShelved } from '#app/datasets/shelf.server.ts'
import { type Api, perVisitor } from '#app/platform/http.server.ts'
import { stop } from '#app/platform/stop.ts'
import {
  accessReceipt,
  accessWish,
  declineBody,
  entitlement,
  ENTITLEMENTS,
  type GrantBody,
  grantBody,
  PRODUCT_REQUESTS,
  productRequest,
} from './entitlement.ts'
import { findByAddress, grant, listEntitlements, revoke } from './grant.server.ts'
import { askForProduct, declineRequest, findOpenRequest, listRequests } from './product-request.server.ts'

const tags = ['products']
const product = z.object({ id: z.string().max(80, 'There is no such dataset.') })
const request = z.object({ id: z.uuid('There is no such request.') })
const unknown = () => stop('notFound', 'There is no such dataset.')

/** Who may have what costs: customers ask, staff give and take back. */
export const entitlementApi: Api = async (app) => {
  app.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'))

  app.post(`${PRODUCTS}/:id/request-access`, {
    schema: {
      summary: 'Ask for a dataset that has to be paid for',
      tags: ['data'],
      params: product,
      body: accessWish,
      response: { 201: accessReceipt },
    },
    bodyLimit: 16 * 1024,
    config: { limit: perVisitor('product-requests-sent', 60, '10 minutes') },
    async handler({ visit, params: { id }, body: { message } }, reply) {
      const person = await allow(visit, 'workspace.enter')
      const { product: asked } = (await findShelved(id)) ?? unknown()
      return reply.status(201).send(await askForProduct(asked, person, message))
    },
  })

  app.register(staffOnly)
}

const staffOnly: Api = async (app) => {
  app.addHook('onRequest', async ({ visit }) => void (await allow(visit, 'products.write')))

  app.get(PRODUCT_REQUESTS, {
    schema: {
      summary: 'List who asks for datasets: those who wait, the longest first, or all',
      tags,
      querystring: z.object({ state: z.enum(['open', 'all'], 'state is open or all').default('open') }),
      response: { 200: z.array(productRequest) },
    },
    handler: async ({ query: { state } }) => listRequests({ all: state === 'all' }),
  })

  app.post(`${PRODUCT_REQUESTS}/:id/decline`, {
    schema: { summary: 'Decline a request for a dataset', tags, params: request, body: declineBody, response: { 204: z.null() } },
    async handler({ visit, params: { id }, body: { reason } }, reply) {
      const staff = await allow(visit, 'products.write')
      const declined = await declineRequest(id, reason, { id: staff.id, address: visit.address })
      if (!declined) stop('notFound', 'This request has been answered, or there is none.')
      return reply.status(204).send(null)
    },
  })

  app.get(`${PRODUCTS}/:id/entitlements`, {
    schema: {
      summary: 'List who was given a dataset, the newest first',
      tags,
      params: product,
      response: { 200: z.array(entitlement) },
    },
    async handler({ params: { id } }) {
      const found = (await findShelved(id, { hidden: true })) ?? unknown()
      return listEntitlements(found.product.id)
    },
  })

  app.post(`${PRODUCTS}/:id/entitlements`, {
    schema: { summary: 'Give someone a dataset', tags, params: product, body: grantBody, response: { 201: entitlement } },
    bodyLimit: 16 * 1024,
    async handler({ visit, params: { id }, body }, reply) {
      const staff = await allow(visit, 'products.write')
      const found = (await findShelved(id, { hidden: true })) ?? unknown()
      const { note, paymentReference, expiresAt } = body
      const given = {
        productId: found.product.id,
        userId: await receiver(body, found.product.id),
        note,
        paymentReference,
        expiresAt: expiresAt ? new Date(expiresAt) : null,
      }
      return reply.status(201).send(await grant(given, { id: staff.id, address: visit.address }))
    },
  })

  app.delete(`${ENTITLEMENTS}/:id`, {
    schema: {
      summary: 'Take a dataset back from someone, at once',
      tags,
      params: z.object({ id: z.uuid('There is nothing to take back.') }),
      response: { 204: z.null() },
    },
    async handler({ visit, params: { id } }, reply) {
      const staff = await allow(visit, 'products.write')
      if (!(await revoke(id, { id: staff.id, address: visit.address }))) stop('notFound', 'There is nothing to take back.')
      return reply.status(204).send(null)
    },
  })
}

/** Who gets it: exactly one of the three is there. */
async function receiver({ email, userId, requestId }: GrantBody, productId: string): Promise<string> {
  if (userId) return userId
  if (requestId) {
    const asked = await findOpenRequest(requestId)
    if (asked?.productId !== productId) stop('conflict', 'This request has been answered, or there is none.')
    return asked.userId
  }
  const found = email && (await findByAddress(email))
  return found || stop('unprocessable', 'Nobody has an account with this address.', { errors: { email: 'Nobody has an account with it' } })
}

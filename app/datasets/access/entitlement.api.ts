import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import { findOrganizationId } from '#app/organizations/organization/organization.server.ts'
import { allowMember } from '#app/organizations/organization/membership.server.ts'
import { PRODUCTS } from '#app/datasets/catalog/addresses.ts'
import { findCatalogEntry } from '#app/datasets/catalog/published-product.server.ts'
import { type Api, perVisitor } from '#app/platform/http/http.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import {
  accessReceipt,
  accessRequestBody,
  declineBody,
  entitlement,
  ENTITLEMENTS,
  type GrantBody,
  grantBody,
  PRODUCT_REQUESTS,
  productRequest,
} from './entitlement.ts'
import { findByAddress, grant, listEntitlements, revoke } from './grant.server.ts'
import { requestProduct, declineRequest, findOpenRequest, listProductRequests } from './product-request.server.ts'

const tags = ['products']
const product = z.object({ id: z.string().max(80, 'There is no such dataset.') })
const request = z.object({ id: z.uuid('There is no such request.') })
const unknown = () => stop('notFound', 'There is no such dataset.')

/** Access to paid datasets: customers request it, staff grant and revoke it. */
export const entitlementApi: Api = async (app) => {
  app.addHook('onRequest', async (_request, reply) => void reply.header('cache-control', 'no-store'))

  app.post(`${PRODUCTS}/:id/request-access`, {
    schema: {
      summary: 'Request access to a paid dataset',
      tags: ['data'],
      params: product,
      body: accessRequestBody,
      response: { 201: accessReceipt },
    },
    bodyLimit: 16 * 1024,
    config: { limit: perVisitor('product-requests-sent', 60, '10 minutes') },
    async handler({ requestContext, params: { id }, body: { message } }, reply) {
      const person = await allowMember(requestContext, 'workspace.enter')
      const { product: asked } = (await findCatalogEntry(id)) ?? unknown()
      return reply.status(201).send(await requestProduct(asked, person, message, requestContext.address))
    },
  })

  app.register(staffOnly)
}

const staffOnly: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }) => void (await allow(requestContext, 'products.write')))

  app.get(PRODUCT_REQUESTS, {
    schema: {
      summary: 'List access requests: open ones, oldest first, or all',
      tags,
      querystring: z.object({ state: z.enum(['open', 'all'], 'state is open or all').default('open') }),
      response: { 200: z.array(productRequest) },
    },
    handler: async ({ query: { state } }) => listProductRequests({ all: state === 'all' }),
  })

  app.post(`${PRODUCT_REQUESTS}/:id/decline`, {
    schema: { summary: 'Decline a request for a dataset', tags, params: request, body: declineBody, response: { 204: z.null() } },
    async handler({ requestContext, params: { id }, body: { reason } }, reply) {
      const staff = await allow(requestContext, 'products.write')
      const declined = await declineRequest(id, reason, { id: staff.id, address: requestContext.address })
      if (!declined) stop('notFound', 'This request does not exist or has been answered.')
      return reply.status(204).send(null)
    },
  })

  app.get(`${PRODUCTS}/:id/entitlements`, {
    schema: {
      summary: 'List the grants of a dataset, newest first',
      tags,
      params: product,
      response: { 200: z.array(entitlement) },
    },
    async handler({ params: { id } }) {
      const found = (await findCatalogEntry(id, { hidden: true })) ?? unknown()
      return listEntitlements(found.product.id)
    },
  })

  app.post(`${PRODUCTS}/:id/entitlements`, {
    schema: { summary: 'Grant access to a dataset', tags, params: product, body: grantBody, response: { 201: entitlement } },
    bodyLimit: 16 * 1024,
    async handler({ requestContext, params: { id }, body }, reply) {
      const staff = await allow(requestContext, 'products.write')
      const found = (await findCatalogEntry(id, { hidden: true })) ?? unknown()
      const { note, paymentReference, expiresAt } = body
      const given = {
        productId: found.product.id,
        ...(await receiver(body, found.product.id)),
        note,
        paymentReference,
        expiresAt: expiresAt ? new Date(expiresAt) : null,
      }
      return reply.status(201).send(await grant(given, { id: staff.id, address: requestContext.address }))
    },
  })

  app.delete(`${ENTITLEMENTS}/:id`, {
    schema: {
      summary: 'Revoke access to a dataset immediately',
      tags,
      params: z.object({ id: z.uuid('There is no access to revoke.') }),
      response: { 204: z.null() },
    },
    async handler({ requestContext, params: { id } }, reply) {
      const staff = await allow(requestContext, 'products.write')
      if (!(await revoke(id, { id: staff.id, address: requestContext.address }))) stop('notFound', 'There is no access to revoke.')
      return reply.status(204).send(null)
    },
  })
}

async function idOfOrganization(asked: string): Promise<string> {
  const sentence = 'There is no such organization'
  return (await findOrganizationId(asked)) ?? stop('unprocessable', `${sentence}.`, { errors: { organization: sentence } })
}

type Receiver = { organizationId: string; userId: string | null }

/** Finds the receiver: exactly one of the four fields is set. */
async function receiver({ email, userId, requestId, organization }: GrantBody, productId: string): Promise<Receiver> {
  if (organization) return { organizationId: await idOfOrganization(organization), userId: null }
  if (userId) return { organizationId: userId, userId }
  if (requestId) {
    const asked = await findOpenRequest(requestId)
    if (asked?.productId !== productId) stop('conflict', 'This request does not exist or has been answered.')
    return { organizationId: asked.organizationId, userId: asked.userId }
  }
  const found = email && (await findByAddress(email))
  if (!found) stop('unprocessable', 'No account has this email address.', { errors: { email: 'No account has this email address' } })
  return { organizationId: found, userId: found }
}

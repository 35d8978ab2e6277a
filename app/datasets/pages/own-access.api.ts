import { z } from 'zod'
import { allowMember } from '#app/organizations/organization/membership.server.ts'
import { PRODUCTS } from '#app/datasets/catalog/addresses.ts'
import { liveGrants } from '#app/datasets/catalog/access.server.ts'
import { findVersionsUntil } from '#app/datasets/catalog/served-version.server.ts'
import { findCatalogEntry } from '#app/datasets/catalog/published-product.server.ts'
import { type Api, perVisitor } from '#app/platform/http/http.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { db } from '#app/platform/database/db.server.ts'
import { ownAccess, type OwnAccess } from './own-access.ts'

const product = z.object({ id: z.string().max(80, 'There is no such dataset.') })

export const ownAccessApi: Api = async (app) => {
  app.get(`${PRODUCTS}/:id/own-access`, {
    schema: {
      summary: 'Show your own access to a dataset: request, outcome, expiry',
      tags: ['data'],
      params: product,
      response: { 200: ownAccess },
    },
    config: { limit: perVisitor('own-access', 300, '1 minutes') },
    async handler({ requestContext, params: { id } }, reply) {
      reply.header('cache-control', 'no-store')
      const { organization } = await allowMember(requestContext, 'workspace.enter')
      const found = (await findCatalogEntry(id)) ?? stop('notFound', 'There is no such dataset.')
      return findOwnAccess(found.product.id, organization.id)
    },
  })
}

async function findOwnAccess(productId: string, organizationId: string): Promise<OwnAccess> {
  const [request, grant, versionsUntil] = await Promise.all([
    db
      .selectFrom('productRequests')
      .select(['createdAt', 'outcome'])
      .where('productId', '=', productId)
      .where('organizationId', '=', organizationId)
      .orderBy('createdAt', 'desc')
      .limit(1)
      .executeTakeFirst(),
    // The grant that lasts longest.
    liveGrants(organizationId)
      .select(['createdAt', 'expiresAt'])
      .where('productId', '=', productId)
      .orderBy('expiresAt', (order) => order.desc().nullsFirst())
      .executeTakeFirst(),
    findVersionsUntil(productId, organizationId),
  ])
  return {
    askedAt: request?.createdAt.toISOString() ?? null,
    outcome: request?.outcome ?? null,
    grantedAt: grant?.createdAt.toISOString() ?? null,
    grantedUntil: grant?.expiresAt?.toISOString() ?? null,
    versionsUntil: versionsUntil?.toISOString() ?? null,
  }
}

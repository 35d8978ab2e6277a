import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import { findOrganizationId } from '#app/organizations/organization/organization.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { organizationGrant } from './entitlement.ts'
import { listGrantsOf } from './grant.server.ts'

/** The datasets of an organization, for staff. */
export const organizationGrantsApi: Api = async (app) => {
  app.get('/api/admin/organizations/:id/entitlements', {
    schema: {
      summary: 'List the grants of an organization, newest first',
      tags: ['organizations'],
      params: z.object({ id: z.string().max(40, 'There is no such organization.') }),
      response: { 200: z.array(organizationGrant) },
    },
    async handler({ requestContext, params: { id } }, reply) {
      reply.header('cache-control', 'no-store')
      await allow(requestContext, 'products.write')
      return listGrantsOf((await findOrganizationId(id)) ?? stop('notFound', 'There is no such organization.'))
    },
  })
}

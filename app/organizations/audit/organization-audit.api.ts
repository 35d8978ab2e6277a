import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import { allowIn } from '#app/organizations/organization/membership.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { exportAnswer, sendExport } from '#app/platform/http/export.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { exportFormat } from '#app/platform/tables/export-format.ts'
import { organizationEvents } from './organization-audit.server.ts'

const params = z.object({ id: z.string().max(40, 'There is no such organization.') })

/** The activity of an organization, exported for its admins. */
export const organizationAuditApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'workspace.enter')
  })

  app.get('/api/organizations/:id/audit.csv', {
    schema: {
      summary: 'Export 12 months of activity of an organization as CSV',
      tags: ['organizations'],
      params,
      querystring: z.object({ format: exportFormat }),
      response: { 200: exportAnswer },
    },
    config: { audit: 'organization_audit_exported' },
    exposeHeadRoute: false,
    async handler({ requestContext, params: { id }, query: { format } }, reply) {
      const { organization } = await allowIn(requestContext, id, 'manage')
      if (organization.isPersonal) stop('conflict', 'Your own activity is in the export of your data.', { code: 'personal_organization' })
      return sendExport(reply, { name: 'activity', list: organizationEvents(organization.id), format })
    },
  })
}

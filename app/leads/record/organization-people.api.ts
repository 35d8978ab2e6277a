import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import { findOrganizationId } from '#app/organizations/organization/organization.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { organizationPeople, personOrganization, personOrganizationBody } from './organization-people.ts'
import { findPersonOrganization, listOrganizationPeople, setPersonOrganization } from './organization-people.server.ts'

const tags = ['leads']
const lead = z.object({ id: z.uuid('There is no such lead.') })

/** Companies of leads: their people, and which company a person belongs to. */
export const organizationPeopleApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'leads.read')
  })

  app.get('/api/admin/organizations/:id/people', {
    schema: {
      summary: 'List the people of an organization with their leads',
      tags,
      params: z.object({ id: z.string().max(40, 'There is no such organization.') }),
      response: { 200: organizationPeople },
    },
    handler: async ({ params: { id } }) =>
      listOrganizationPeople((await findOrganizationId(id)) ?? stop('notFound', 'There is no such organization.')),
  })

  app.get('/api/leads/:id/organization', {
    schema: { summary: 'Read the organization of a lead’s person', tags, params: lead, response: { 200: personOrganization } },
    handler: async ({ params: { id } }) => findPersonOrganization(id),
  })

  app.put('/api/leads/:id/organization', {
    schema: {
      summary: 'Set the organization of a lead’s person',
      tags,
      params: lead,
      body: personOrganizationBody,
      response: { 200: personOrganization },
    },
    async handler({ requestContext, params: { id }, body: { organization } }) {
      const { id: actorId } = await allow(requestContext, 'leads.write')
      await setPersonOrganization(id, organization, { id: actorId, address: requestContext.address })
      return findPersonOrganization(id)
    },
  })
}

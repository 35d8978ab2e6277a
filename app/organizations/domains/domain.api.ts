import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import { allowIn } from '#app/organizations/organization/membership.server.ts'
import { type Api, perVisitor } from '#app/platform/http/http.server.ts'
import { domain, domainBody } from './domain.ts'
import { addDomain, checkDomain, listDomains, proveDomain, removeDomain, restoreDomain } from './domain.server.ts'

const params = z.object({ id: z.string().max(40, 'There is no such organization.') })
const one = z.object({ ...params.shape, domainId: z.uuid('There is no such domain.') })
const tags = ['organizations']
const bodyLimit = 16 * 1024
const response = { 200: z.array(domain) }

/** The domains of an organization, for its admins: people with an address there may ask to join. */
export const domainApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'workspace.enter')
  })

  app.get('/api/organizations/:id/domains', {
    schema: { summary: 'List the domains of an organization', tags, params, response },
    handler: async ({ requestContext, params: { id } }) => listDomains((await allowIn(requestContext, id, 'manage')).organization.id),
  })

  app.post('/api/organizations/:id/domains', {
    schema: {
      summary: 'Add a domain',
      description: 'It counts once its TXT record, `challenge`, was found in the DNS.',
      tags,
      params,
      body: domainBody,
      response: { 201: z.array(domain) },
    },
    bodyLimit,
    config: { limit: perVisitor('organization-domains', 60, '1 hours') },
    async handler({ requestContext, params: { id }, body }, reply) {
      const { organization, actor } = await allowIn(requestContext, id, 'manage')
      await addDomain(organization.id, body.domain, actor)
      return reply.status(201).send(await listDomains(organization.id))
    },
  })

  app.post('/api/organizations/:id/domains/:domainId/check', {
    schema: { summary: 'Look for the TXT record of a domain', tags, params: one, response },
    config: { limit: perVisitor('organization-domain-checks', 30, '10 minutes') },
    async handler({ requestContext, params: { id, domainId } }) {
      const { organization, actor } = await allowIn(requestContext, id, 'manage')
      await checkDomain(organization.id, domainId, actor)
      return listDomains(organization.id)
    },
  })

  app.post('/api/organizations/:id/domains/:domainId/prove', {
    schema: { summary: 'Confirm a domain without a record, as staff', tags, params: one, response },
    async handler({ requestContext, params: { id, domainId } }) {
      await allow(requestContext, 'organizations.manage')
      const { organization, actor } = await allowIn(requestContext, id, 'manage')
      await proveDomain(organization.id, domainId, 'staff', actor)
      return listDomains(organization.id)
    },
  })

  app.post('/api/organizations/:id/domains/:domainId/restore', {
    schema: { summary: 'Undo the removal of a domain', description: 'Possible for an hour.', tags, params: one, response },
    async handler({ requestContext, params: { id, domainId } }) {
      const { organization, actor } = await allowIn(requestContext, id, 'manage')
      await restoreDomain(organization.id, domainId, actor)
      return listDomains(organization.id)
    },
  })

  app.delete('/api/organizations/:id/domains/:domainId', {
    schema: { summary: 'Remove a domain', tags, params: one, response: { 204: z.null() } },
    async handler({ requestContext, params: { id, domainId } }, reply) {
      const { organization, actor } = await allowIn(requestContext, id, 'manage')
      await removeDomain(organization.id, domainId, actor)
      return reply.status(204).send(null)
    },
  })
}

import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { isPlainLoopback } from '#app/platform/http/session-cookie.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { allowIn, findMembership, membershipOf, ORGANIZATION_COOKIE, requireRight } from './membership.server.ts'
import { changeOrganization, closeOrganization, findOrganization, foundOrganization, listOwnOrganizations } from './organization.server.ts'
import { currentOrganizationBody, newOrganizationBody, organization, organizationChange, ownOrganization } from './organization.ts'

const params = z.object({ id: z.string().max(40, 'There is no such organization.') })
const tags = ['organizations']
const bodyLimit = 64 * 1024
const YEAR_SECONDS = 365 * 24 * 3600

/** A person's own organizations: list, found, switch, read, change, close. */
export const organizationApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'workspace.enter')
  })

  app.get('/api/organizations', {
    schema: { summary: 'List your organizations', tags, response: { 200: z.array(ownOrganization) } },
    async handler({ requestContext }) {
      const user = await allow(requestContext, 'workspace.enter')
      return listOwnOrganizations(user.id, (await membershipOf(requestContext, user)).id, user)
    },
  })

  app.post('/api/organizations', {
    schema: {
      summary: 'Create an organization',
      description: 'You become its admin. `moveOwn` moves your datasets, requests and API keys there.',
      tags,
      body: newOrganizationBody,
      response: { 201: organization },
    },
    bodyLimit,
    async handler({ requestContext, body }, reply) {
      const { id: userId } = await allow(requestContext, 'workspace.enter')
      const id = await foundOrganization(body, { id: userId, address: requestContext.address })
      return reply.status(201).send((await findOrganization({ id, role: 'admin' })) ?? unknown())
    },
  })

  app.put('/api/organizations/current', {
    schema: {
      summary: 'Choose the organization of this browser',
      description: 'Requests without the header `Organization` are for it.',
      tags,
      body: currentOrganizationBody,
      response: { 204: z.null() },
    },
    bodyLimit,
    async handler({ requestContext, body }, reply) {
      const user = await allow(requestContext, 'workspace.enter')
      const chosen = (await findMembership(user, body.id)) ?? unknown()
      requireRight(chosen, 'see')
      const options = { path: '/', httpOnly: true, secure: !isPlainLoopback, sameSite: 'lax', maxAge: YEAR_SECONDS } as const
      return reply.setCookie(ORGANIZATION_COOKIE, chosen.id, options).status(204).send(null)
    },
  })

  app.get('/api/organizations/:id', {
    schema: { summary: 'Read one of your organizations', tags, params, response: { 200: organization } },
    handler: async ({ requestContext, params: { id } }) =>
      (await findOrganization((await allowIn(requestContext, id, 'see')).organization)) ?? unknown(),
  })

  app.patch('/api/organizations/:id', {
    schema: { summary: 'Change an organization', tags, params, body: organizationChange, response: { 200: organization } },
    bodyLimit,
    async handler({ requestContext, params: { id }, body }) {
      const { organization: own, actor } = await allowIn(requestContext, id, 'manage')
      await changeOrganization(own.id, body, actor)
      return (await findOrganization(own)) ?? unknown()
    },
  })

  app.delete('/api/organizations/:id', {
    schema: { summary: 'Close an organization', tags, params, response: { 204: z.null() } },
    async handler({ requestContext, params: { id } }, reply) {
      const { organization: own, actor } = await allowIn(requestContext, id, 'manage')
      await closeOrganization(own.id, actor)
      return reply.status(204).send(null)
    },
  })
}

function unknown(): never {
  return stop('notFound', 'There is no such organization.')
}

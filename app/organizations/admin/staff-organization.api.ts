import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import { invite } from '#app/organizations/members/invitation.server.ts'
import { changeOrganization, findOrganizationId } from '#app/organizations/organization/organization.server.ts'
import { staffOrganizationChange } from '#app/organizations/organization/organization.ts'
import { stop } from '#app/platform/errors/stop.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import type { RequestContext } from '#app/platform/http/request-context.server.ts'
import { mergeOrganizations, undoMerge } from './merge.server.ts'
import { addOrganization, findStaffOrganization, listOrganizations, nameAdmin, setState } from './staff-organization.server.ts'
import {
  adminBody,
  mergeBody,
  newStaffOrganizationBody,
  organizationPage,
  organizationQuery,
  stateBody,
  staffOrganization,
} from './staff-organization.ts'

const params = z.object({ id: z.string().max(40, 'There is no such organization.') })
const tags = ['organizations']
const UNKNOWN = 'There is no such organization'
const bodyLimit = 64 * 1024

/** All organizations, for staff: list, add, change, suspend, merge. Members, invitations and keys have the endpoints that admins use. */
export const staffOrganizationApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'organizations.manage')
  })

  app.get('/api/admin/organizations', {
    schema: { summary: 'List organizations, newest first', tags, querystring: organizationQuery, response: { 200: organizationPage } },
    handler: async ({ query }) => listOrganizations(query),
  })

  app.post('/api/admin/organizations', {
    schema: { summary: 'Add an organization', tags, body: newStaffOrganizationBody, response: { 201: staffOrganization } },
    bodyLimit,
    async handler({ requestContext, body: { name, email } }, reply) {
      const actor = await actorOf(requestContext)
      const id = await addOrganization(name, actor)
      if (email) await invite(id, { email, role: 'admin' }, actor)
      return reply.status(201).send(await read(id))
    },
  })

  app.get('/api/admin/organizations/:id', {
    schema: { summary: 'Read an organization', tags, params, response: { 200: staffOrganization } },
    handler: async ({ params: { id } }) => read(id),
  })

  app.patch('/api/admin/organizations/:id', {
    schema: { summary: 'Change an organization', tags, params, body: staffOrganizationChange, response: { 200: staffOrganization } },
    bodyLimit,
    async handler({ requestContext, params: { id }, body }) {
      const found = await read(id)
      await changeOrganization(found.id, body, await actorOf(requestContext))
      return read(found.id)
    },
  })

  app.put('/api/admin/organizations/:id/state', {
    schema: { summary: 'Suspend, close or reopen an organization', tags, params, body: stateBody, response: { 200: staffOrganization } },
    async handler({ requestContext, params: { id }, body: { state } }) {
      const found = await read(id)
      await setState(found.id, state, await actorOf(requestContext))
      return read(found.id)
    },
  })

  app.post('/api/admin/organizations/:id/admin', {
    schema: {
      summary: 'Name an admin of an organization that has none',
      tags,
      params,
      body: adminBody,
      response: { 200: staffOrganization },
    },
    async handler({ requestContext, params: { id }, body: { email } }) {
      const found = await read(id)
      await nameAdmin(found.id, email, await actorOf(requestContext))
      return read(found.id)
    },
  })

  app.post('/api/admin/organizations/:id/merge', {
    schema: { summary: 'Merge an organization into another one', tags, params, body: mergeBody, response: { 200: staffOrganization } },
    async handler({ requestContext, params: { id }, body: { into, addsQuota } }) {
      const found = await read(id)
      const intoId = (await findOrganizationId(into)) ?? stop('unprocessable', `${UNKNOWN}.`, { errors: { into: UNKNOWN } })
      await mergeOrganizations({ id: found.id, intoId, addsQuota }, await actorOf(requestContext))
      return read(intoId)
    },
  })

  app.post('/api/admin/organization-merges/:mergeId/undo', {
    schema: {
      summary: 'Undo a merge',
      description: 'Possible for 30 days. What was granted, asked or made since then stays.',
      tags,
      params: z.object({ mergeId: z.uuid('There is no such merge.') }),
      response: { 204: z.null() },
    },
    async handler({ requestContext, params: { mergeId } }, reply) {
      await undoMerge(mergeId, await actorOf(requestContext))
      return reply.status(204).send(null)
    },
  })
}

async function read(id: string) {
  return (await findStaffOrganization(id)) ?? stop('notFound', 'There is no such organization.')
}

async function actorOf(requestContext: RequestContext) {
  return { id: (await allow(requestContext, 'organizations.manage')).id, address: requestContext.address }
}

import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import { allowIn } from '#app/organizations/organization/membership.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { member, memberChange } from './member.ts'
import { changeMember, listMembers, removeMember } from './member.server.ts'

const params = z.object({ id: z.string().max(40, 'There is no such organization.') })
const one = z.object({ ...params.shape, userId: z.uuid('There is no such member.') })
const tags = ['organizations']

/** The members of an organization: everyone in it sees them, admins change and remove them, and each may leave. */
export const memberApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'workspace.enter')
  })

  app.get('/api/organizations/:id/members', {
    schema: { summary: 'List the members of an organization', tags, params, response: { 200: z.array(member) } },
    async handler({ requestContext, params: { id } }) {
      const { organization, actor } = await allowIn(requestContext, id, 'see')
      return listMembers(organization.id, actor.id)
    },
  })

  app.patch('/api/organizations/:id/members/:userId', {
    schema: { summary: 'Change the role of a member', tags, params: one, body: memberChange, response: { 200: z.array(member) } },
    async handler({ requestContext, params: { id, userId }, body: { role } }) {
      const { organization, actor } = await allowIn(requestContext, id, 'manage')
      await changeMember(organization.id, userId, role, actor)
      return listMembers(organization.id, actor.id)
    },
  })

  app.delete('/api/organizations/:id/members/:userId', {
    schema: { summary: 'Remove a member, or leave', tags, params: one, response: { 204: z.null() } },
    async handler({ requestContext, params: { id, userId } }, reply) {
      const { id: selfId } = await allow(requestContext, 'workspace.enter')
      const { organization, actor } = await allowIn(requestContext, id, userId === selfId ? 'see' : 'manage')
      if (organization.isPersonal) stop('conflict', 'A personal organization has one member.', { code: 'personal_organization' })
      await removeMember(organization.id, userId, actor)
      return reply.status(204).send(null)
    },
  })
}

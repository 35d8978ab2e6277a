import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import { allowIn } from '#app/organizations/organization/membership.server.ts'
import { type Api, perVisitor } from '#app/platform/http/http.server.ts'
import {
  acceptInvitation,
  declineInvitation,
  invite,
  inviteAgain,
  listInvitations,
  listOwnInvitations,
  revokeInvitation,
} from './invitation.server.ts'
import { acceptBody, accepted, invitation, invitationBody, ownInvitation } from './member.ts'

const params = z.object({ id: z.string().max(40, 'There is no such organization.') })
const one = z.object({ ...params.shape, invitationId: z.uuid('There is no such invitation.') })
const own = z.object({ id: z.uuid('There is no such invitation.') })
const tags = ['organizations']
const bodyLimit = 16 * 1024

/** Invitations: admins send, repeat and revoke them; the invited person accepts or declines. */
export const invitationApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'workspace.enter')
  })

  app.get('/api/organizations/:id/invitations', {
    schema: { summary: 'List open invitations', tags, params, response: { 200: z.array(invitation) } },
    handler: async ({ requestContext, params: { id } }) => listInvitations((await allowIn(requestContext, id, 'manage')).organization.id),
  })

  app.post('/api/organizations/:id/invitations', {
    schema: { summary: 'Invite someone by email', tags, params, body: invitationBody, response: { 201: z.array(invitation) } },
    bodyLimit,
    config: { limit: perVisitor('organization-invitations-sent', 60, '1 hours') },
    async handler({ requestContext, params: { id }, body }, reply) {
      const { organization, actor } = await allowIn(requestContext, id, 'manage')
      await invite(organization.id, body, actor)
      return reply.status(201).send(await listInvitations(organization.id))
    },
  })

  app.post('/api/organizations/:id/invitations/:invitationId/send', {
    schema: { summary: 'Send an invitation again', tags, params: one, response: { 200: z.array(invitation) } },
    config: { limit: perVisitor('organization-invitations-sent', 60, '1 hours') },
    async handler({ requestContext, params: { id, invitationId } }) {
      const { organization, actor } = await allowIn(requestContext, id, 'manage')
      await inviteAgain(organization.id, invitationId, actor)
      return listInvitations(organization.id)
    },
  })

  app.delete('/api/organizations/:id/invitations/:invitationId', {
    schema: { summary: 'Revoke an invitation', tags, params: one, response: { 204: z.null() } },
    async handler({ requestContext, params: { id, invitationId } }, reply) {
      const { organization, actor } = await allowIn(requestContext, id, 'manage')
      await revokeInvitation(organization.id, invitationId, actor)
      return reply.status(204).send(null)
    },
  })

  app.get('/api/organization-invitations', {
    schema: { summary: 'List the invitations to your address', tags, response: { 200: z.array(ownInvitation) } },
    handler: async ({ requestContext }) => listOwnInvitations(await allow(requestContext, 'workspace.enter')),
  })

  app.post('/api/organization-invitations/:id/accept', {
    schema: { summary: 'Accept an invitation', tags, params: own, body: acceptBody, response: { 200: accepted } },
    bodyLimit,
    config: { limit: perVisitor('organization-invitations-answered', 60, '10 minutes') },
    async handler({ requestContext, params: { id }, body: { token } }) {
      const { id: userId, email } = await allow(requestContext, 'workspace.enter')
      return { organizationId: await acceptInvitation(id, token, { id: userId, email, address: requestContext.address }) }
    },
  })

  app.post('/api/organization-invitations/:id/decline', {
    schema: { summary: 'Decline an invitation', tags, params: own, response: { 204: z.null() } },
    async handler({ requestContext, params: { id } }, reply) {
      await declineInvitation(id, await allow(requestContext, 'workspace.enter'))
      return reply.status(204).send(null)
    },
  })
}

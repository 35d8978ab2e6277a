import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import { allowIn } from '#app/organizations/organization/membership.server.ts'
import { type Api, perVisitor } from '#app/platform/http/http.server.ts'
import { joinAnswer, joinRequest, offer } from './join-request.ts'
import { acceptJoinRequest, askToJoin, declineJoinRequest, listJoinRequests, listOffers } from './join-request.server.ts'

const params = z.object({ id: z.string().max(40, 'There is no such organization.') })
const one = z.object({ ...params.shape, requestId: z.uuid('There is no such request.') })
const offered = z.object({ id: z.uuid('There is no such organization.') })
const tags = ['organizations']

/** Colleagues who ask to join, by the proven domain of their address, and the admins who answer them. */
export const joinRequestApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'workspace.enter')
  })

  app.get('/api/organization-offers', {
    schema: { summary: 'List the organizations that you can ask to join', tags, response: { 200: z.array(offer) } },
    handler: async ({ requestContext }) => listOffers((await allow(requestContext, 'workspace.enter')).id),
  })

  app.post('/api/organization-offers/:id/ask', {
    schema: { summary: 'Ask to join an organization', tags, params: offered, response: { 200: z.array(offer) } },
    config: { limit: perVisitor('organization-asked', 30, '1 hours') },
    async handler({ requestContext, params: { id } }) {
      const { id: userId, email } = await allow(requestContext, 'workspace.enter')
      await askToJoin(id, { id: userId, email, address: requestContext.address })
      return listOffers(userId)
    },
  })

  app.get('/api/organizations/:id/join-requests', {
    schema: { summary: 'List the people who ask to join', tags, params, response: { 200: z.array(joinRequest) } },
    handler: async ({ requestContext, params: { id } }) => listJoinRequests((await allowIn(requestContext, id, 'manage')).organization.id),
  })

  app.post('/api/organizations/:id/join-requests/:requestId/accept', {
    schema: { summary: 'Accept someone who asks to join', tags, params: one, body: joinAnswer, response: { 200: z.array(joinRequest) } },
    async handler({ requestContext, params: { id, requestId }, body: { role } }) {
      const { organization, actor } = await allowIn(requestContext, id, 'manage')
      await acceptJoinRequest(organization.id, requestId, role, actor)
      return listJoinRequests(organization.id)
    },
  })

  app.post('/api/organizations/:id/join-requests/:requestId/decline', {
    schema: { summary: 'Decline someone who asks to join', tags, params: one, response: { 200: z.array(joinRequest) } },
    async handler({ requestContext, params: { id, requestId } }) {
      const { organization, actor } = await allowIn(requestContext, id, 'manage')
      await declineJoinRequest(organization.id, requestId, actor)
      return listJoinRequests(organization.id)
    },
  })
}

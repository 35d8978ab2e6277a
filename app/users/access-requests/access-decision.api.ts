import { z } from 'zod'
import { allow, allowFresh } from '#app/access.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { decide, listPending } from './access-decision.server.ts'
import { decision, pendingRequest } from './access-decision.ts'

const params = z.object({ id: z.uuid('There is no such request.') })

/** Requests for staff access, and the owner's decisions. */
export const accessDecisionApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'users.manage')
  })

  app.get('/api/admin/access-requests', {
    schema: {
      summary: 'List pending requests for staff access',
      tags: ['users'],
      response: { 200: z.array(pendingRequest) },
    },
    handler: async () => listPending(),
  })

  app.post('/api/admin/access-requests/:id', {
    schema: {
      summary: 'Grant or decline a request for staff access',
      tags: ['users'],
      params,
      body: decision,
      response: { 204: z.null() },
    },
    async handler({ requestContext, params, body }, reply) {
      const { id } = await allowFresh(requestContext, 'users.manage')
      await decide(params.id, body.decision, { id, address: requestContext.address })
      return reply.status(204).send(null)
    },
  })
}

import { z } from 'zod'
import { allow, may, allowFresh, type Permission } from '#app/access.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { accessRequest, sentRequest, decision, pendingRequest } from './access-request.ts'
import { listAccessRequests, requestAccess } from './access-request.server.ts'
import { decide, listPending } from './access-decision.server.ts'
import type { AreaName } from '#app/content/areas.ts'

/** The permission that each workspace area needs. Others see a description of the area. */
const areaPermissions: Record<AreaName, Permission> = {
  blog: 'posts.write',
  redirects: 'redirects.write',
  marketplace: 'products.write',
  products: 'products.write',
}

export const accessRequestApi: Api = async (app) => {
  app.get('/api/access-requests', {
    schema: { summary: 'List your recent access requests', response: { 200: z.array(sentRequest) } },
    async handler({ requestContext }, reply) {
      reply.header('cache-control', 'no-store')
      return listAccessRequests((await allow(requestContext, 'workspace.enter')).id)
    },
  })

  app.post('/api/access-requests', {
    schema: { summary: 'Request access to an area of the workspace', body: accessRequest, response: { 200: sentRequest } },
    async handler({ requestContext, body: { area } }) {
      const currentUser = await allow(requestContext, 'workspace.enter')
      if (may(currentUser, areaPermissions[area])) stop('conflict', 'Your account already has this access.')
      return requestAccess(currentUser, area)
    },
  })
}

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

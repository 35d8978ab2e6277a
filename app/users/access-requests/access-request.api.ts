import { z } from 'zod'
import { allow, may } from '#app/access.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { accessRequest, sentRequest } from './access-request.ts'
import { listAccessRequests, requestAccess } from './access-request.server.ts'
import { areaPermissions } from './area.server.ts'

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

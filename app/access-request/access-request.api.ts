import { z } from 'zod'
import { allow, may } from '#app/access.server.ts'
import type { Api } from '#app/platform/http.server.ts'
import { stop } from '#app/platform/stop.ts'
import { accessRequest, sentRequest } from './access-request.ts'
import { listRequests, requestAccess } from './access-request.server.ts'
import { areaPermissions } from './area.server.ts'

export const accessRequestApi: Api = async (app) => {
  app.get('/api/access-requests', {
    schema: { summary: 'List what you have asked the owner for lately', response: { 200: z.array(sentRequest) } },
    async handler({ visit }, reply) {
      reply.header('cache-control', 'no-store')
      return listRequests((await allow(visit, 'workspace.enter')).id)
    },
  })

  app.post('/api/access-requests', {
    schema: { summary: 'Ask the owner for access to a part of the workspace', body: accessRequest, response: { 200: sentRequest } },
    async handler({ visit, body: { area } }) {
      const viewer = await allow(visit, 'workspace.enter')
      if (may(viewer, areaPermissions[area])) stop('conflict', 'Your account has this access already.')
      return requestAccess(viewer, area)
    },
  })
}

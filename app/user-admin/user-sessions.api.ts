import { z } from 'zod'
import { allow } from '#app/access.server.ts'
import type { Api } from '#app/platform/http.server.ts'
import { stop } from '#app/platform/stop.ts'
import { directory } from '#app/users/directory.server.ts'
import { listedSession } from '#app/users/user-directory.ts'
import { endSession } from './user-admin.server.ts'

const params = z.object({ id: z.uuid('There is no such account.') })
const oneDevice = z.object({ ...params.shape, sessionId: z.uuid('There is no such session.') })
const tags = ['users']

/** Where others are signed in, for the owner. */
export const userSessionsApi: Api = async (app) => {
  app.addHook('onRequest', async ({ visit }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(visit, 'users.manage')
  })

  app.get('/api/admin/users/:id/sessions', {
    schema: { summary: 'Where someone is signed in', tags, params, response: { 200: z.array(listedSession) } },
    async handler({ params: { id } }) {
      await mustExist(id)
      return directory.listSessions(id)
    },
  })

  app.delete('/api/admin/users/:id/sessions', {
    schema: { summary: 'Sign someone out everywhere', tags, params, response: { 204: z.null() } },
    async handler({ visit, params: { id } }, reply) {
      await mustExist(id)
      const viewer = await allow(visit, 'users.manage')
      await directory.endSessions(id, { id: viewer.id, address: visit.address })
      return reply.status(204).send(null)
    },
  })

  app.delete('/api/admin/users/:id/sessions/:sessionId', {
    schema: { summary: 'Sign someone out of one device', tags, params: oneDevice, response: { 204: z.null() } },
    async handler({ visit, params: { id, sessionId } }, reply) {
      const viewer = await allow(visit, 'users.manage')
      const isEnded = await endSession(id, sessionId, { id: viewer.id, address: visit.address })
      if (!isEnded) stop('notFound', 'This device is not signed in to that account.')
      return reply.status(204).send(null)
    },
  })
}

async function mustExist(id: string): Promise<void> {
  if (!(await directory.findUser(id))) stop('notFound', 'There is no such account.')
}

import { z } from 'zod'
import { allow, allowFresh } from '#app/access.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { directory } from '#app/auth/directory/directory.server.ts'
import { listedSession } from '#app/auth/directory/user-directory.ts'
import { endUserSession } from './user-admin.server.ts'

const params = z.object({ id: z.uuid('There is no such account.') })
const oneDevice = z.object({ ...params.shape, sessionId: z.uuid('There is no such session.') })
const tags = ['users']

/** The sessions of other people, for the owner. */
export const userSessionsApi: Api = async (app) => {
  app.addHook('onRequest', async ({ requestContext }, reply) => {
    reply.header('cache-control', 'no-store')
    await allow(requestContext, 'users.manage')
  })

  app.get('/api/admin/users/:id/sessions', {
    schema: { summary: 'List the signed-in devices of an account', tags, params, response: { 200: z.array(listedSession) } },
    async handler({ params: { id } }) {
      await mustExist(id)
      return directory.listSessions(id)
    },
  })

  app.delete('/api/admin/users/:id/sessions', {
    schema: { summary: 'Sign someone out everywhere', tags, params, response: { 204: z.null() } },
    async handler({ requestContext, params: { id } }, reply) {
      const currentUser = await allowFresh(requestContext, 'users.manage')
      await mustExist(id)
      await directory.endSessions(id, { id: currentUser.id, address: requestContext.address })
      return reply.status(204).send(null)
    },
  })

  app.delete('/api/admin/users/:id/sessions/:sessionId', {
    schema: { summary: 'Sign someone out of one device', tags, params: oneDevice, response: { 204: z.null() } },
    async handler({ requestContext, params: { id, sessionId } }, reply) {
      const currentUser = await allowFresh(requestContext, 'users.manage')
      const isEnded = await endUserSession(id, sessionId, { id: currentUser.id, address: requestContext.address })
      if (!isEnded) stop('notFound', 'This device is not signed in to that account.')
      return reply.status(204).send(null)
    },
  })
}

async function mustExist(id: string): Promise<void> {
  if (!(await directory.findUser(id))) stop('notFound', 'There is no such account.')
}

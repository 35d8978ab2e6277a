import { z } from 'zod'
import { allow, allowFresh } from '#app/access.server.ts'
import { accounts } from '#app/account/accounts.server.ts'
import type { Api } from '#app/platform/http/http.server.ts'
import { forgetSession } from '#app/platform/http/session-cookie.server.ts'
import { stop } from '#app/platform/errors/stop.ts'
import { ownSession } from './account.ts'
import { endOwnSession, listOwnSessions } from './own-session.server.ts'

export const ownSessionApi: Api = async (app) => {
  app.get('/api/account/sessions', {
    schema: { summary: 'List your signed-in devices', tags: ['account'], response: { 200: z.array(ownSession) } },
    async handler({ requestContext }, reply) {
      reply.header('cache-control', 'no-store')
      return listOwnSessions(await allow(requestContext, 'workspace.enter'))
    },
  })

  app.post('/api/account/sessions/end-all', {
    schema: {
      summary: 'Sign out all your devices, including this one, and revoke your API keys',
      tags: ['account'],
      body: z.object({ revokeKeys: z.boolean().default(true) }),
      response: { 204: z.null() },
    },
    async handler({ requestContext, body: { revokeKeys } }, reply) {
      const currentUser = await allowFresh(requestContext, 'workspace.enter')
      if (await accounts.endEverySession(currentUser, revokeKeys)) forgetSession(reply)
      return reply.status(204).send(null)
    },
  })

  app.delete('/api/account/sessions/:id', {
    schema: {
      summary: 'Sign out one of your devices',
      tags: ['account'],
      params: z.object({ id: z.uuid('must be the id of a session') }),
      response: { 204: z.null() },
    },
    async handler({ requestContext, params }, reply) {
      const currentUser = await allowFresh(requestContext, 'workspace.enter')
      if (!(await endOwnSession(currentUser, params.id))) stop('notFound', 'This device is not signed in to your account.')
      return reply.status(204).send(null)
    },
  })
}
